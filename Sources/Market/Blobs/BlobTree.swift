package import Keys

/// The hash tree over a blob's chunks, which proves each of them against the blob's id.
///
/// Each level joins the hashes of the level below in pairs; a last one without a neighbour is
/// carried up unchanged.
///
/// Source: Docs/protocol.md, section 11.2.
package struct BlobTree: Hashable, Sendable {
    /// The levels from the chunks' hashes to the root.
    private let levels: [[Bytes32]]

    /// Takes the hashes of all chunks, in order; `nil` if there are none or too many.
    package init?(leaves: [Bytes32]) {
        guard (1...BlobLength.chunksMax).contains(leaves.count) else { return nil }
        var levels = [leaves]
        var level = leaves
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map { index in
                index + 1 < level.count
                    ? BlobHash.node(level[index], level[index + 1]) : level[index]
            }
            levels.append(level)
        }
        self.levels = levels
    }

    /// Builds the tree of a file; `nil` if it is empty or too long to be a blob.
    package init?(of bytes: [UInt8]) {
        guard let length = BlobLength(bytes.count) else { return nil }
        self.init(
            leaves: (0..<length.chunkCount).map { BlobHash.leaf(bytes[length.range(of: $0)]) }
        )
    }

    package var leaves: [Bytes32] { levels[0] }

    /// The blob's id.
    package var root: Bytes32 { levels[levels.count - 1][0] }

    /// Returns what proves a chunk: the neighbours on the way from its hash to the root.
    package func proof(of chunk: Int) -> [Bytes32] {
        precondition(leaves.indices.contains(chunk), "there is no chunk \(chunk)")
        var place = chunk
        var proof: [Bytes32] = []
        for level in levels {
            let neighbour = place ^ 1
            if neighbour < level.count { proof.append(level[neighbour]) }
            place /= 2
        }
        return proof
    }

    /// The maximum number of hashes in the proof of one chunk.
    package static let proofMax: Int = {
        let chunks = BlobLength.chunksMax
        return Int.bitWidth - (chunks - 1).leadingZeroBitCount
    }()

    /// Whether a proof leads from the hash of one of `count` chunks to a blob's id.
    package static func proves(
        _ leaf: Bytes32,
        at chunk: Int,
        of count: Int,
        by proof: [Bytes32],
        root: Bytes32
    ) -> Bool {
        guard (0..<count).contains(chunk), count <= BlobLength.chunksMax else { return false }
        var (place, width, hash) = (chunk, count, leaf)
        var rest = proof[...]
        while width > 1 {
            if place ^ 1 < width {
                guard let neighbour = rest.popFirst() else { return false }
                hash =
                    place.isMultiple(of: 2)
                    ? BlobHash.node(hash, neighbour) : BlobHash.node(neighbour, hash)
            }
            place /= 2
            width = (width + 1) / 2
        }
        return rest.isEmpty && hash == root
    }
}
