package import Keys
package import Market

/// An update about the followed chain; updates come in order.
///
/// Changes of the applied chain are in the store before the listener is told. After a restart the
/// first update is `resumed`; everything before it is in the store, so no update is missed or
/// repeated.
package enum ChainUpdate: Equatable, Sendable {
    /// The follower starts after this block; `nil` if nothing is applied.
    case resumed(at: BlockID?)
    /// These blocks, with these events, are part of the chain now.
    case applied(AppliedRange)
    /// Everything above the block was rolled back; everything if it is `nil`.
    case rolledBack(to: BlockID?)
    /// The chain has another newest block.
    case head(ChainHead)
    case health(ChainHealth)
    /// How far a second endpoint confirms the applied events. If a roll-back lowers this, it is
    /// reported before the roll-back.
    case sources(SourceStatus)
    /// An endpoint was found to withhold something.
    case noticed(EndpointNotice)
}

/// A finding that an endpoint withholds something, for the operator.
package struct EndpointNotice: Hashable, Sendable {
    /// The evidence.
    package enum Finding: Hashable, Sendable {
        /// It left out events of the block at this height, which were there when it or another
        /// endpoint was asked again.
        case leftOut(UInt64)
        /// The filter of the block at this height names the market's contracts, and no endpoint has
        /// an event of it.
        case noLogs(UInt64)
        /// A contract's own answer about this part of its state differs from the events.
        case stateDiffers(Bytes32)
    }

    package let endpoint: EndpointName
    package let finding: Finding

    package init(_ finding: Finding, by endpoint: EndpointName) {
        (self.finding, self.endpoint) = (finding, endpoint)
    }
}

/// Blocks that became part of the followed chain, with their events in the chain's order.
package struct AppliedRange: Equatable, Sendable {
    package let from: UInt64
    /// The last block of the range.
    package let to: BlockID
    package let events: [AppliedEvent]

    package init(from: UInt64, to: BlockID, events: [AppliedEvent]) {
        (self.from, self.to, self.events) = (from, to, events)
    }
}

/// The time of a block, and when the block arrived.
package struct TimedBlock: Equatable, Sendable {
    /// The block's timestamp, in seconds since 1970.
    package let seconds: UInt64
    /// The time of its arrival, on the monotonic clock.
    package let arrived: Duration

    package init(seconds: UInt64, arrived: Duration) {
        (self.seconds, self.arrived) = (seconds, arrived)
    }
}

/// The newest block seen, and when it arrived.
package struct ChainHead: Equatable, Sendable {
    package let header: BlockHeader
    /// The time of its arrival, on the monotonic clock.
    package let arrived: Duration
    /// Whether an older block was the head before, so that this one arrived when it was made.
    package let isFollowed: Bool
    /// The block that the chain's time goes by: the newest, or the newest one that a second
    /// endpoint has too.
    package let timed: TimedBlock

    package init(header: BlockHeader, arrived: Duration, isFollowed: Bool = false) {
        (self.header, self.arrived, self.isFollowed) = (header, arrived, isFollowed)
        timed = TimedBlock(seconds: header.timestamp, arrived: arrived)
    }

    private init(_ head: ChainHead, timed: TimedBlock) {
        (header, arrived, isFollowed) = (head.header, head.arrived, head.isFollowed)
        self.timed = timed
    }

    /// Returns the same head, whose time goes by another block.
    package func going(by timed: TimedBlock) -> ChainHead { ChainHead(self, timed: timed) }

    /// Returns the chain's time: the timestamp of ``timed`` plus the time since that arrived.
    ///
    /// The wall clock is not used: the chain's time may differ from it.
    package func time(at uptime: Duration) -> ChainTime {
        ChainTime(seconds: timed.seconds).advanced(by: max(.zero, uptime - timed.arrived))
    }
}

/// Whether the node's view of a chain is reliable now.
package enum ChainHealth: Equatable, Sendable {
    /// No head has been read yet.
    case starting
    /// Events are read up to height `applied`; the chain's head is at `head`.
    case catchingUp(applied: UInt64, head: UInt64)
    case following
    /// The head is not the present one; see ``StaleReason``.
    case stale(StaleReason)
    /// All events are being read again, such as after a reorganisation deeper than the window.
    case rescanning
    /// No endpoint answers; each endpoint's report has its reason.
    case unreachable
    /// Every endpoint serves another chain; with the configured id, one whose first applied block
    /// differs.
    case wrongChain(found: ChainID)
}

/// Why a head does not count as the present one.
package enum StaleReason: Equatable, Sendable {
    /// No new block has arrived for longer than configured.
    case noNewBlock
    /// The head's timestamp is far behind the wall clock.
    case oldTimestamp
    /// The head's timestamp is far ahead of the wall clock: the endpoint or this clock is wrong.
    case futureTimestamp
    /// The endpoint's head is below the applied blocks.
    case behind
    /// The store has no room for what the chain shows.
    case noRoom
}
