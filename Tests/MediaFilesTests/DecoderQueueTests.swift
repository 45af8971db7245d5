import Keys
import Support
import Testing

@testable import MediaFiles

/// Whose picture is decoded next.
struct DecoderQueueTests {
    private static func here(_ number: UInt8) -> PictureOwner {
        PictureOwner(account: testKey(number).address)
    }

    private static func elsewhere(_ number: UInt8) -> PictureOwner {
        PictureOwner(account: testKey(number).address, isElsewhere: true)
    }

    @Test func `one decoder is never for other machines`() {
        var queue = DecoderQueue(runningMax: 2)
        queue.enter(Self.elsewhere(1), as: 1)
        queue.enter(Self.elsewhere(2), as: 2)
        #expect(queue.next() == 1)
        #expect(queue.next() == nil)
        queue.enter(Self.here(3), as: 3)
        #expect(queue.next() == 3)
        queue.leave(Self.elsewhere(1))
        #expect(queue.next() == 2)
        #expect(queue.waitingCount == 0)
    }

    @Test func `a single decoder is for all`() {
        var queue = DecoderQueue(runningMax: 1)
        queue.enter(Self.elsewhere(1), as: 1)
        queue.enter(Self.here(2), as: 2)
        #expect(queue.next() == 1)
        #expect(queue.next() == nil)
        queue.leave(Self.elsewhere(1))
        #expect(queue.next() == 2)
    }

    @Test func `accounts take turns, however many pictures one of them adds`() {
        var queue = DecoderQueue(runningMax: 2)
        for number in 1...4 as ClosedRange<UInt64> { queue.enter(Self.here(1), as: number) }
        #expect(queue.next() == 1)
        #expect(queue.next() == 2)
        queue.enter(Self.here(2), as: 5)
        queue.enter(.peers, as: 6)
        queue.leave(Self.here(1))
        #expect(queue.next() == 5)
        queue.leave(Self.here(1))
        #expect(queue.next() == 3)
        queue.leave(Self.here(2))
        #expect(queue.next() == 6)
        queue.leave(.peers)
        #expect(queue.next() == 4)
    }

    @Test func `an account whose picture took too much comes after the others`() {
        var queue = DecoderQueue(runningMax: 2)
        queue.note(Self.elsewhere(1), isCostly: true)
        queue.enter(Self.elsewhere(1), as: 1)
        queue.enter(Self.elsewhere(2), as: 2)
        queue.enter(Self.elsewhere(3), as: 3)
        queue.enter(Self.elsewhere(3), as: 4)
        for number in 2...4 as ClosedRange<UInt64> {
            #expect(queue.next() == number)
            queue.leave(Self.elsewhere(number == 2 ? 2 : 3))
        }
        #expect(queue.next() == 1)
        queue.leave(Self.elsewhere(1))
        // Another picture makes up for it.
        queue.note(Self.elsewhere(1), isCostly: false)
        queue.enter(Self.elsewhere(1), as: 5)
        queue.enter(Self.elsewhere(2), as: 6)
        #expect(queue.next() == 5)
    }

    @Test func `another node's picture that took too much holds up no other node's`() {
        var queue = DecoderQueue(runningMax: 2)
        queue.note(.peers, isCostly: true)
        queue.enter(.peers, as: 1)
        queue.enter(Self.here(1), as: 2)
        #expect(queue.next() == 1)
    }

    @Test func `a picture that is given up leaves its turn to the next`() {
        var queue = DecoderQueue(runningMax: 1)
        for number in 1...3 as ClosedRange<UInt64> {
            queue.enter(Self.here(UInt8(number)), as: number)
        }
        #expect(queue.next() == 1)
        #expect(queue.giveUp(2) == true)
        #expect(queue.giveUp(2) == false)
        #expect(queue.giveUp(1) == false)
        queue.leave(Self.here(1))
        #expect(queue.next() == 3)
    }
}

/// Callers that wait for a decoder.
@Suite(.timeLimit(.minutes(1)))
struct DecoderTurnsTests {
    @Test func `a cancelled caller leaves the queue, and its decoder is free again`() async throws {
        let turns = DecoderTurns(decodersMax: 1)
        let owner = PictureOwner(account: testKey(1).address)
        var held: DecoderTurns.Permit? = try await turns.wait(for: owner)
        let waiting = Task { try await turns.wait(for: owner) }
        while turns.waitingCount == 0 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        #expect(turns.waitingCount == 0)
        let next = Task {
            let permit = try await turns.wait(for: .peers)
            return withExtendedLifetime(permit) { true }
        }
        while turns.waitingCount == 0 { await Task.yield() }
        withExtendedLifetime(held) {}
        held = nil
        #expect(try await next.value)
    }
}
