package import Keys
package import Market

/// Limits the bytes of anchored records that each author can replace on this node in a day.
///
/// The store keeps one version of a record, but each version travels to every node, and a sale is
/// paid for only once. So an author can replace at once twice the bytes that the anchored lane
/// keeps for the author's sales, and once that amount per day. A record that arrives too soon is
/// not refused, but fetched later.
///
/// An author's used amount decreases over time; an author with none left is forgotten. If the table
/// is full when a new author arrives, newcomers share one account until there is room: a newcomer
/// finds only the part that the others have left.
///
/// Pure: the caller passes the time. Source: Docs/protocol.md, section 4.7.
package struct AnchoredPace: Sendable {
    /// The bytes that an author has sent, less those that time has forgiven.
    private struct Account {
        var bytes = 0
        var at = Timestamp(milliseconds: 0)
        /// The bytes forgiven per day, as of the author's last record.
        var bytesPerDay = 1

        func bytes(at now: Timestamp, _ bytesPerDay: Int) -> Int {
            // Two days forgive the maximum.
            let elapsed = min(
                Int(clamping: now.elapsed(since: at).wholeMilliseconds),
                2 * AnchoredPace.millisecondsPerDay
            )
            return max(0, bytes - bytesPerDay * max(0, elapsed) / AnchoredPace.millisecondsPerDay)
        }

        /// When everything is forgiven.
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
    /// No account is fully forgiven before this time.
    private var forgetsAt = Timestamp(milliseconds: .max)

    /// Remembers at most `accountsMax` authors.
    package init(accountsMax: Int = 65_536) { self.accountsMax = accountsMax }

    /// Counts a record, if its author can send it now.
    ///
    /// - Parameters:
    ///   - byteCount: The record's length.
    ///   - author: The signer of the record.
    ///   - sales: The number of final sales in which the author acted.
    ///   - now: The time.
    /// - Returns: Whether the record is admitted; if not, nothing is counted.
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

    /// Forgets authors whose use is forgiven; looks at the authors only if there are some.
    private mutating func forgetWhole(at now: Timestamp) {
        guard forgetsAt <= now else { return }
        accounts = accounts.filter { $0.value.wholeAt > now }
        forgetsAt = accounts.values.map(\.wholeAt).min() ?? Timestamp(milliseconds: .max)
    }
}
