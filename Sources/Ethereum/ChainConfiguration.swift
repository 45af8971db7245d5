package import Market

/// An operator's settings for a chain.
package struct ChainConfiguration: Sendable {
    package var chain: ChainID
    /// The endpoints, the preferred one first.
    package var endpoints: [Endpoint]
    package var filter: LogFilter
    /// The number of blocks, including its own, after which a transaction or event is final.
    package var confirmations: UInt64 = 3
    /// The time between requests for the head.
    package var pollInterval: Duration = .seconds(5)
    /// The number of polls after which the heads of all endpoints are compared.
    package var pollsPerSurvey = 12
    /// A head older than this is reported as stale; `nil` on a chain that mines on demand.
    package var headAgeMax: Duration? = .seconds(180)
    /// How many seconds the head's timestamp may be behind the wall clock; `nil` for no limit.
    package var headLagSecondsMax: UInt64? = 3_600
    /// How many seconds the head's timestamp may be ahead of the wall clock; `nil` for no limit, as
    /// on a development chain, whose time people move.
    package var headLeadSecondsMax: UInt64?
    package var limits = ChainLimits()

    package init(chain: ChainID, endpoints: [Endpoint], filter: LogFilter) {
        (self.chain, self.endpoints, self.filter) = (chain, endpoints, filter)
        headLeadSecondsMax = chain.isOfDevelopment ? nil : limits.headFutureSecondsMax
    }
}
