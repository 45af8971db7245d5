import COpenSSL
package import GossipProtocol
package import Keys

/// This node's certificate and TLS settings, used in every handshake.
///
/// TLS 1.3 only, a certificate on both sides, no tickets and no resumption: a resumed session sends
/// no certificate, so its peer would be unidentified.
///
/// Source: libp2p specs, tls; Docs/protocol.md, section 7.
@safe
package final class TLSCredentials: Sendable {
    /// The protocols offered by ALPN: yamux, which saves a round trip, or a second negotiation.
    package static let applicationProtocols = [Multiplexer.yamux, "libp2p"]

    /// Key agreements that cost about a tenth of a millisecond.
    ///
    /// Others, such as the finite fields of RFC 7919, let a peer cost this node up to two hundred
    /// milliseconds by sending a thousand bytes.
    private static let groups = "X25519:P-256"
    /// Signature algorithms of certificates, restricted for the same reason.
    private static let signatures = "ECDSA+SHA256:ed25519:ECDSA+SHA384"

    /// The protocols in OpenSSL's format: each name after one byte with its length.
    let protocolList: [UInt8]

    // Written only in `init`. OpenSSL's reference count is atomic, and sessions on several event
    // loops may be created from it.
    private nonisolated(unsafe) let context: OpaquePointer

    /// Creates a fresh certificate for `identity`.
    package convenience init(identity: PrivateKey) throws(TLSError) {
        let own = try HostCertificate(identity: identity)
        try self.init(certificates: [own.certificate], privateKey: own.privateKey)
    }

    /// Uses `certificates`, the first of which belongs to `privateKey`; all in DER.
    package init(
        certificates: [[UInt8]],
        privateKey: [UInt8],
        applicationProtocols: [String] = applicationProtocols,
        groups: String = groups
    ) throws(TLSError) {
        protocolList = applicationProtocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        guard let context = unsafe SSL_CTX_new(TLS_method()) else { throw .latest() }
        unsafe self.context = context
        guard unsafe stoa_context_tls13_only(context) == 1 else { throw .latest() }
        guard unsafe stoa_context_groups(context, groups) == 1,
            unsafe stoa_context_signatures(context, Self.signatures) == 1
        else { throw .latest() }
        unsafe stoa_context_without_sessions(context)
        unsafe stoa_context_release_buffers(context)
        for (index, der) in certificates.enumerated() {
            try unsafe Self.add(der, isFirst: index == 0, to: context)
        }
        let isKeySet = unsafe SSL_CTX_use_PrivateKey_ASN1(
            EVP_PKEY_EC,
            context,
            privateKey,
            privateKey.count
        )
        guard isKeySet == 1 else { throw .latest() }
        let mode = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
        unsafe SSL_CTX_set_verify(context, mode, nil)
        unsafe SSL_CTX_set_cert_verify_callback(context, checkPeerCertificate, nil)
        unsafe SSL_CTX_set_alpn_select_cb(context, chooseApplicationProtocol, nil)
        let isListRefused = unsafe SSL_CTX_set_alpn_protos(
            context,
            protocolList,
            UInt32(protocolList.count)
        )
        guard isListRefused == 0 else { throw .latest() }
    }

    deinit { unsafe SSL_CTX_free(context) }

    /// Creates a session for use on one event loop; the caller frees it.
    func makeSession() throws(TLSError) -> OpaquePointer {
        guard let session = unsafe SSL_new(context) else { throw .latest() }
        return unsafe session
    }

    private static func add(
        _ der: [UInt8],
        isFirst: Bool,
        to context: OpaquePointer
    ) throws(TLSError) {
        guard !isFirst else {
            let isSet = unsafe SSL_CTX_use_certificate_ASN1(context, Int32(der.count), der)
            guard isSet == 1 else { throw .latest() }
            return
        }
        let parsed: OpaquePointer? = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_X509(nil, &next, bytes.count)
        }
        guard let parsed = unsafe parsed else { throw .malformedCertificate }
        defer { unsafe X509_free(parsed) }
        guard unsafe stoa_context_add_certificate(context, parsed) == 1 else { throw .latest() }
    }
}

/// The multiplexers that this node supports.
enum Multiplexer {
    static let yamux = "/yamux/1.0.0"
}

extension TLSError {
    /// Returns the first error of OpenSSL's queue for this thread, and empties the queue.
    static func latest() -> TLSError {
        var code = ERR_get_error()
        defer { ERR_clear_error() }
        let first = code
        while code != 0 {
            // Alerts from the peer have this offset: `SSL_AD_REASON_OFFSET`.
            let reason = stoa_error_reason(code)
            if (1_000..<1_256).contains(reason) { return .alert(UInt8(reason - 1_000)) }
            code = ERR_get_error()
        }
        return .library(code: UInt(first))
    }
}
