package import Keys
package import Market

/// The blobs that this node gives to anybody who asks.
package protocol BlobSource: Sendable {
    /// Returns a blob if this node has all of it and a stored public record names it; otherwise
    /// `nil`.
    func openBlob(_ id: Bytes32) async throws -> (any ServedBlob)?
}

/// A blob that is open for reading.
package protocol ServedBlob: Sendable {
    var length: BlobLength { get }

    /// Returns a chunk; throws if the chunk does not fit its proof.
    func chunk(_ index: Int) async throws -> [UInt8]

    /// Returns what proves a chunk.
    func proof(of chunk: Int) -> [Bytes32]
}
