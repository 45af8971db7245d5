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

    /// Whether an account elsewhere gets a permit, which it then keeps.
    private static func takes(_ number: UInt8, by permits: FilePermits) -> Bool {
        (try? permits.take(for: address(number), isElsewhere: true)) != nil
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

    /// Permits for two transfers elsewhere, which accounts 1 and 2 have.
    private static func elsewhere(
        _ clock: ManualClock
    ) throws -> (permits: FilePermits, first: FilePermits.Transfer, second: FilePermits.Transfer) {
        let permits = FilePermits(
            permitsMax: 4,
            accountPermitsMax: 2,
            hereMax: 2,
            clock: clock
        )
        return (
            permits, try permits.take(for: address(1), isElsewhere: true),
            try permits.take(for: address(2), isElsewhere: true)
        )
    }

    /// Lets time pass in which bytes come fast enough.
    private static func pass(_ seconds: Int, _ clock: ManualClock, _ held: FilePermits.Transfer...)
    {
        clock.advance(.seconds(seconds))
        for (place, transfer) in held.enumerated() {
            transfer.note(seconds * (FilePermits.paceMin + 1_000 + place))
        }
    }

    @Test func `a long transfer goes on until an account without any needs its permit`() throws {
        let clock = ManualClock()
        let (permits, slower, faster) = try Self.elsewhere(clock)
        Self.pass(19, clock, slower, faster)
        #expect(throws: Refusal.self) { try permits.take(for: Self.address(3), isElsewhere: true) }
        Self.pass(1, clock, slower, faster)
        _ = try permits.take(for: Self.address(3), isElsewhere: true)
        #expect(permits.holders == [Self.address(2), Self.address(3)])
        // The one that lost has had as much as the one that stayed.
        Self.pass(4, clock, faster)
        #expect(throws: Refusal.self) { try permits.take(for: Self.address(1), isElsewhere: true) }
        // Nobody waits, so it ends whenever it does.
        Self.pass(600, clock, faster)
        #expect(permits.holders == [Self.address(2), Self.address(3)])
    }

    @Test func `accounts that send slowly in turn do not keep out another`() throws {
        let clock = ManualClock()
        let (permits, first, second) = try Self.elsewhere(clock)
        var held = [first, second]
        Self.pass(20, clock, first, second)
        for _ in 0..<10 {
            // A small picture, whose permit nobody takes meanwhile.
            let own = try permits.take(for: Self.address(3), isElsewhere: true)
            for number in 1...2 as ClosedRange<UInt8> {
                #expect(!Self.takes(number, by: permits))
            }
            clock.advance(.seconds(0.8))
            #expect(permits.holders.contains(Self.address(3)))
            permits.giveBack(own)
            // Whoever lost a permit takes the one that is free again.
            let free: UInt8 = permits.holders == [Self.address(1)] ? 2 : 1
            held.append(try permits.take(for: Self.address(free), isElsewhere: true))
            Self.pass(2, clock)
            for transfer in held { transfer.note(100_000) }
        }
    }

    @Test func `files that are sent one after the other count like a long one`() throws {
        let clock = ManualClock()
        let (permits, first, second) = try Self.elsewhere(clock)
        var held = [(1, first), (2, second)] as [(UInt8, FilePermits.Transfer)]
        for _ in 0..<10 {
            clock.advance(.seconds(2))
            for (_, transfer) in held { permits.giveBack(transfer) }
            held = try held.map {
                ($0.0, try permits.take(for: Self.address($0.0), isElsewhere: true))
            }
        }
        clock.advance(.seconds(2))
        _ = try permits.take(for: Self.address(3), isElsewhere: true)
        #expect(permits.holders.contains(Self.address(3)))
    }

    @Test func `a turn elsewhere takes no permit of this machine`() throws {
        let clock = ManualClock()
        let permits = FilePermits(permitsMax: 2, accountPermitsMax: 2, hereMax: 1, clock: clock)
        let transfer = try permits.take(for: Self.address(1))
        Self.pass(60, clock, transfer)
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
