/// The length of a file that can be a blob, and the chunks it is cut into.
///
/// Source: Docs/protocol.md, section 11.1.
package struct BlobLength: Hashable, Comparable, Sendable {
    /// The size of each chunk but the last, 64 KiB.
    package static let chunkByteCountMax = 65_536
    /// The chunks of the longest file.
    package static let chunksMax = Int(Media.byteCountMax) / chunkByteCountMax

    package let byteCount: Int

    /// Takes a number from 1 to 15 MiB; `nil` for any other.
    package init?(_ byteCount: some BinaryInteger) {
        guard byteCount > 0, byteCount <= Media.byteCountMax else { return nil }
        self.byteCount = Int(byteCount)
    }

    package var chunkCount: Int {
        (byteCount + Self.chunkByteCountMax - 1) / Self.chunkByteCountMax
    }

    /// Returns the range of a chunk's bytes in the file.
    package func range(of chunk: Int) -> Range<Int> {
        precondition((0..<chunkCount).contains(chunk), "there is no chunk \(chunk)")
        let start = chunk * Self.chunkByteCountMax
        return start..<min(start + Self.chunkByteCountMax, byteCount)
    }

    package static func < (left: BlobLength, right: BlobLength) -> Bool {
        left.byteCount < right.byteCount
    }
}
