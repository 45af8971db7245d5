package import Client
package import Market

/// Decides when an item is listed again because the buyer of an accepted offer has not paid, as
/// its seller has agreed to.
///
/// Pure: the caller passes each reserved sale and the chain's newest block, and reports what became
/// of each attempt. Nothing here has to survive a restart: the idempotency key of an attempt finds
/// the operation that an earlier run began.
///
/// Source: Docs/api.md, section 4.8.
package struct ReopeningWatch: Sendable {
    /// The newest block of a chain that is followed.
    package struct Head: Equatable, Sendable {
        package let time: ChainTime
        package let height: UInt64

        package init(time: ChainTime, height: UInt64) { (self.time, self.height) = (time, height) }
    }

    /// The next action for one sale.
    package enum Decision: Equatable, Sendable {
        /// Nothing; the ordinary moves of deadlines go on.
        case leave
        /// Nothing, and no other move of the node either.
        case hold
        /// Begin this attempt, and report with ``refused(_:isLasting:at:)`` if that fails.
        case begin(attempt: Int)
        /// End the attempt under way, of which nothing is signed; the ordinary moves go on.
        case drop
        /// End the consent: the buyer has paid.
        case forget
        /// End the consent, and tell its account why.
        case stop(Stop)
    }

    /// The reasons why an item is not listed again by itself.
    package enum Stop: Equatable, Sendable {
        /// The sale has ended without a buyer.
        case ended
        /// The listing was withdrawn, or names another sale.
        case changed
        /// Nobody was signed in for too long.
        case late
        /// It could not be listed again.
        case failed
    }

    /// How often it is begun, because each operation that fails can cost a fee.
    package static let attemptsMax = 3
    /// How often in succession it is refused before the sale is left to end.
    package static let refusalsMax = 8
    /// The first and the longest time after a refusal, which doubles each time.
    package static let refusalDelay = Duration.seconds(60)
    package static let refusalDelayMax = Duration.seconds(3_600)
    /// The time after an operation that has failed.
    package static let failureDelay = Duration.seconds(600)
    /// How long after the buyer's time the item can still be listed again by itself: a seller who
    /// signs in a month later must not find that done.
    package static let lifetime = Duration.days(7)

    private struct Progress {
        /// A height from which on all blocks are later than the buyer's time.
        var height: UInt64
        var refusals = 0
        var failures = 0
        var waitsUntil = ChainTime(seconds: 0)
    }

    private var progress: [SaleID: Progress] = [:]

    package init() {}

    /// Decides about one sale.
    ///
    /// - Parameters:
    ///   - sale: The sale.
    ///   - head: The newest block; `nil` as long as the chain is not followed.
    ///   - hasSettled: Whether the blocks up to a height are final.
    /// - Returns: The next action.
    package mutating func look(
        at sale: ReservedSale,
        head: Head?,
        hasSettled: (UInt64) -> Bool
    ) -> Decision {
        let (id, until) = (sale.consent.sale.id, sale.consent.until)
        if sale.settled == .paid { return .forget }
        // Its first transaction ends the sale, and its last one lists the item again.
        if sale.isUnderWay { return sale.waitsForUnlock && !sale.isUsable ? .drop : .hold }
        if sale.settled == .ended { return .stop(.ended) }
        // A state that only the newest blocks show can be taken back.
        guard sale.settled == .open, sale.newest == .open else { return .leave }
        guard sale.isListed else { return .stop(.changed) }
        guard let head else { return .leave }
        guard until <= head.time else {
            progress[id] = nil
            return sale.isUsable ? .hold : .leave
        }
        guard head.time < until.advanced(by: Self.lifetime) else { return .stop(.late) }
        guard sale.isUsable, !sale.isMoved else { return .leave }
        guard sale.failures < Self.attemptsMax else { return .stop(.failed) }
        var own = progress[id] ?? Progress(height: head.height)
        defer { progress[id] = own }
        own.height = min(own.height, head.height)
        if sale.failures > own.failures {
            own.failures = sale.failures
            own.waitsUntil = head.time.advanced(by: Self.failureDelay)
        }
        // A payment in the buyer's last block counts.
        guard head.time >= own.waitsUntil, hasSettled(own.height) else { return .hold }
        return .begin(attempt: sale.failures)
    }

    /// Records that an attempt was refused before anything was signed, which costs nothing.
    ///
    /// - Parameters:
    ///   - sale: The sale.
    ///   - isLasting: Whether its seller would have to remove what prevents it.
    ///   - now: The time of the newest block.
    /// - Returns: Whether nothing further is tried.
    package mutating func refused(_ sale: SaleID, isLasting: Bool, at now: ChainTime) -> Bool {
        guard var own = progress[sale], !isLasting else { return isLasting }
        own.refusals += 1
        let delay = Self.refusalDelay * (1 << min(own.refusals - 1, 16))
        own.waitsUntil = now.advanced(by: min(delay, Self.refusalDelayMax))
        progress[sale] = own
        return own.refusals >= Self.refusalsMax
    }

    /// Forgets all sales but these.
    package mutating func keep(_ sales: Set<SaleID>) {
        progress = progress.filter { sales.contains($0.key) }
    }
}

/// A sale that is reserved for the buyer of an accepted offer, as ``ReopeningWatch`` sees it.
package struct ReservedSale: Equatable, Sendable {
    /// How far a sale is.
    package enum State: Equatable, Sendable {
        case open
        case paid
        /// It has ended without a buyer.
        case ended

        package init(_ sale: Market.Sale) {
            self = sale.buyer != nil ? .paid : sale.stage == .offered ? .open : .ended
        }
    }

    package let consent: ReopeningConsent
    /// Its state in final blocks, and in the newest; `nil` if they do not show it.
    package var settled: State?
    package var newest: State?
    /// Whether the listing on this node names it.
    package var isListed = true
    /// Whether its seller is signed in here, and the operator lets the node act.
    package var isUsable = false
    /// Whether an operation makes another move in it.
    package var isMoved = false
    /// Whether the attempt under way waits for its seller to sign in, and nothing of it is signed.
    package var waitsForUnlock = false
    /// How the node's attempts have ended so far, in order.
    package var attempts: [Client.Operation.State] = []

    package init(_ consent: ReopeningConsent, settled: State?, newest: State?) {
        (self.consent, self.settled, self.newest) = (consent, settled, newest)
    }

    /// Whether an attempt has not failed.
    var isUnderWay: Bool { attempts.contains { $0 != .failed } }
    var failures: Int { attempts.count }
}
