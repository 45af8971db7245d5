package import Market

/// How often and how many open sales are compared with their contracts' own answers.
///
/// Source: Docs/operations.md, section 5.3.
package struct SaleAuditLimits: Sendable {
    /// How often some sales are compared.
    package var interval: Duration = .seconds(120)
    /// How long after a comparison a sale of the node's own accounts is compared again.
    package var ownAgain: Duration = .seconds(480)
    /// The maximum number of sales of the node's own accounts that are compared at a time.
    package var ownMax = 64
    /// The maximum number of other sales that are compared at a time; they take turns.
    package var othersMax = 4

    package init() {}
}

/// Decides which open sales are compared next with their contracts' own answers.
///
/// Pure. Sales of the node's own accounts are compared again after a time, those that waited
/// longest first; all others take turns, in the order of their ids.
///
/// Source: Docs/operations.md, section 5.3.
package struct SaleTurns: Sendable {
    private let limits: SaleAuditLimits
    /// When each open sale of an own account was last compared.
    private var comparedAt: [SaleID: Duration] = [:]
    /// The other sale that was compared last.
    private var last: SaleID?

    package init(limits: SaleAuditLimits) { self.limits = limits }

    /// Returns the sales to compare now, and counts them as compared.
    ///
    /// - Parameters:
    ///   - own: The open sales of the node's own accounts.
    ///   - others: The other open sales.
    ///   - uptime: The present time, on the monotonic clock.
    /// - Returns: Own sales first, at most as many as the limits allow.
    package mutating func due(own: [SaleID], others: [SaleID], at uptime: Duration) -> [SaleID] {
        let open = Set(own)
        comparedAt = comparedAt.filter { open.contains($0.key) }
        let due = own.filter { sale in
            comparedAt[sale].map { uptime - $0 >= limits.ownAgain } ?? true
        }
        .sorted { (comparedAt[$0] ?? .zero, $0) < (comparedAt[$1] ?? .zero, $1) }
        .prefix(limits.ownMax)
        for sale in due { comparedAt[sale] = uptime }
        let sorted = others.sorted()
        let start = last.flatMap { last in sorted.firstIndex { $0 > last } } ?? 0
        let turn = (sorted[start...] + sorted[..<start]).prefix(limits.othersMax)
        last = turn.last
        return Array(due) + turn
    }
}
