package import Answers
import Client
import Crypto
import Foundation
package import Keys

/// Seals what the node stores for an account, so that only the account's password opens it.
///
/// AES-256-GCM under the account's local secret, with a random nonce in front. `place` states the
/// bytes' purpose and owner; they open nowhere else.
package struct LocalSeal: Sendable {
    private let secret: SecretBytes

    package init(_ secret: SecretBytes) {
        self.secret = secret
    }

    package func seal(_ bytes: [UInt8], for place: Context) throws -> [UInt8] {
        let box = try AES.GCM.seal(bytes, using: key, authenticating: place.bytes)
        guard let combined = box.combined else {
            preconditionFailure("a nonce of 12 bytes always combines")
        }
        return [UInt8](combined)
    }

    /// - Throws: `CryptoKitError` if the bytes belong to another account or place, or are damaged.
    package func open(_ sealed: [UInt8], for place: Context) throws -> [UInt8] {
        let box = try AES.GCM.SealedBox(combined: sealed)
        return [UInt8](try AES.GCM.open(box, using: key, authenticating: place.bytes))
    }

    /// Seals a key or another secret.
    package func seal(_ secret: SecretBytes, for place: Context) throws -> [UInt8] {
        let box = try unsafe secret.withBytes {
            try unsafe AES.GCM.seal($0, using: key, authenticating: place.bytes)
        }
        guard let combined = box.combined else {
            preconditionFailure("a nonce of 12 bytes always combines")
        }
        return [UInt8](combined)
    }

    /// Opens a key or another secret.
    ///
    /// - Throws: As ``open(_:for:)``.
    package func openSecret(_ sealed: [UInt8], for place: Context) throws -> SecretBytes {
        let box = try AES.GCM.SealedBox(combined: sealed)
        var opened = try AES.GCM.open(box, using: key, authenticating: place.bytes)
        defer { opened.resetBytes(in: opened.startIndex..<opened.endIndex) }
        return SecretBytes(copying: opened)
    }

    package func seal(_ value: some Encodable, for place: Context) throws -> [UInt8] {
        try seal([UInt8](try JSONEncoder().encode(value)), for: place)
    }

    package func open<Value: Decodable>(
        _ type: Value.Type,
        _ sealed: [UInt8],
        for place: Context
    ) throws -> Value {
        try JSONDecoder().decode(type, from: Data(try open(sealed, for: place)))
    }

    /// Returns a keyed digest that distinguishes these bytes from others at the same place.
    ///
    /// It reveals nothing about them without the secret; a plain hash of a short text would.
    package func digest(_ bytes: [UInt8], for place: Context) -> Bytes32 {
        let own = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key,
            info: Array("digest ".utf8) + place.bytes,
            outputByteCount: 32
        )
        let code = HMAC<SHA256>.authenticationCode(for: bytes, using: own)
        guard let digest = Bytes32(Array(code)) else {
            preconditionFailure("SHA-256 gives 32 bytes")
        }
        return digest
    }

    private var key: SymmetricKey {
        unsafe secret.withBytes { unsafe SymmetricKey(data: $0) }
    }

    /// The kind of sealed bytes, and the thing that they belong to.
    package struct Context: Sendable {
        fileprivate let bytes: [UInt8]

        /// A context is stated with each sealed value; no two contexts have the same bytes.
        package init(bytes: [UInt8]) { self.bytes = bytes }
    }
}

extension Refusal {
    /// The account is not signed in, and this needs what only its password opens.
    package static func locked(_ account: Address) -> Refusal {
        Refusal(.nodeLocked, Sentence("refusal.signInFirst", ["account": "\(account)"]))
    }
}
