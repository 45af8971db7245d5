import Keys

/// Computes a blob's id while its bytes arrive; it buffers one chunk at most.
///
/// Source: Docs/protocol.md, section 11.2.
package struct BlobRoot: Sendable {
    private var leaves: [Bytes32] = []
    private var chunk: [UInt8] = []
    /// The bytes so far; beyond the bound they are only counted.
    package private(set) var byteCount = 0

    package init() {}

    /// Takes the next bytes, as many as there are.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        byteCount += bytes.count
        guard byteCount <= Media.byteCountMax else {
            // Nothing is kept of a file that cannot be a blob.
            (leaves, chunk) = ([], [])
            return
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(BlobLength.chunkByteCountMax - chunk.count)
            chunk += part
            rest = rest.dropFirst(part.count)
            if chunk.count == BlobLength.chunkByteCountMax { endChunk() }
        }
    }

    /// Returns the tree over all bytes; `nil` if they are none or too many.
    package consuming func tree() -> BlobTree? {
        guard BlobLength(byteCount) != nil else { return nil }
        if !chunk.isEmpty { endChunk() }
        return BlobTree(leaves: leaves)
    }

    private mutating func endChunk() {
        leaves.append(BlobHash.leaf(chunk))
        chunk.removeAll(keepingCapacity: true)
    }
}
