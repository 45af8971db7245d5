import COpenSSL
package import GossipProtocol
package import Keys

/// A fresh self-signed P-256 certificate in which the host key vouches for the certificate's key.
///
/// Source: libp2p specs, tls, section "Peer Authentication".
package struct HostCertificate: Sendable {
    static let extensionOID = "1.3.6.1.4.1.53594.1.1"
    static let signaturePrefix = "libp2p-tls-handshake:"

    /// Clocks differ, so a certificate's validity begins an hour before its creation.
    private static let earlierBySeconds = -3_600
    private static let validSeconds = 100 * 365 * 86_400

    /// X.509 in DER.
    package let certificate: [UInt8]
    /// The certificate's own key, PKCS #8 in DER.
    package let privateKey: [UInt8]

    /// Creates a key and its certificate for the host whose key is `identity`.
    package init(identity: PrivateKey) throws(TLSError) {
        guard let key = unsafe stoa_new_p256_key(), let made = unsafe X509_new() else {
            throw .latest()
        }
        defer {
            unsafe X509_free(made)
            unsafe EVP_PKEY_free(key)
        }
        try unsafe Self.fill(made, key: key)
        let keyInfo = unsafe Self.subjectKeyInfo(of: made)
        let content = Array(Self.signaturePrefix.utf8) + keyInfo
        let signedKey = SignedKey(
            key: HostKey(identity.publicKey).message,
            signature: HostKey.sign(content, with: identity)
        )
        try unsafe Self.add(signedKey, to: made)
        guard unsafe X509_sign(made, key, EVP_sha256()) > 0 else { throw .latest() }
        certificate = unsafe Self.encoded { unsafe i2d_X509(made, $0) }
        privateKey = unsafe Self.encoded { unsafe i2d_PrivateKey(key, $0) }
    }

    /// Returns the certificate's public key info in DER, which the host key signs.
    static func subjectKeyInfo(of certificate: OpaquePointer) -> [UInt8] {
        let info = unsafe X509_get_X509_PUBKEY(certificate)
        return unsafe encoded { unsafe i2d_X509_PUBKEY(info, $0) }
    }

    private static func fill(_ made: OpaquePointer, key: OpaquePointer) throws(TLSError) {
        let number = UInt64.random(in: 1...UInt64(Int64.max))
        let serial = unsafe X509_get_serialNumber(made)
        let name = unsafe X509_get_subject_name(made)
        let isFilled =
            unsafe X509_set_version(made, 2) == 1
            && ASN1_INTEGER_set_uint64(serial, number) == 1
            && X509_gmtime_adj(X509_getm_notBefore(made), earlierBySeconds) != nil
            && X509_gmtime_adj(X509_getm_notAfter(made), validSeconds) != nil
            && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "libp2p", -1, -1, 0) == 1
            && X509_set_issuer_name(made, name) == 1
            && X509_set_pubkey(made, key) == 1
        guard isFilled else { throw .latest() }
    }

    private static func add(_ signedKey: SignedKey, to made: OpaquePointer) throws(TLSError) {
        let bytes = signedKey.der
        guard let oid = unsafe OBJ_txt2obj(extensionOID, 1),
            let value = unsafe ASN1_OCTET_STRING_new()
        else { throw .latest() }
        defer {
            unsafe ASN1_OBJECT_free(oid)
            unsafe ASN1_OCTET_STRING_free(value)
        }
        guard unsafe ASN1_OCTET_STRING_set(value, bytes, Int32(bytes.count)) == 1,
            let part = unsafe X509_EXTENSION_create_by_OBJ(nil, oid, 0, value)
        else { throw .latest() }
        defer { unsafe X509_EXTENSION_free(part) }
        guard unsafe X509_add_ext(made, part, -1) == 1 else { throw .latest() }
    }

    /// Runs one of OpenSSL's `i2d` functions: once for the length, once for the bytes.
    private static func encoded(
        _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> [UInt8] {
        let byteCount = write(nil)
        guard byteCount > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(byteCount)) { memory, count in
            var next = memory.baseAddress
            count = Int(unsafe write(&next))
        }
    }
}
