import NIOCore

/// The content of a request, part by part, so that a caller can see its progress.
struct UploadBody: AsyncSequence, Sendable {
    /// The bytes of a part.
    static let partBytes = 65_536

    let bytes: ByteBuffer
    /// Called with the number of bytes that were handed over, from 0 to all.
    let progress: @Sendable (Int) -> Void

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ByteBuffer
        let count: Int
        let progress: @Sendable (Int) -> Void

        mutating func next() async -> ByteBuffer? {
            // The previous part is on its way by now.
            progress(count - rest.readableBytes)
            guard rest.readableBytes > 0 else { return nil }
            return rest.readSlice(length: Swift.min(UploadBody.partBytes, rest.readableBytes))
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: bytes, count: bytes.readableBytes, progress: progress)
    }
}
