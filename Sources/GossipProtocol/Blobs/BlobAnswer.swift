package import Keys
package import Market

/// One message of the answer to a question: a chunk, or the reason for none.
///
/// Source: Docs/protocol.md, section 11.6.
package enum BlobAnswer: Hashable, Sendable {
    case refused(BlobRefusal)
    case chunk(BlobChunk)
}

/// A chunk with its proof.
package struct BlobChunk: Hashable, Sendable {
    /// The blob's length, according to the peer that sends the chunk.
    package let length: BlobLength
    package let index: Int
    package let bytes: [UInt8]
    package let proof: [Bytes32]

    package init(length: BlobLength, index: Int, bytes: [UInt8], proof: [Bytes32]) {
        (self.length, self.index, self.bytes, self.proof) = (length, index, bytes, proof)
    }

    /// Whether it is this chunk of the blob.
    package func isProved(of id: Bytes32) -> Bool {
        (0..<length.chunkCount).contains(index) && bytes.count == length.range(of: index).count
            && BlobTree.proves(
                BlobHash.leaf(bytes),
                at: index,
                of: length.chunkCount,
                by: proof,
                root: id
            )
    }
}

/// Why a peer gives no chunk.
///
/// The numbers are on the wire and never change.
///
/// Source: Docs/protocol.md, section 11.6.
package enum BlobRefusal: UInt32, Error, CaseIterable, Sendable {
    /// It does not have the whole blob, or none of its public records names the blob.
    case unheld = 1
    /// The blob has no such chunk.
    case noSuchChunk = 2
    /// The peer, or its address, asks for more than its share.
    case tooOften = 3
    /// It cannot answer now, through no fault of the asker.
    case unable = 4

    /// A short constant name, for figures.
    package var name: String {
        switch self {
        case .unheld: "unheld"
        case .noSuchChunk: "no_such_chunk"
        case .tooOften: "too_often"
        case .unable: "unable"
        }
    }
}
