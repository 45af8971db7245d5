package import Keys
package import Market

/// An account of this node and one of its homes.
package struct AccountHome: Hashable, Sendable {
    package let account: Address
    package let home: PeerID

    package init(account: Address, home: PeerID) { (self.account, self.home) = (account, home) }
}

/// The homes of one account, from all leases that are known.
///
/// Laws:
/// - Each home is listed once, with the lease that lasts longest.
/// - No lease is listed that has ended or that was not granted to the account.
/// - This node comes first, the others by rising peer id.
/// - The list for a profile keeps the homes that the profile names already, in its order. So nodes
///   of one account that know different homes arrive at the same list and leave it alone.
package struct AccountHomes: Sendable {
    package let leases: [HomeLease]

    /// Selects the homes of `account` from `known` leases; `own` is this node.
    package init(_ known: [HomeLease], of account: Address, own: PeerID, at now: Timestamp) {
        var latest: [PeerID: HomeLease] = [:]
        for lease in known where lease.until > now {
            if let other = latest[lease.peer], other.until >= lease.until { continue }
            if lease.isGranted(to: account) { latest[lease.peer] = lease }
        }
        leases = latest.values.sorted {
            $0.peer != $1.peer && ($0.peer == own || ($1.peer != own && $0.peer < $1.peer))
        }
    }

    /// Returns the homes to name in a profile that names `known` homes now.
    package func listed(after known: [HomeLease]) -> [HomeLease] {
        let kept = known.compactMap { old in leases.first { $0.peer == old.peer } }
        let added = leases.filter { lease in !kept.contains { $0.peer == lease.peer } }
        return Array((kept + added).prefix(Profile.homesMax))
    }
}
