package import Keys

/// How far a second endpoint confirms the applied events of a chain.
package struct SourceStatus: Equatable, Sendable {
    /// The position of a log: its block's height and its index in the block.
    package struct LogPosition: Hashable, Sendable {
        package let height: UInt64
        package let index: UInt64

        package init(height: UInt64, index: UInt64) {
            (self.height, self.index) = (height, index)
        }
    }

    /// The state of the second endpoint.
    package enum State: Equatable, Sendable {
        /// Only one endpoint is configured, and no confirmation is needed.
        case single
        /// A second endpoint confirms the events, or will be asked.
        case confirming
        /// No second endpoint answers, or all that answer are far behind.
        case away
        /// These endpoints have different events of the same blocks.
        case disagreeing([EndpointName])
    }

    package let state: State
    /// The height up to which the events are confirmed.
    package let confirmed: UInt64?
    /// The applied logs that a second endpoint does not have, although it has their block.
    package let disputed: Set<LogPosition>
    /// The topics of logs that only the second endpoint has, each with the lowest height of such a
    /// log.
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

    /// The status if only one endpoint is configured.
    package static let single = SourceStatus(state: .single)

    /// The number of endpoints that must have an event before it is final.
    package var needed: Int { state == .single ? 1 : 2 }

    /// Returns whether enough endpoints have the events of a height.
    package func confirms(_ height: UInt64) -> Bool {
        state == .single || confirmed.map { height <= $0 } ?? false
    }
}
