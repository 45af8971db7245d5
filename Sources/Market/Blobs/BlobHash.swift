import Crypto
package import Keys

/// The hashes of a blob's tree.
///
/// Source: Docs/protocol.md, section 11.2.
package enum BlobHash {
    private static let leafPrefix: UInt8 = 0
    private static let nodePrefix: UInt8 = 1

    /// Returns the hash of a chunk.
    package static func leaf(_ chunk: some Collection<UInt8>) -> Bytes32 {
        var hash = SHA256()
        hash.update(data: [leafPrefix])
        hash.update(data: Array(chunk))
        return value(of: hash)
    }

    /// Returns the hash of two neighbours of one level.
    package static func node(_ left: Bytes32, _ right: Bytes32) -> Bytes32 {
        var hash = SHA256()
        hash.update(data: [nodePrefix])
        hash.update(data: left.bytes)
        hash.update(data: right.bytes)
        return value(of: hash)
    }

    private static func value(of hash: SHA256) -> Bytes32 {
        guard let value = Bytes32(Array(hash.finalize())) else {
            preconditionFailure("SHA-256 has 32 bytes")
        }
        return value
    }
}
