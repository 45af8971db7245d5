import Answers
import Client
import Concurrency
import Keys
import Support
import Synchronization
import Testing

@testable import MediaFiles

/// Who gets the permits for files that are on their way.
struct FilePermitsTests {
    private static func address(_ number: UInt8) -> Address { testKey(number).address }

    private static func isRefused(_ number: UInt8, by permits: FilePermits) -> Bool {
        do {
            permits.giveBack(try permits.take(for: address(number)))
            return false
        } catch {
            return error.code == .tooManyTries && error.retryAfter != nil
        }
    }

    /// - From people: more than two transfers of works of an account at a time, to the node or to a
    ///   buyer; eight in all → too_many_tries, with `Retry-After`
    @Test func `an account has two permits and leaves others theirs`() throws {
        let permits = FilePermits(permitsMax: 5, accountPermitsMax: 2)
        func take(_ number: UInt8) throws -> FilePermits.Transfer {
            try permits.take(for: Self.address(number))
        }
        var held = [try take(1), try take(1)]
        #expect(Self.isRefused(1, by: permits) && !Self.isRefused(2, by: permits))
        held += [try take(2), try take(2), try take(3)]
        // All are taken, and nobody has more than this account would then have.
        #expect(Self.isRefused(3, by: permits))
        permits.giveBack(held.removeFirst())
        #expect(!Self.isRefused(1, by: permits) && !Self.isRefused(4, by: permits))
        for transfer in held { permits.giveBack(transfer) }
        for number in 1...4 as ClosedRange<UInt8> {
            #expect(!Self.isRefused(number, by: permits))
        }
    }

    /// Accounts that keep their permits until they lose them.
    private final class Holders: Sendable {
        let count = Mutex(0)
        private let permits: FilePermits

        init(_ permits: FilePermits) { self.permits = permits }

        func hold(_ account: Address) async throws {
            try await permits.with(for: account) { _ in
                self.count.withLock { $0 += 1 }
                try await SystemMonotonicClock().wait(.seconds(3_600))
            }
        }
    }

    @Test func `accounts that hold all permits lose one to an account without any`() async throws {
        let permits = FilePermits(permitsMax: 4, accountPermitsMax: 2)
        let holders = Holders(permits)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in [1, 1, 2, 2] as [UInt8] {
                group.addTask { try await holders.hold(Self.address(number)) }
            }
            try await waitUntil { holders.count.withLock { $0 } == 4 }
            try await permits.with(for: Self.address(3)) { _ in }
            // Whose transfer it was hears so at once.
            let ended = await group.nextResult()
            #expect(throws: Refusal.self) { try ended?.get() }
            group.cancelAll()
        }
        #expect(!Self.isRefused(1, by: permits))
    }

    @Test func `a transfer that is too slow loses its permit, whoever has it`() throws {
        let clock = ManualClock()
        let permits = FilePermits(permitsMax: 2, accountPermitsMax: 2, clock: clock)
        let (quick, slow) = (
            try permits.take(for: Self.address(1)), try permits.take(for: Self.address(2))
        )
        clock.advance(.seconds(4))
        // Its pace does not count yet.
        #expect(Self.isRefused(3, by: permits))
        clock.advance(.seconds(6))
        quick.note(400_000)
        slow.note(100_000)
        _ = try permits.take(for: Self.address(3))
        clock.advance(.seconds(4))
        // Two are quick or new, and each account has one.
        #expect(Self.isRefused(4, by: permits))
        // What has come is not slow while the node works on it.
        quick.complete()
        clock.advance(.seconds(0.5))
        #expect(Self.isRefused(4, by: permits))
    }

    @Test func `accounts elsewhere with one transfer each take turns`() throws {
        let permits = FilePermits(permitsMax: 4, accountPermitsMax: 2, hereMax: 2)
        func take(_ number: UInt8, isElsewhere: Bool = true) throws -> FilePermits.Transfer {
            try permits.take(for: Self.address(number), isElsewhere: isElsewhere)
        }
        let first = try take(1)
        _ = try take(2)
        // Nobody has had a turn yet.
        #expect(throws: Refusal.self) { try take(3) }
        permits.giveBack(first)
        let again = try take(1)
        let other = try take(3)
        // It was the second one's transfer that stayed, and losing one is no turn.
        permits.giveBack(again)
        #expect(throws: Refusal.self) { try take(1) }
        permits.giveBack(other)
        _ = try take(1)
        // The third one's turn was last; the first one's was before, and the second one has had none.
        #expect(throws: Refusal.self) { try take(3) }
        _ = try take(4)
        #expect(throws: Refusal.self) { try take(1) }
    }

    @Test func `a turn elsewhere takes no permit of this machine`() throws {
        let permits = FilePermits(permitsMax: 2, accountPermitsMax: 2, hereMax: 1)
        permits.giveBack(try permits.take(for: Self.address(1)))
        _ = try permits.take(for: Self.address(1))
        #expect(throws: Refusal.self) {
            try permits.take(for: Self.address(2), isElsewhere: true)
        }
    }

    @Test func `some permits are kept for this machine`() throws {
        let permits = FilePermits(permitsMax: 3, accountPermitsMax: 1, hereMax: 1)
        for number in 1...2 as ClosedRange<UInt8> {
            _ = try permits.take(for: Self.address(number), isElsewhere: true)
        }
        #expect(throws: Refusal.self) {
            try permits.take(for: Self.address(3), isElsewhere: true)
        }
        _ = try permits.take(for: Self.address(3))
    }
}
