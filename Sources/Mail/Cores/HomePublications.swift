package import Keys
package import Market

/// Decides which homes get an account's prekey bundle and its grants.
///
/// Laws:
/// - A home is given each bundle until it has taken it, and again after the account's profile was
///   published.
/// - The grants are sent to a home once in `grantsInterval`, and when they change, even if they
///   change while they are being sent.
/// - If it does not answer, they are sent again at the next pass; if it refuses, but not because
///   there are too many, after `grantsRetryInterval`.
///
/// All keys are accounts of this node and homes that they chose.
package struct HomePublications: Sendable {
    private let grantsInterval: Duration
    private let grantsRetryInterval: Duration
    /// The creation time of the bundle that a home has taken.
    private var bundles: [AccountHome: Timestamp] = [:]
    /// Until when the grants need not be sent to a home again.
    private var grants: [AccountHome: Timestamp] = [:]

    package init(_ settings: ChatSettings) {
        grantsInterval = settings.grantsInterval
        grantsRetryInterval = settings.grantsRetryInterval
    }

    package func needsBundle(createdAt: Timestamp, at key: AccountHome) -> Bool {
        bundles[key] != createdAt
    }

    package mutating func bundleTaken(createdAt: Timestamp, at key: AccountHome) {
        bundles[key] = createdAt
    }

    package mutating func profilePublished(of account: Address) {
        bundles = bundles.filter { $0.key.account != account }
    }

    /// Returns whether to send the grants to a home now, and counts them as sent.
    package mutating func takeGrants(for key: AccountHome, at now: Timestamp) -> Bool {
        if let until = grants[key], until > now { return false }
        grants[key] = now.advanced(by: grantsInterval)
        return true
    }

    /// Records that a home did not take the grants, because it refused them or did not answer.
    package mutating func grantsFailed(for key: AccountHome, isRefused: Bool, at now: Timestamp) {
        // They may have changed since they were taken.
        guard grants[key] != nil else { return }
        grants[key] = isRefused ? now.advanced(by: grantsRetryInterval) : nil
    }

    package mutating func grantsChanged(of account: Address) {
        grants = grants.filter { $0.key.account != account }
    }
}
