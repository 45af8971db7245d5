import Keys
import Support
import Testing

@testable import MediaFiles

/// Whose picture is decoded next.
struct DecoderQueueTests {
    private static func here(_ number: UInt8) -> PictureOwner {
        PictureOwner(caller: .account(testKey(number).address))
    }

    private static func elsewhere(_ number: UInt8) -> PictureOwner {
        PictureOwner(caller: .account(testKey(number).address), isElsewhere: true)
    }

    /// Another node's picture, of which an account asks for a smaller version.
    private static func peers(_ number: UInt8) -> PictureOwner {
        PictureOwner(caller: .account(testKey(number).address), isPeers: true)
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
        queue.enter(Self.peers(3), as: 6)
        queue.leave(Self.here(1))
        #expect(queue.next() == 5)
        queue.leave(Self.here(1))
        #expect(queue.next() == 3)
        queue.leave(Self.here(2))
        #expect(queue.next() == 6)
        queue.leave(Self.peers(3))
        #expect(queue.next() == 4)
    }

    @Test func `the account whose pictures took the least time of late is next`() {
        var queue = DecoderQueue(runningMax: 2)
        func decode(_ number: UInt8, _ time: Duration, at now: Duration) {
            queue.enter(Self.elsewhere(number), as: 0)
            #expect(queue.next(at: now) == 0)
            queue.leave(Self.elsewhere(number), after: time, at: now)
        }
        // A picture that succeeds counts like one that is killed; two short ones hardly do.
        decode(1, .seconds(9), at: .zero)
        decode(2, .seconds(3), at: .zero)
        decode(3, .seconds(0.4), at: .zero)
        decode(3, .seconds(0.4), at: .zero)
        for (number, account) in [(1, 1), (2, 2), (3, 3), (4, 3), (5, 4)] as [(UInt64, UInt8)] {
            queue.enter(Self.elsewhere(account), as: number)
        }
        for (number, account) in [(3, 3), (4, 3), (5, 4), (2, 2), (1, 1)] as [(UInt64, UInt8)] {
            #expect(queue.next() == number)
            queue.leave(Self.elsewhere(account))
        }
        // After some time it is forgotten.
        queue.enter(Self.elsewhere(1), as: 6)
        queue.enter(Self.elsewhere(4), as: 7)
        #expect(queue.next(at: .seconds(170)) == 6)
    }

    @Test func `an account owes at most half a minute`() {
        var queue = DecoderQueue(runningMax: 1)
        for _ in 0..<100 { queue.leave(Self.here(1), after: .seconds(15)) }
        for (now, first) in [(570, 2), (590, 1)] as [(Int, UInt64)] {
            queue.enter(Self.here(1), as: 1)
            queue.enter(Self.here(2), as: 2)
            #expect(queue.next(at: .seconds(now)) == first)
            queue.leave(Self.here(UInt8(first)), at: .seconds(now))
            #expect(queue.giveUp(3 - first) == true)
        }
    }

    @Test func `a caller who asks for many smaller versions waits longer than others`() {
        var queue = DecoderQueue(runningMax: 2)
        for number in 1...4 as ClosedRange<UInt64> { queue.enter(Self.peers(1), as: number) }
        let reader = PictureOwner(caller: .network("192.0.2.1"), isPeers: true)
        #expect(queue.next() == 1)
        // One at a time is made, and both who are signed in and who are not take turns.
        queue.enter(reader, as: 5)
        #expect(queue.next() == nil)
        queue.leave(Self.peers(1), after: .seconds(2))
        #expect(queue.next() == 5)
        queue.leave(reader, after: .seconds(1))
        queue.enter(reader, as: 6)
        #expect(queue.next() == 6)
        // The other decoder is for pictures that are added; an account's time is that of all.
        queue.enter(Self.elsewhere(1), as: 7)
        queue.enter(Self.elsewhere(2), as: 8)
        #expect(queue.next() == 8)
        queue.leave(reader)
        #expect(queue.next() == 2)
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
        let owner = PictureOwner(caller: .account(testKey(1).address))
        var held: DecoderTurns.Permit? = try await turns.wait(for: owner)
        let waiting = Task { try await turns.wait(for: owner) }
        while turns.waitingCount == 0 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        #expect(turns.waitingCount == 0)
        let next = Task {
            let permit = try await turns.wait(for: PictureOwner(caller: .thisMachine))
            return withExtendedLifetime(permit) { true }
        }
        while turns.waitingCount == 0 { await Task.yield() }
        withExtendedLifetime(held) {}
        held = nil
        #expect(try await next.value)
    }

    @Test func `a caller pays for the time of its decoder, even if it hangs up`() async throws {
        let clock = ManualClock()
        let turns = DecoderTurns(decodersMax: 1, clock: clock)
        let owners = [1, 2].map { PictureOwner(caller: .account(testKey($0).address)) }
        var held: DecoderTurns.Permit? = try await turns.wait(for: owners[0])
        withExtendedLifetime(held) { clock.advance(.seconds(3)) }
        held = nil
        held = try await turns.wait(for: PictureOwner(caller: .thisMachine))
        let later = Task { try await turns.wait(for: owners[0]) }
        while turns.waitingCount < 1 { await Task.yield() }
        let sooner = Task { try await turns.wait(for: owners[1]) }
        while turns.waitingCount < 2 { await Task.yield() }
        withExtendedLifetime(held) {}
        held = nil
        let permit = try await sooner.value
        withExtendedLifetime(permit) { #expect(turns.waitingCount == 1) }
        later.cancel()
    }
}
