import Concurrency
import GossipProtocol
import NIOCore

/// A handle by which tasks use one stream of a link, before and after its protocol is agreed.
struct StreamHandle: Sendable {
    let id: YamuxStreamID
    let channel: NIOLoopBound<LinkChannel>
    /// The bytes of messages that a task is reading from the stream.
    let messages: LedgerEntry
    /// The budget for the link's answers.
    let answerBytes: AsyncSemaphore

    private var loop: any EventLoop { channel.eventLoop }

    func read(atMost bytesMax: Int, within limit: Duration?) async throws -> [UInt8]? {
        precondition(bytesMax > 0, "a read of \(bytesMax) bytes would never end")
        let done = loop.makePromise(of: [UInt8]?.self)
        return try await resettingWhenCancelled(done) {
            loop.execute { channel.value.read(self, atMost: bytesMax, within: limit, done) }
        }
    }

    func write(_ bytes: [UInt8], within limit: Duration?) async throws {
        let done = loop.makePromise(of: Void.self)
        try await resettingWhenCancelled(done) {
            loop.execute { channel.value.write(self, bytes, within: limit, done) }
        }
    }

    func finish() async throws {
        let done = loop.makePromise(of: Void.self)
        loop.execute { channel.value.finish(self, done) }
        try await done.futureResult.get()
    }

    func reset() {
        loop.execute { channel.value.reset(self) }
    }

    /// Closes the stream; call it once no task uses the stream.
    func abandon() {
        loop.execute { channel.value.abandon(self) }
    }

    private func resettingWhenCancelled<Value: Sendable>(
        _ done: EventLoopPromise<Value>,
        _ start: () -> Void
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            start()
            return try await done.futureResult.get()
        } onCancel: {
            loop.execute {
                // First, so that the call ends as cancelled: a promise keeps its first outcome.
                done.fail(CancellationError())
                channel.value.reset(self)
            }
        }
    }
}
