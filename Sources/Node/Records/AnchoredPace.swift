package import Keys
package import Market

/// How many bytes of anchored records each author may bring to this node in a day.
///
/// The store keeps one version of a record, but each version travels to every node, and a sale is
/// paid for once. So an author may bring at once twice what the anchored lane keeps for his sales,
/// and once as much again in a day. All that he has at a time fits into that, so that a node that
/// joins is not slowed down; what comes too soon is not refused, but fetched later.
///
/// Pure: it is told the time. Source: Docs/protocol.md, section 4.7.
package struct AnchoredPace: Sendable {
    /// What an author has brought, less what time has forgiven.
    private struct Account {
        var bytes: Int
        var at: Timestamp
    }

    private static let millisecondsPerDay = 86_400_000
    private let accountsMax: Int
    private var accounts: [Address: Account] = [:]

    /// Remembers so many authors; over that, of those who brought the least one is forgotten.
    package init(accountsMax: Int = 8_192) { self.accountsMax = accountsMax }

    /// Counts a record, if its author may bring it now.
    ///
    /// - Parameters:
    ///   - byteCount: The record's.
    ///   - author: Who signed it.
    ///   - sales: In how many final sales the author acted.
    ///   - now: The time.
    /// - Returns: Whether the author may; if not, nothing is counted.
    package mutating func admits(
        _ byteCount: Int,
        by author: Address,
        sales: Int,
        at now: Timestamp
    ) -> Bool {
        let allowance = AnchoredAllowance.byteCountMax(listed: sales, ended: sales)
        var bytes = 0
        if let known = accounts[author] {
            // Two days forgive all there can be.
            let elapsed = min(
                Int(clamping: now.elapsed(since: known.at).wholeMilliseconds),
                2 * Self.millisecondsPerDay
            )
            bytes = max(0, known.bytes - allowance * elapsed / Self.millisecondsPerDay)
        }
        guard bytes + byteCount <= 2 * allowance else { return false }
        if accounts[author] == nil, accounts.count >= accountsMax { forgetOne() }
        accounts[author] = Account(bytes: bytes + byteCount, at: now)
        return true
    }

    private mutating func forgetOne() {
        let least = accounts.min { ($0.value.bytes, $0.key) < ($1.value.bytes, $1.key) }
        if let least { accounts[least.key] = nil }
    }
}
