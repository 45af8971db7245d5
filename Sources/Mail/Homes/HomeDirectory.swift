import Answers
import Concurrency
import Foundation
import Keys
import Market
import Records
import Storage

/// Which homes accounts have, as far as this node knows.
struct HomeDirectory: Sendable {
    let store: Store
    let ownPeer: PeerID
    let clock: any WallClock

    /// Returns an account's homes: own leases for an account of this node, else its profile's.
    func homeLeases(of account: Address) throws -> [HomeLease] {
        let isOwn = try store.read { try $0.contains(AccountEntries.self, account) }
        if isOwn { return try homes(of: account).leases }
        let profile = try store.read { try $0.profile(of: account)?.profile }
        let now = clock.timestamp
        return (profile?.homes ?? []).filter { $0.until > now && $0.isGranted(to: account) }
    }

    /// Returns the homes of an account of this node.
    ///
    /// The leases come from the store, and from the profile, to which the account's other nodes add
    /// theirs.
    func homes(of account: Address) throws -> AccountHomes {
        var known: [HomeLease] = []
        try store.read { transaction in
            try transaction.scan(HomeLeases.self, .prefix(account)) { _, bytes in
                if let lease = HomeLease(bytes: bytes) { known.append(lease) }
                return true
            }
            known += try transaction.profile(of: account)?.profile.homes ?? []
        }
        return AccountHomes(known, of: account, own: ownPeer, at: clock.timestamp)
    }

    /// Returns the leases that an account of this node has at other nodes.
    func otherHomes(of account: Address) throws -> [HomeLease] {
        try homes(of: account).leases.filter { $0.peer != ownPeer }
    }
}
