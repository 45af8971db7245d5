package import Keys

/// How far what is shown of a chain is confirmed by a second endpoint.
package struct SourceStatus: Equatable, Sendable {
    /// Where one log stands: its block's height and its index there.
    package struct LogPosition: Hashable, Sendable {
        package let height: UInt64
        package let index: UInt64

        package init(height: UInt64, index: UInt64) {
            (self.height, self.index) = (height, index)
        }
    }

    /// What the other endpoints do.
    package enum State: Equatable, Sendable {
        /// One endpoint is configured, and its word is enough.
        case single
        /// A second endpoint says the same, or is about to be asked.
        case confirming
        /// No second endpoint answers, or all that do are far behind.
        case away
        /// Two endpoints say different events of the same blocks.
        case disagreeing([EndpointName])
    }

    package let state: State
    /// Up to this height the events are confirmed.
    package let confirmed: UInt64?
    /// Logs that a second endpoint has not, although it has their block.
    package let disputed: Set<LogPosition>
    /// What logs are about that only another endpoint than the telling one has, by their topics,
    /// each with the lowest height of such a log.
    package let missing: [Bytes32: UInt64]

    package init(
        state: State,
        confirmed: UInt64? = nil,
        disputed: Set<LogPosition> = [],
        missing: [Bytes32: UInt64] = [:]
    ) {
        (self.state, self.confirmed) = (state, confirmed)
        (self.disputed, self.missing) = (disputed, missing)
    }

    /// One endpoint is configured.
    package static let single = SourceStatus(state: .single)

    /// How many endpoints an event needs to be final.
    package var needed: Int { state == .single ? 1 : 2 }

    /// Whether as many endpoints as are needed have the events of a height.
    package func confirms(_ height: UInt64) -> Bool {
        state == .single || confirmed.map { height <= $0 } ?? false
    }
}
