package import Keys
package import Market

/// Decides when mail is collected at homes, and when expired mail is removed here.
///
/// Laws:
/// - An account's mail is collected at a home once in `collectInterval`.
/// - A new link to a home makes the mail of all accounts at that home due at once.
/// - Expired mail is removed once in `sweepInterval`, the first time at once.
package struct MailCollection: Sendable {
    private let collectInterval: Duration
    private let sweepInterval: Duration
    /// The homes at which an account's mail is not due yet.
    private var collected = ExpiringTable<AccountHome, Void>(entriesMax: 16_384)
    private var sweepAt = Timestamp(milliseconds: 0)

    package init(_ settings: ChatSettings) {
        (collectInterval, sweepInterval) = (settings.collectInterval, settings.sweepInterval)
    }

    /// Returns the homes at which the account's mail is due, and counts it as collected there.
    package mutating func takeDue(
        of account: Address,
        at homes: [HomeLease],
        now: Timestamp
    ) -> [HomeLease] {
        let due = homes.filter {
            !collected.contains(AccountHome(account: account, home: $0.peer), at: now)
        }
        for lease in due {
            let key = AccountHome(account: account, home: lease.peer)
            collected.insert(key, until: now.advanced(by: collectInterval), at: now)
        }
        return due
    }

    /// Makes all homes of an account due.
    package mutating func changed(_ account: Address) {
        collected.removeAll { $0.account == account }
    }

    /// Records a new link to a peer.
    package mutating func linked(_ peer: PeerID) {
        collected.removeAll { $0.home == peer }
    }

    /// Returns whether expired mail is to be removed now, and counts it as removed.
    package mutating func takeSweep(at now: Timestamp) -> Bool {
        guard sweepAt <= now else { return false }
        sweepAt = now.advanced(by: sweepInterval)
        return true
    }
}
