import Crypto
import Foundation
import Gossip
import GossipProtocol
import Keys

/// An X.509 certificate of which any part can be wrong.
struct ForgedCertificate {
    private static let hostKeyOID: [UInt8] = [
        0x2B, 0x06, 0x01, 0x04, 0x01, 0x83, 0xA2, 0x5A, 0x01, 0x01,
    ]
    private static let unknownOID: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x83, 0xA2, 0x5A, 0x09]

    var notBefore = "20200101000000Z"
    var notAfter = "21200101000000Z"
    /// The claimed host, and the key that actually signs for it.
    var host = PrivateKey.random()
    var hostSigner: PrivateKey?
    /// Bytes after the signed key within its extension.
    var afterHostKey: [UInt8] = []
    var hostKeyCount = 1
    var hasUnknownCriticalExtension = false
    var isSelfSigned = true

    let key = P256.Signing.PrivateKey()

    var privateKey: [UInt8] { Array(key.derRepresentation) }

    var credentials: TLSCredentials {
        get throws { try TLSCredentials(certificates: [try der], privateKey: privateKey) }
    }

    var der: [UInt8] {
        get throws {
            let algorithm = Self.der(
                0x30,
                Self.der(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
            )
            let name = Self.der(
                0x30,
                Self.der(
                    0x31,
                    Self.der(0x30, Self.der(0x06, [0x55, 0x04, 0x03]) + Self.der(0x0C, [0x61]))
                )
            )
            let validity = Self.der(
                0x30,
                Self.der(0x18, Array(notBefore.utf8)) + Self.der(0x18, Array(notAfter.utf8))
            )
            let body = Self.der(
                0x30,
                Self.der(0xA0, [0x02, 0x01, 0x02]) + Self.der(0x02, [0x01]) + algorithm + name
                    + validity + name + subjectKeyInfo
                    + Self.der(0xA3, Self.der(0x30, extensions))
            )
            let signer = isSelfSigned ? key : P256.Signing.PrivateKey()
            let signature = try signer.signature(for: body).derRepresentation
            return Self.der(0x30, body + algorithm + Self.der(0x03, [0] + signature))
        }
    }

    private var subjectKeyInfo: [UInt8] { Array(key.publicKey.derRepresentation) }

    private var extensions: [UInt8] {
        let content = Array("libp2p-tls-handshake:".utf8) + subjectKeyInfo
        let signedKey = SignedKey(
            key: HostKey(host.publicKey).message,
            signature: HostKey.sign(content, with: hostSigner ?? host)
        )
        let value = Self.der(0x04, signedKey.der + afterHostKey)
        let hostKey = Self.der(0x30, Self.der(0x06, Self.hostKeyOID) + value)
        let unknown = Self.der(
            0x30,
            Self.der(0x06, Self.unknownOID) + [0x01, 0x01, 0xFF] + Self.der(0x04, [0x05, 0x00])
        )
        return Array(repeatElement(hostKey, count: hostKeyCount).joined())
            + (hasUnknownCriticalExtension ? unknown : [])
    }

    private static func der(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            }
        return [tag] + length + content
    }
}
