import Keys
import Market

/// A blob that is being fetched; its chunks stay on the disk, for the next try.
final class BlobPart {
    let media: Media
    let length: BlobLength
    private let descriptor: BlobDescriptor
    private var leaves: [Bytes32]

    /// Opens the file of an incomplete blob, or creates it, and finds the chunks in it.
    ///
    /// Nothing was flushed while chunks arrived, so after a crash a chunk may differ from its hash;
    /// it counts as missing.
    init(_ name: BlobName, _ descriptor: BlobDescriptor) throws(StorageError) {
        (media, length, self.descriptor) = (name.media, name.length, descriptor)
        leaves = Array(repeating: .zero, count: name.length.chunkCount)
        guard descriptor.byteCount == name.fileBytes else {
            // From zero, so that nothing of another form is left.
            try descriptor.setLength(0)
            try descriptor.setLength(name.fileBytes)
            return
        }
        let hashes = try descriptor.read(count: name.hashesBytes, at: length.byteCount) ?? []
        for (index, leaf) in Self.hashes(in: hashes).enumerated() where leaf != .zero {
            let range = length.range(of: index)
            let bytes = try descriptor.read(count: range.count, at: range.lowerBound)
            if let bytes, BlobHash.leaf(bytes) == leaf { leaves[index] = leaf }
        }
    }

    /// The chunks that have not arrived yet, in order.
    var missing: [Int] { leaves.indices.filter { leaves[$0] == .zero } }

    /// The chunks that have arrived, with the hashes of all chunks.
    var storedBytes: Int {
        let missingBytes = missing.reduce(0) { $0 + length.range(of: $1).count }
        return length.byteCount - missingBytes + leaves.count * Bytes32.byteCount
    }

    /// Whether no chunk has arrived.
    var isEmpty: Bool { leaves.allSatisfy { $0 == .zero } }

    /// Keeps a chunk, which the caller has checked against the blob's id.
    func put(_ bytes: [UInt8], at index: Int) throws(StorageError) {
        let range = length.range(of: index)
        precondition(bytes.count == range.count, "a chunk of another length was not checked")
        let leaf = BlobHash.leaf(bytes)
        try descriptor.write(bytes, at: range.lowerBound)
        try descriptor.write(leaf.bytes, at: length.byteCount + index * Bytes32.byteCount)
        leaves[index] = leaf
    }

    /// Whether all chunks are here and lead to the blob's id.
    var isWhole: Bool { missing.isEmpty && BlobTree(leaves: leaves)?.root == media.id }

    func flush() throws(StorageError) { try descriptor.flush() }

    /// Reads the hashes of the chunks, one after the other.
    static func hashes(in bytes: [UInt8]) -> [Bytes32] {
        stride(from: 0, to: bytes.count, by: Bytes32.byteCount).compactMap {
            Bytes32(bytes[$0..<min(bytes.count, $0 + Bytes32.byteCount)])
        }
    }
}
