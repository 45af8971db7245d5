import AccountAccess
import Crypto
import Foundation
import Keys
import Mail
import Market

/// The encryption of a digital work's file.
extension StoredWork {
    /// The bytes that encryption adds.
    static let overhead = MailWork.overhead
    /// The maximum bytes of a file, so that its encrypted form can be exchanged.
    static let fileByteCountMax = Media.byteCountMax - overhead

    /// The encrypted file; `nil` if this is damaged.
    var media: Media? {
        Bytes32(hex: blob).map { Media(id: $0, byteCount: byteCount, form: .sealed) }
    }

    /// Whether it opens the same encrypted file as another.
    func hasKey(of other: StoredWork) -> Bool {
        (file, blob, byteCount, key) == (other.file, other.blob, other.byteCount, other.key)
    }

    /// Encrypts a file under its own key.
    ///
    /// AES-256-GCM with a random nonce in front of the ciphertext and the tag behind it; the file's
    /// SHA-256 is the associated data.
    static func encrypt(_ bytes: [UInt8]) throws -> (file: Bytes32, key: Bytes32, sealed: [UInt8]) {
        let file = Self.hash(bytes)
        let key = SymmetricKey(size: .bits256)
        let box = try AES.GCM.seal(bytes, using: key, authenticating: file.bytes)
        guard let combined = box.combined,
            let secret = unsafe key.withUnsafeBytes({ unsafe Bytes32(Array($0)) })
        else { preconditionFailure("a key has 32 bytes, and a nonce of 12 bytes combines") }
        return (file, secret, [UInt8](combined))
    }

    /// Decrypts the file, and checks that it has the SHA-256 that it should have.
    ///
    /// - Returns: `nil` if it does not open, or is another file.
    func decrypt(_ sealed: [UInt8], expecting identifier: String) -> [UInt8]? {
        guard let key = Bytes32(hex: key), let file = Bytes32(hex: file),
            ItemIdentifier(fileHash: file).text == identifier,
            let box = try? AES.GCM.SealedBox(combined: sealed),
            let clear = try? AES.GCM.open(
                box,
                using: SymmetricKey(data: key.bytes),
                authenticating: file.bytes
            )
        else { return nil }
        let bytes = [UInt8](clear)
        return ItemIdentifier(fileHash: Self.hash(bytes)).text == identifier ? bytes : nil
    }

    static func hash(_ bytes: [UInt8]) -> Bytes32 {
        guard let hash = Bytes32(Array(SHA256.hash(data: bytes))) else {
            preconditionFailure("a SHA-256 has 32 bytes")
        }
        return hash
    }
}

extension LocalSeal.Context {
    static func work(_ file: Bytes32) -> Self { Self(bytes: Array("work ".utf8) + file.bytes) }
}
