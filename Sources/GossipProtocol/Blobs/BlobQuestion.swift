package import Keys

/// A question for some chunks of a blob.
///
/// Source: Docs/protocol.md, section 11.5.
package struct BlobQuestion: Hashable, Sendable {
    package let id: Bytes32
    package let chunks: Range<Int>

    package init(id: Bytes32, chunks: Range<Int>) { (self.id, self.chunks) = (id, chunks) }
}
