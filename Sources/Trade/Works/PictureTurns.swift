import Keys

/// Decides which picture of a note is fetched next.
///
/// Laws:
/// - The accounts take turns.
/// - Of an account's missing pictures, one that was tried least often is next.
/// - A picture is tried again 10 minutes after its first try, an hour after the second, and six
///   hours after each later one.
/// - A picture that is no longer missing is forgotten.
struct PictureTurns: Sendable {
    private struct Tries {
        var count = 0
        var nextAt = Duration.zero
    }

    private static let pauses = [600, 3_600, 21_600].map { Duration.seconds($0) }

    private var tries: [Address: [Bytes32: Tries]] = [:]
    /// The account that had its turn last.
    private var last: Address?

    /// Returns the accounts in the order of their turns, and forgets all others.
    mutating func order(_ accounts: [Address]) -> [Address] {
        tries = tries.filter { accounts.contains($0.key) }
        return accounts.inTurn(after: last)
    }

    /// Returns which of an account's missing pictures is tried at an uptime, and counts the try;
    /// `nil` if all of them wait.
    mutating func next(
        of missing: Set<Bytes32>,
        for account: Address,
        at uptime: Duration
    ) -> Bytes32? {
        var known = (tries[account] ?? [:]).filter { missing.contains($0.key) }
        defer { tries[account] = known }
        func count(_ picture: Bytes32) -> Int { known[picture]?.count ?? 0 }
        let next = missing.filter { known[$0].map { uptime >= $0.nextAt } ?? true }
            .min { (count($0), $0) < (count($1), $1) }
        guard let next else { return nil }
        last = account
        let pause = Self.pauses[min(count(next), Self.pauses.count - 1)]
        known[next] = Tries(count: count(next) + 1, nextAt: uptime + pause)
        return next
    }
}

extension [Address] {
    /// The same accounts, beginning behind the one that had its turn last.
    func inTurn(after last: Address?) -> [Address] {
        let place = last.flatMap { firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        return Array(self[place...] + self[..<place])
    }
}
