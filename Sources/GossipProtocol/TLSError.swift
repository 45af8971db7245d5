package import Market

/// Why a TLS handshake or session with a peer failed.
package enum TLSError: Error, Hashable, Sendable {
    /// The peer did not show exactly one certificate.
    case certificateCount(Int)
    /// The bytes are not exactly one X.509 certificate.
    case malformedCertificate
    case notYetValid
    case expired
    /// The certificate is not signed by its own key.
    case wrongSelfSignature
    /// The key is neither on P-256 or P-384 nor for Ed25519.
    case unsuitableKey
    case unknownCriticalExtension
    /// The extension that carries the host key is absent.
    case noHostKey
    case hostKeyRepeated
    /// The extension is not exactly a key and a signature.
    case malformedHostKey
    case hostKey(HostKeyError)
    /// The host key did not sign the certificate's key.
    case wrongHostSignature
    /// Another peer answered than the expected one.
    case wrongPeer(PeerID)
    /// The sides have no application protocol in common.
    case wrongApplicationProtocol
    /// The peer refused this node, with this alert (RFC 8446, section 6).
    case alert(UInt8)
    /// The bytes are not TLS 1.3, or were altered on the way; `code` is OpenSSL's own.
    case library(code: UInt)
    /// The connection ended without a closing alert, so its end may be forged.
    case truncated
    /// The peer changes its key repeatedly, which costs this node more than the peer.
    case tooManyKeyUpdates

    /// A short constant name, used to count failures.
    package var label: String {
        switch self {
        case .certificateCount: "certificate_count"
        case .malformedCertificate: "malformed_certificate"
        case .notYetValid: "not_yet_valid"
        case .expired: "expired"
        case .wrongSelfSignature: "wrong_self_signature"
        case .unsuitableKey: "unsuitable_key"
        case .unknownCriticalExtension: "unknown_critical_extension"
        case .noHostKey: "no_host_key"
        case .hostKeyRepeated: "host_key_repeated"
        case .malformedHostKey: "malformed_host_key"
        case .hostKey: "host_key"
        case .wrongHostSignature: "wrong_host_signature"
        case .wrongPeer: "wrong_peer"
        case .wrongApplicationProtocol: "wrong_application_protocol"
        case .alert: "alert"
        case .library: "library"
        case .truncated: "truncated"
        case .tooManyKeyUpdates: "too_many_key_updates"
        }
    }
}
