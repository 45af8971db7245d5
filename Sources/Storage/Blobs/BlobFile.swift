package import Keys
package import Market

/// A whole blob that is open for reading; reading continues even if the file is evicted.
package struct BlobFile: Sendable {
    package let media: Media
    package let length: BlobLength
    private let tree: BlobTree
    private let descriptor: BlobDescriptor

    /// Opens a file whose hashes lead to the blob's id.
    ///
    /// - Throws: ``BlobFault/damaged``, ``StorageError``
    init(_ name: BlobName, _ descriptor: BlobDescriptor) throws {
        guard descriptor.byteCount == name.fileBytes,
            let bytes = try descriptor.read(count: name.hashesBytes, at: name.length.byteCount),
            let tree = BlobTree(leaves: BlobPart.hashes(in: bytes)), tree.root == name.media.id
        else { throw BlobFault.damaged }
        (media, length, self.tree, self.descriptor) = (name.media, name.length, tree, descriptor)
    }

    /// Returns a chunk, checked against its hash.
    ///
    /// - Throws: ``BlobFault/damaged``, ``StorageError``
    package func chunk(_ index: Int) throws -> [UInt8] {
        let range = length.range(of: index)
        guard let bytes = try descriptor.read(count: range.count, at: range.lowerBound),
            BlobHash.leaf(bytes) == tree.leaves[index]
        else { throw BlobFault.damaged }
        return bytes
    }

    /// Returns what proves a chunk.
    package func proof(of chunk: Int) -> [Bytes32] { tree.proof(of: chunk) }

    /// Returns the whole file, checked.
    ///
    /// - Throws: ``BlobFault/damaged``, ``StorageError``
    package func bytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length.byteCount)
        for index in 0..<length.chunkCount { bytes += try chunk(index) }
        return bytes
    }
}
