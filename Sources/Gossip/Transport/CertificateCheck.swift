import COpenSSL
package import GossipProtocol

/// Reads the host key from a peer's certificate, and refuses any certificate that breaks a rule.
///
/// Source: libp2p specs, tls, section "Peer Authentication"; Docs/protocol.md, section 7.
package enum CertificateCheck {
    /// Reads one X.509 certificate in DER and checks it as a handshake does.
    ///
    /// - Parameters:
    ///   - der: The certificate and nothing after it.
    ///   - time: Unix time in seconds.
    /// - Returns: The host key that vouches for the certificate.
    /// - Throws: ``TLSError`` with the rule that the certificate breaks.
    package static func hostKey(der: [UInt8], at time: Int64) throws(TLSError) -> HostKey {
        let parsed: OpaquePointer? = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            guard let parsed = unsafe d2i_X509(nil, &next, bytes.count) else { return nil }
            if unsafe next == bytes.baseAddress?.advanced(by: bytes.count) { return unsafe parsed }
            unsafe X509_free(parsed)
            return nil
        }
        guard let parsed = unsafe parsed else { throw .malformedCertificate }
        defer { unsafe X509_free(parsed) }
        return try unsafe hostKey(of: parsed, at: time)
    }

    static func hostKey(of certificate: OpaquePointer, at time: Int64) throws(TLSError) -> HostKey {
        var time = Int(time)
        guard unsafe X509_cmp_time(X509_get0_notBefore(certificate), &time) < 0 else {
            throw .notYetValid
        }
        guard unsafe X509_cmp_time(X509_get0_notAfter(certificate), &time) > 0 else {
            throw .expired
        }
        // Checked first: verifying with a key that the peer chose can take long.
        guard let ownKey = unsafe X509_get0_pubkey(certificate), unsafe isSuitable(ownKey) else {
            ERR_clear_error()
            throw .unsuitableKey
        }
        guard unsafe X509_verify(certificate, ownKey) == 1 else {
            ERR_clear_error()
            throw .wrongSelfSignature
        }
        guard let signedKey = SignedKey(der: try unsafe extensionBytes(of: certificate)) else {
            throw .malformedHostKey
        }
        let key: HostKey
        do throws(HostKeyError) {
            key = try HostKey(message: signedKey.key)
        } catch {
            throw .hostKey(error)
        }
        let keyInfo = unsafe HostCertificate.subjectKeyInfo(of: certificate)
        let content = Array(HostCertificate.signaturePrefix.utf8) + keyInfo
        guard key.verifies(signedKey.signature, of: content) else { throw .wrongHostSignature }
        return key
    }

    /// Whether a key is on P-256 or P-384, or for Ed25519.
    private static func isSuitable(_ key: OpaquePointer) -> Bool {
        switch unsafe EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_ED25519: return true
        case EVP_PKEY_EC: break
        default: return false
        }
        var name = [CChar](repeating: 0, count: 32)
        var count = 0
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else {
            return false
        }
        let text = String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return ["prime256v1", "secp384r1"].contains(text)
    }

    /// Returns the extension that carries the host key; any other critical extension must be known.
    private static func extensionBytes(of certificate: OpaquePointer) throws(TLSError) -> [UInt8] {
        var found: [UInt8]?
        for index in 0..<(unsafe X509_get_ext_count(certificate)) {
            guard let part = unsafe X509_get_ext(certificate, index) else { continue }
            if unsafe name(of: part) == HostCertificate.extensionOID {
                guard found == nil else { throw .hostKeyRepeated }
                let data = unsafe X509_EXTENSION_get_data(part)
                found = unsafe [UInt8](
                    UnsafeBufferPointer(
                        start: ASN1_STRING_get0_data(data),
                        count: Int(ASN1_STRING_length(data))
                    )
                )
            } else if unsafe X509_EXTENSION_get_critical(part) != 0,
                unsafe X509_supported_extension(part) != 1
            {
                throw .unknownCriticalExtension
            }
        }
        guard let found else { throw .noHostKey }
        return found
    }

    private static func name(of part: OpaquePointer) -> String {
        let object = unsafe X509_EXTENSION_get_object(part)
        let text = unsafe [UInt8](unsafeUninitializedCapacity: 80) { memory, count in
            let written = unsafe memory.withMemoryRebound(to: CChar.self) { characters in
                unsafe OBJ_obj2txt(characters.baseAddress, Int32(characters.count), object, 1)
            }
            count = Int(max(0, min(written, 79)))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
