/// Decides on the transactions of an account that wait in pools: if one endpoint alone says that
/// some do, two of three decide.
///
/// Pure. One endpoint could otherwise hold up every transaction; but while no third one answers,
/// its word counts, because the transaction of another program may wait in one pool only.
///
/// Source: Docs/operations.md, section 5.4 "Nonces".
package struct PendingVotes: Sendable {
    private let nonce: UInt64
    private var told: [UInt64]

    /// - Parameters:
    ///   - nonce: The next nonce without the waiting transactions.
    ///   - told: The next nonce with them, as each endpoint asked so far has it.
    package init(nonce: UInt64, told: [UInt64]) { (self.nonce, self.told) = (nonce, told) }

    /// Whether another endpoint must be asked.
    package var isOpen: Bool { told.count == 2 && told.count { $0 > nonce } == 1 }

    package mutating func add(_ pending: UInt64) { told.append(pending) }

    /// The next nonce with the waiting transactions that count.
    package var decided: UInt64 {
        let sorted = told.sorted(by: >)
        return sorted.count > 2 ? sorted[1] : sorted.first ?? 0
    }
}
