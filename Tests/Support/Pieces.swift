import Concurrency
package import NIOCore

/// A body that comes in pieces.
package struct Pieces: AsyncSequence, Sendable {
    private let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rest: ArraySlice<UInt8>

        package mutating func next() async throws -> ByteBuffer? {
            let piece = rest.prefix(1_000)
            rest = rest.dropFirst(1_000)
            return piece.isEmpty ? nil : ByteBuffer(bytes: piece)
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes[...]) }
}

/// A body of which nothing comes, until it is cancelled.
package struct Halted: AsyncSequence, Sendable {
    package init() {}

    package struct AsyncIterator: AsyncIteratorProtocol {
        package mutating func next() async throws -> ByteBuffer? {
            _ = await BoundedQueue<Never>(elementsMax: 1).receive()
            try Task.checkCancellation()
            return nil
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
