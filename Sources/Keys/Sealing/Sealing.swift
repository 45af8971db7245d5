import Crypto
import FoundationEssentials

/// Encryption to one recipient, also secure against a later quantum computer.
///
/// HPKE in base mode, one message per context: X-Wing (ML-KEM-768 and X25519), HKDF-SHA-256,
/// AES-256-GCM. Sealed bytes are the encapsulated key (1,120) ‖ ciphertext ‖ tag (16). The sender
/// is not authenticated: sign the content.
///
/// Source: RFC 9180, section 6.1; draft-connolly-cfrg-xwing-kem.
package enum Sealing {
    /// The number of bytes that sealing adds.
    package static let overheadBytes = encapsulatedBytes + 16

    private static let encapsulatedBytes = 1_120

    private static var suite: HPKE.Ciphersuite { .XWingMLKEM768X25519_SHA256_AES_GCM_256 }

    /// Seals `plaintext`.
    ///
    /// - Parameters:
    /// - plaintext: The content, which only the recipient can read.
    /// - recipient: The public key of the recipient.
    /// - info: The purpose; opening needs the same.
    /// - aad: Data that is authenticated but not encrypted; opening needs the same.
    /// - Returns: The encapsulated key, the ciphertext and its tag.
    /// - Throws: ``SealingError/noKey`` if the recipient's key is invalid.
    package static func seal(
        _ plaintext: [UInt8],
        to recipient: SealingKey,
        info: [UInt8],
        aad: [UInt8]
    ) throws(SealingError) -> [UInt8] {
        do {
            let key = try XWingMLKEM768X25519.PublicKey(rawRepresentation: recipient.bytes)
            var sender = try HPKE.Sender(recipientKey: key, ciphersuite: suite, info: Data(info))
            let ciphertext = try sender.seal(plaintext, authenticating: aad)
            return Array(sender.encapsulatedKey) + ciphertext
        } catch {
            throw .noKey
        }
    }

    static func open(
        _ sealed: [UInt8],
        seed: SecretBytes,
        info: [UInt8],
        aad: [UInt8]
    ) throws(SealingError) -> [UInt8] {
        guard sealed.count >= overheadBytes else { throw .tooShort(byteCount: sealed.count) }
        do {
            var recipient = try HPKE.Recipient(
                privateKey: try privateKey(seed),
                ciphersuite: suite,
                info: Data(info),
                encapsulatedKey: Data(sealed[..<encapsulatedBytes])
            )
            return Array(try recipient.open(sealed[encapsulatedBytes...], authenticating: aad))
        } catch {
            throw .notOpened
        }
    }

    static func privateKey(_ seed: SecretBytes) throws -> XWingMLKEM768X25519.PrivateKey {
        try unsafe seed.withBytes {
            try unsafe XWingMLKEM768X25519.PrivateKey(seedRepresentation: $0, publicKey: nil)
        }
    }
}

/// Why sealing or opening failed.
package enum SealingError: Error, Equatable, Sendable {
    /// The bytes are not a key of this kind.
    case noKey
    /// Fewer bytes than sealing adds.
    case tooShort(byteCount: Int)
    /// Sealed to another key, for another purpose, or changed; which of these is unknown.
    case notOpened
}

extension SealingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noKey: "The recipient's key cannot be used; ask for a new one."
        case .tooShort(let count): "\(count) bytes cannot be a sealed message; it was cut short."
        case .notOpened: "The message cannot be opened with this key; ask for it again."
        }
    }
}
