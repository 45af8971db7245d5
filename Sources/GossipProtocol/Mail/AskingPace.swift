package import Keys
package import Market

/// Decides when this node asks other homes, so that none has to refuse it for asking too often.
///
/// Laws:
/// - A home is asked at most half as much at once as it answers one peer, and then three quarters
///   of what it answers each second. The rest is for what this node does not know, such as others
///   at its address.
/// - Deposits wait for their turn. All other questions are few: they do not wait, but count.
/// - The deposits of a home take turns: those that belong to a sale come before texts, but every
///   fourth turn is a text's; among equals the account that was served longest ago comes first.
/// - At most three deposits to a home are under way, one fewer than it takes streams of one peer.
/// - A home that refused because it was asked too often gets no deposit for `pause`.
///
/// Pure: the caller passes in the time.
///
/// Source: Docs/protocol.md, section 10.8.
package struct AskingPace: Sendable {
    package typealias Ticket = UInt64

    /// A deposit that waits for its turn.
    package struct Deposit: Sendable {
        package let home: PeerID
        let sender: Address
        let isOfSale: Bool
        /// The number of its questions.
        let cost: Int

        package init(to home: PeerID, by sender: Address, isOfSale: Bool, costing cost: Int) {
            (self.home, self.sender) = (home, sender)
            (self.isOfSale, self.cost) = (isOfSale, cost)
        }
    }

    private struct Home {
        /// Questions that may be asked now; below 0 after some that did not wait.
        var level: Double
        var at: Moment
        var waiting: [Ticket: Deposit] = [:]
        var underWay: Set<Ticket> = []
        /// The number of each sender's last turn.
        var served: [Address: UInt64] = [:]
        var turns: UInt64 = 0

        var isIdle: Bool { waiting.isEmpty && underWay.isEmpty }

        /// The deposit whose turn is next.
        var next: Ticket? {
            let isTextsTurn = turns % 4 == 3
            return waiting.min { left, right in
                if left.value.isOfSale != right.value.isOfSale {
                    return left.value.isOfSale != isTextsTurn
                }
                let (one, other) = (served[left.value.sender], served[right.value.sender])
                return (one ?? 0, left.key) < (other ?? 0, right.key)
            }?.key
        }
    }

    /// How long a home that was asked too often is left alone.
    package static let pause = Duration.seconds(4)
    private static let homesMax = 1_000
    private static let sendersMax = 10_000

    private let burst: Double
    private let perSecond: Double
    private let underWayMax: Int
    private var homes: [PeerID: Home] = [:]

    package init(_ limits: MailLimits) {
        burst = Double(max(1, limits.burstMax / 2))
        perSecond = limits.questionsPerSecond * 3 / 4
        underWayMax = max(1, limits.streamsPerPeerMax - 1)
    }

    /// Counts a question that does not wait.
    package mutating func count(at home: PeerID, at now: Moment) {
        change(home, at: now) { $0.level -= 1 }
    }

    /// Records that a home refused a question because it was asked too often.
    package mutating func refused(by home: PeerID, at now: Moment) {
        let debt = 1 - perSecond * (Self.pause / .seconds(1))
        change(home, at: now) { $0.level = min($0.level, debt) }
    }

    package mutating func wait(_ ticket: Ticket, _ deposit: Deposit, at now: Moment) {
        change(deposit.home, at: now) { $0.waiting[ticket] = deposit }
    }

    /// Begins a waiting deposit if it is its turn.
    ///
    /// - Returns: How long to wait before the next try; `nil` if it has begun.
    package mutating func begin(_ ticket: Ticket, at home: PeerID, at now: Moment) -> Duration? {
        let (perSecond, underWayMax) = (perSecond, underWayMax)
        return change(home, at: now) { state in
            guard state.level >= 1 else { return .seconds((1 - state.level) / perSecond) }
            guard state.underWay.count < underWayMax, state.next == ticket,
                let deposit = state.waiting.removeValue(forKey: ticket)
            else { return .seconds(1 / perSecond) }
            state.level -= Double(deposit.cost)
            state.underWay.insert(ticket)
            if state.served.count >= Self.sendersMax { state.served = [:] }
            state.turns += 1
            state.served[deposit.sender] = state.turns
            return nil
        }
    }

    /// Ends a deposit, or its waiting.
    package mutating func end(_ ticket: Ticket, at home: PeerID) {
        homes[home]?.waiting[ticket] = nil
        homes[home]?.underWay.remove(ticket)
    }

    private mutating func change<Value>(
        _ name: PeerID,
        at now: Moment,
        _ body: (inout Home) -> Value
    ) -> Value {
        if homes[name] == nil, homes.count >= Self.homesMax {
            homes = homes.filter { !$0.value.isIdle || level(of: $0.value, at: now) < burst }
        }
        var home = homes[name] ?? Home(level: burst, at: now)
        (home.level, home.at) = (level(of: home, at: now), max(home.at, now))
        defer { homes[name] = home }
        return body(&home)
    }

    private func level(of home: Home, at now: Moment) -> Double {
        let time = max(.zero, now.sinceStart - home.at.sinceStart) / Duration.seconds(1)
        return min(burst, home.level + time * perSecond)
    }
}
