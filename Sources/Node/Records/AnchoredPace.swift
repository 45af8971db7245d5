package import Keys
package import Market

/// How many bytes of anchored records each author may replace on this node in a day.
///
/// The store keeps one version of a record, but each version travels to every node, and a sale is
/// paid for once. So an author may replace at once twice what the anchored lane keeps for his
/// sales, and once as much again in a day. What comes too soon is not refused, but fetched later.
///
/// Authors whose use is forgiven are forgotten. If there are none when a new one comes, newcomers
/// share one account until there are: whoever is new finds no more than the others left.
///
/// Pure: it is told the time. Source: Docs/protocol.md, section 4.7.
package struct AnchoredPace: Sendable {
    /// What an author has brought, less what time has forgiven.
    private struct Account {
        var bytes = 0
        var at = Timestamp(milliseconds: 0)
        /// What was forgiven in a day when the author last brought something.
        var bytesPerDay = 1

        func bytes(at now: Timestamp, _ bytesPerDay: Int) -> Int {
            // Two days forgive all there can be.
            let elapsed = min(
                Int(clamping: now.elapsed(since: at).wholeMilliseconds),
                2 * AnchoredPace.millisecondsPerDay
            )
            return max(0, bytes - bytesPerDay * max(0, elapsed) / AnchoredPace.millisecondsPerDay)
        }

        /// When all is forgiven.
        var wholeAt: Timestamp {
            at.advanced(
                by: .milliseconds(bytes * AnchoredPace.millisecondsPerDay / bytesPerDay + 1)
            )
        }
    }

    private static let millisecondsPerDay = 86_400_000
    private let accountsMax: Int
    private var accounts: [Address: Account] = [:]
    private var newcomers = Account()
    /// No account is whole before.
    private var forgetsAt = Timestamp(milliseconds: .max)

    /// Remembers so many authors.
    package init(accountsMax: Int = 65_536) { self.accountsMax = accountsMax }

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
        if accounts[author] == nil, accounts.count >= accountsMax { forgetWhole(at: now) }
        let isKnown = accounts[author] != nil || accounts.count < accountsMax
        let allowance = AnchoredAllowance.byteCountMax(listed: sales, ended: sales)
        let old = isKnown ? accounts[author] ?? Account() : newcomers
        let bytes = old.bytes(at: now, allowance) + byteCount
        guard bytes <= 2 * allowance else { return false }
        let account = Account(bytes: bytes, at: max(old.at, now), bytesPerDay: allowance)
        if isKnown {
            accounts[author] = account
            forgetsAt = min(forgetsAt, account.wholeAt)
        } else {
            newcomers = account
        }
        return true
    }

    /// Forgets authors whose use is forgiven; looks at them only if there are some.
    private mutating func forgetWhole(at now: Timestamp) {
        guard forgetsAt <= now else { return }
        accounts = accounts.filter { $0.value.wholeAt > now }
        forgetsAt = accounts.values.map(\.wholeAt).min() ?? Timestamp(milliseconds: .max)
    }
}
