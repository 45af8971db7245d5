import Concurrency
import Testing

@testable import NodeAPI

/// Work for a client that may hang up.
@Suite(.timeLimit(.minutes(1)))
struct HangUpTests {
    /// Work that waits until it is cancelled.
    private static let endless: @Sendable () async throws -> Int = {
        _ = await BoundedQueue<Never>(elementsMax: 1).receive()
        try Task.checkCancellation()
        return 0
    }

    @Test func `work for a client that stays has its result`() async throws {
        #expect(try await HangUp().during { 7 } == 7)
    }

    @Test func `a client that hangs up cancels its work, and that is not a stop`() async {
        let hangUp = HangUp()
        let work = Task { try await hangUp.during(Self.endless) }
        hangUp.happen()
        await #expect(throws: ClientHungUp.self) { _ = try await work.value }
        // So does one that has hung up before.
        await #expect(throws: ClientHungUp.self) { _ = try await hangUp.during(Self.endless) }
    }

    @Test func `work that its cancellation does not end is answered`() async throws {
        let hangUp = HangUp()
        hangUp.happen()
        let value = try await hangUp.during {
            _ = await BoundedQueue<Never>(elementsMax: 1).receive()
            return 7
        }
        #expect(value == 7)
    }

    @Test func `a stop of the node is not taken for a client that hangs up`() async {
        let work = Task { try await HangUp().during(Self.endless) }
        work.cancel()
        await #expect(throws: CancellationError.self) { _ = try await work.value }
        let other = HangUp()
        await #expect(throws: CancellationError.self) {
            _ = try await other.during { () async throws -> Int in throw CancellationError() }
        }
    }
}
