/// What an exchange of one topic with one peer has shown so far.
package struct ExchangeCounts: Hashable, Sendable {
    /// Ids the peer offered.
    package var offered = 0
    /// Offered ids that this node had already.
    package var held = 0
    /// Fetched and taken.
    package var accepted = 0
    /// Known and not wanted, now or from an earlier time: refused by this node's rules.
    package var refused = 0
    /// Offered and not served.
    package var unproven = 0
    /// Served, and such that nobody may take it.
    package var rejected = 0
    /// Whether the peer's ids were walked to their end.
    package var isComplete = false

    package init() {}

    /// Offered ids that this node still lacks and would take.
    package var missing: Int { max(0, offered - held - accepted - refused - unproven - rejected) }
}
