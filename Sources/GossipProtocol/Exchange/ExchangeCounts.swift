/// Counts of an exchange of one topic with one peer so far.
package struct ExchangeCounts: Hashable, Sendable {
    /// Ids that the peer offered.
    package var offered = 0
    /// Offered ids of records that this node had already.
    package var held = 0
    /// Records fetched and accepted.
    package var accepted = 0
    /// Records that this node's rules refused, now or earlier.
    package var refused = 0
    /// Ids offered whose records were not served.
    package var unproven = 0
    /// Records served that every node must reject.
    package var rejected = 0
    /// Whether the exchange reached the end of the peer's ids.
    package var isComplete = false

    package init() {}

    /// Offered ids of records that this node still lacks and would accept.
    package var missing: Int { max(0, offered - held - accepted - refused - unproven - rejected) }
}
