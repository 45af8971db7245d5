import Crypto
package import Keys
package import Market

/// The public key of a peer, with its protobuf message, from which the peer id is derived.
///
/// Stoa's nodes have secp256k1 keys; keys of Ed25519 and ECDSA (P-256) are verified too. RSA is
/// refused: a verification costs the peer nothing and this node much.
///
/// Source: libp2p specs, "Peer Ids and Keys", sections "Keys" and "Peer Ids".
package struct HostKey: Hashable, Sendable {
    private enum Kind: Hashable {
        case ed25519
        case secp256k1(PublicKey)
        case ecdsa
    }

    private enum Number {
        static let rsa: UInt64 = 0
        static let ed25519: UInt64 = 1
        static let secp256k1: UInt64 = 2
        static let ecdsa: UInt64 = 3
    }

    /// The message, as it is hashed into the peer id.
    package let message: [UInt8]

    private let kind: Kind
    private let data: [UInt8]

    package init(_ key: PublicKey) {
        data = key.compressed
        kind = .secp256k1(key)
        message = Self.message(Number.secp256k1, data)
    }

    /// Reads a key message, which must consist of exactly its two fields in order.
    package init(message: [UInt8]) throws(HostKeyError) {
        guard let fields = ProtobufFields(message, fieldsMax: 2), let type = fields.number(1),
            let data = fields.bytes(2), message == Self.message(type, data)
        else { throw .malformed }
        switch type {
        case Number.rsa: throw .rsa
        case Number.ed25519:
            guard data.count == 32 else { throw .notAKey }
            kind = .ed25519
        case Number.secp256k1:
            guard data.count == 33, let key = PublicKey(data) else { throw .notAKey }
            kind = .secp256k1(key)
        case Number.ecdsa:
            guard (try? P256.Signing.PublicKey(derRepresentation: data)) != nil else {
                // The library's reason adds nothing: the bytes are not a P-256 key.
                throw .notAKey
            }
            kind = .ecdsa
        default: throw .unknownType(type)
        }
        self.data = data
        self.message = message
    }

    /// The peer id: the identity multihash of a short message, SHA-256 of a longer one.
    package var peer: PeerID {
        if message.count <= 42 {
            return PeerID(multihash: [0, UInt8(message.count)] + message)
        }
        return PeerID(multihash: [0x12, 32] + SHA256.hash(data: message))
    }

    /// Whether `signature` over `content` was made with this key's private half.
    package func verifies(_ signature: [UInt8], of content: [UInt8]) -> Bool {
        switch kind {
        case .secp256k1(let key):
            Self.hash(content).map { key.verifiesDER(signature: signature, of: $0) } ?? false
        case .ed25519:
            // Bytes that are not a key verify nothing.
            (try? Curve25519.Signing.PublicKey(rawRepresentation: data))?
                .isValidSignature(signature, for: content) ?? false
        case .ecdsa:
            // Bytes that are not a signature verify nothing.
            (try? P256.Signing.ECDSASignature(derRepresentation: signature)).flatMap { parsed in
                (try? P256.Signing.PublicKey(derRepresentation: data))?
                    .isValidSignature(parsed, for: content)
            } ?? false
        }
    }

    /// Signs as a libp2p host: ECDSA over the content's SHA-256, in DER.
    package static func sign(_ content: [UInt8], with key: PrivateKey) -> [UInt8] {
        guard let hash = hash(content) else { preconditionFailure("SHA-256 has 32 bytes") }
        return key.signDER(hash)
    }

    private static func hash(_ content: [UInt8]) -> Bytes32? {
        Bytes32(Array(SHA256.hash(data: content)))
    }

    private static func message(_ type: UInt64, _ data: [UInt8]) -> [UInt8] {
        var message = WireWriter()
        message.member(1, type)
        message.member(2, data)
        return message.bytes
    }
}

/// Why bytes are not a public key that this node supports.
package enum HostKeyError: Error, Hashable, Sendable {
    /// Not exactly the two fields type and data.
    case malformed
    /// RSA keys are not supported.
    case rsa
    case unknownType(UInt64)
    /// The data is not a key of its type.
    case notAKey
}
