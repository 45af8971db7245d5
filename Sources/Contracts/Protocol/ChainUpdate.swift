package import Market

/// What the follower tells, in order.
///
/// Whatever changes the applied chain is in the store before it is told. After a restart the first
/// update is `resumed`, and all before it is in the store: so nothing is missed or told twice.
package enum ChainUpdate: Equatable, Sendable {
    /// The follower starts, or starts again, behind this block; `nil` is before the first.
    case resumed(at: BlockID?)
    /// These blocks are part of the chain now, with these events.
    case applied(AppliedRange)
    /// Everything above the block is gone; all of it for `nil`.
    case rolledBack(to: BlockID?)
    /// The chain's newest block, or the time since it came, changed.
    case head(ChainHead)
    case health(ChainHealth)
    /// How far a second endpoint confirms what is applied; told before it is lowered by a
    /// roll-back.
    case sources(SourceStatus)
}

/// Blocks that became part of the followed chain, with their events in the order they happened.
package struct AppliedRange: Equatable, Sendable {
    package let from: UInt64
    /// The last block of the range.
    package let to: BlockID
    package let events: [AppliedEvent]

    package init(from: UInt64, to: BlockID, events: [AppliedEvent]) {
        (self.from, self.to, self.events) = (from, to, events)
    }
}

/// The newest block seen, and when it came.
package struct ChainHead: Equatable, Sendable {
    package let header: BlockHeader
    /// On the monotonic clock.
    package let arrived: Duration

    package init(header: BlockHeader, arrived: Duration) {
        (self.header, self.arrived) = (header, arrived)
    }

    /// The chain's time: the head's own plus what has passed since it came.
    ///
    /// Never the wall clock, which the chain does not know.
    package func time(at uptime: Duration) -> ChainTime {
        ChainTime(seconds: header.timestamp).advanced(by: max(.zero, uptime - arrived))
    }
}

/// Whether a chain can be relied on now.
package enum ChainHealth: Equatable, Sendable {
    /// Not asked yet.
    case starting
    /// Events are read up to `applied` of `head`.
    case catchingUp(applied: UInt64, head: UInt64)
    case following
    /// No new block for longer than configured, or the head's own time is far behind.
    case stale(StaleReason)
    /// A reorganisation went deeper than the window; all events are being read anew.
    case rescanning
    /// No endpoint answers; each one's reason is in its report.
    case unreachable
    /// Every endpoint that answers serves another chain.
    case wrongChain(found: ChainID)

    /// True where what is shown of the chain is current, so that money may be moved by it.
    package var allowsMoneyMoves: Bool { self == .following }
}

/// Why a head is thought to be old.
package enum StaleReason: Equatable, Sendable {
    case noNewBlock
    /// The block's own time is far behind the wall clock.
    case oldTimestamp
    /// The endpoint knows fewer blocks than were seen before.
    case behind
}
