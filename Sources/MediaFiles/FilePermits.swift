import Answers
import Client
package import Concurrency
package import Keys
import Synchronization

/// Permits for incoming files; one account has only some of them.
///
/// Laws:
/// - An account never has more than `accountPermitsMax`, nor all of them together more than
///   `permitsMax`; of these, `hereMax` are for callers on this machine alone.
/// - If none is free, an account that asks takes one from a transfer that is too slow. If no
///   transfer is too slow, it takes the permit of the slowest transfer of the account that has the
///   most, unless it would then have as many itself. If that is so and it has no transfer, it takes
///   one of an account that has held permits at least ``turn`` longer than itself recently: the
///   slowest of those, or the newest of the account that held them longest if no pace counts. A
///   caller of another machine takes only from such callers in this way.
/// - A transfer that loses its permit is cancelled at once.
///
/// So neither a client that sends slowly nor some accounts together keep another account from its
/// permits, whether their transfers end or not. The time of a transfer that lost its permit counts
/// too, so its account does not take another's at once.
package final class FilePermits: Sendable {
    /// The least bytes a second, on average, of a transfer that keeps its permit when others wait.
    package static let paceMin = 16_384
    /// How long a transfer has until its pace counts.
    private static let start = Duration.seconds(5)
    /// How much longer than an account without any an account holds permits before it loses one to
    /// it.
    static let turn = Duration.seconds(20)

    private let permitsMax: Int
    private let accountPermitsMax: Int
    private let hereMax: Int
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    private struct State {
        var transfers: [ObjectIdentifier: Transfer] = [:]
        /// How long accounts held permits that they have no longer.
        var held = RecentTime<Address>()

        /// Ends a transfer, if it has not lost its permit before.
        mutating func end(_ transfer: Transfer, at now: Duration) {
            guard transfers.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return }
            held.add(now - transfer.begunAt, of: transfer.account, at: now)
        }

        /// How long an account has held permits recently, with those that it holds now.
        func time(of account: Address, at now: Duration) -> Duration {
            transfers.values.filter { $0.account == account }
                .reduce(held.time(of: account, at: now)) { $0 + (now - $1.begunAt) }
        }
    }

    /// - Parameters:
    ///   - permitsMax: All permits.
    ///   - accountPermitsMax: Those of one account.
    ///   - hereMax: How many of all are kept for callers on this machine.
    ///   - clock: Measures the pace.
    package init(
        permitsMax: Int,
        accountPermitsMax: Int,
        hereMax: Int = 0,
        clock: any MonotonicClock = .system
    ) {
        (self.permitsMax, self.accountPermitsMax) = (permitsMax, accountPermitsMax)
        (self.hereMax, self.clock) = (hereMax, clock)
    }

    /// A file on its way.
    package final class Transfer: Sendable {
        fileprivate let account: Address
        fileprivate let isElsewhere: Bool
        fileprivate let begunAt: Duration
        /// Sent once it has lost its permit.
        fileprivate let lost = Broadcast<Refusal>()
        /// The bytes received; `nil` once the pace no longer counts.
        private let received = Mutex<Int?>(0)

        fileprivate init(_ account: Address, isElsewhere: Bool, at now: Duration) {
            (self.account, self.isElsewhere, begunAt) = (account, isElsewhere, now)
        }

        /// Counts bytes that have come.
        package func note(_ byteCount: Int) {
            received.withLock { if let known = $0 { $0 = known + byteCount } }
        }

        /// Says that what takes time from now on is not due to the account.
        package func complete() { received.withLock { $0 = nil } }

        /// The average bytes a second; `nil` if the pace does not count.
        fileprivate func pace(at now: Duration) -> Double? {
            let time = now - begunAt
            guard time >= FilePermits.start, let byteCount = received.withLock({ $0 }) else {
                return nil
            }
            return Double(byteCount) / (time / .seconds(1))
        }
    }

    /// The accounts that have permits.
    var holders: Set<Address> { state.withLock { Set($0.transfers.values.map(\.account)) } }

    /// Runs `body` with a permit.
    ///
    /// - Parameters:
    ///   - account: The account that the file is of.
    ///   - isElsewhere: Whether the caller is on another machine.
    ///   - body: Transfers it, and notes what has come; it is cancelled if it loses the permit.
    /// - Returns: The body's result.
    /// - Throws: ``Refusal`` with `too_many_tries` if the account can have no permit, or loses it.
    package func with<Value: Sendable>(
        for account: Address,
        isElsewhere: Bool = false,
        _ body: @escaping @Sendable (Transfer) async throws -> Value
    ) async throws -> Value {
        let transfer = try take(for: account, isElsewhere: isElsewhere)
        defer { giveBack(transfer) }
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await body(transfer) }
            group.addTask {
                for await refusal in transfer.lost.values() { throw refusal }
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }

    /// Takes a permit, which ``giveBack(_:)`` ends.
    func take(for account: Address, isElsewhere: Bool = false) throws(Refusal) -> Transfer {
        let now = clock.uptime
        let (taken, loser): (Transfer?, Transfer?) = state.withLock { state in
            let all = Array(state.transfers.values)
            let own = all.count { $0.account == account }
            guard own < accountPermitsMax else { return (nil, nil) }
            let transfer = Transfer(account, isElsewhere: isElsewhere, at: now)
            var loser: Transfer?
            if all.count >= permitsMax - (isElsewhere ? hereMax : 0) {
                loser =
                    self.loser(of: all, with: own, at: now)
                    ?? (own == 0 ? Self.loser(in: state, to: transfer, at: now) : nil)
                guard let loser else { return (nil, nil) }
                state.end(loser, at: now)
            }
            state.transfers[ObjectIdentifier(transfer)] = transfer
            return (transfer, loser)
        }
        loser?.lost.send(Self.isLost)
        guard let taken else { throw Self.isTaken }
        return taken
    }

    func giveBack(_ transfer: Transfer) {
        let now = clock.uptime
        state.withLock { $0.end(transfer, at: now) }
    }

    /// The transfer that one of an account without any replaces, because its account has had more.
    private static func loser(
        in state: State,
        to transfer: Transfer,
        at now: Duration
    ) -> Transfer? {
        let own = state.time(of: transfer.account, at: now)
        return state.transfers.values
            .filter { $0.isElsewhere || !transfer.isElsewhere }
            .map { (transfer: $0, time: state.time(of: $0.account, at: now)) }
            .filter { $0.time >= own + turn }
            .min { one, other in
                (one.transfer.pace(at: now) ?? .infinity, other.time, other.transfer.begunAt)
                    < (other.transfer.pace(at: now) ?? .infinity, one.time, one.transfer.begunAt)
            }?.transfer
    }

    /// Whose permit an account takes that has `own`.
    private func loser(
        of all: [Transfer],
        with own: Int,
        at now: Duration
    ) -> Transfer? {
        let paces = all.map { (transfer: $0, pace: $0.pace(at: now)) }
        let slow = paces.filter { $0.pace ?? .infinity < Double(Self.paceMin) }
        let counts = Dictionary(grouping: all, by: \.account).mapValues(\.count)
        let most = counts.values.max() ?? 0
        let crowding = most > own + 1 ? paces.filter { counts[$0.transfer.account] == most } : []
        // Of those of the same pace, or of which it is unknown, the one that began first.
        return (slow.isEmpty ? crowding : slow).min { one, other in
            (one.pace ?? .infinity, one.transfer.begunAt)
                < (other.pace ?? .infinity, other.transfer.begunAt)
        }?.transfer
    }

    private static let isTaken = Refusal(
        .tooManyTries,
        Sentence("refusal.transfersBusy"),
        retryAfter: .seconds(2)
    )

    private static let isLost = Refusal(
        .tooManyTries,
        Sentence("refusal.transferLost"),
        retryAfter: .seconds(10)
    )
}
