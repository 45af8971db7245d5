package import Market

/// What an operator says about a chain.
package struct ChainConfiguration: Sendable {
    package var chain: ChainID
    /// Preferred first.
    package var endpoints: [Endpoint]
    package var filter: LogFilter
    /// Blocks, its own counted, after which a transaction or event is taken as final.
    package var confirmations: UInt64 = 3
    /// How often the head is asked for.
    package var pollInterval: Duration = .seconds(5)
    /// Polls after which all endpoints are asked for their heads, to compare them.
    package var pollsPerSurvey = 12
    /// A head older than this is reported as stale; `nil` on a chain that mines on demand.
    package var headAgeMax: Duration? = .seconds(180)
    /// How many seconds the head's own time may be behind the wall clock; `nil` is not looked at.
    package var headLagSecondsMax: UInt64? = 3_600
    package var limits = ChainLimits()

    package init(chain: ChainID, endpoints: [Endpoint], filter: LogFilter) {
        (self.chain, self.endpoints, self.filter) = (chain, endpoints, filter)
    }
}
