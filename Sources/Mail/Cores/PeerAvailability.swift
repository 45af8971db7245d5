package import Keys
package import Market

/// Decides which peers are asked for something now.
///
/// Laws:
/// - A home that does not answer is not asked again for `unreachableInterval`, unless it answers or
///   links in the meantime.
/// - The same account is looked up at most once in `lookupInterval`, and at most `lookupsMax`
///   accounts in that time; a lookup that is refused changes nothing.
/// - One peer is asked for at most `lookupsPerPeerMax` accounts in `lookupInterval`, a part of the
///   number that a peer answers: strangers' mail determines how many accounts are looked up.
/// - At most 1,000 homes are remembered as unreachable.
package struct PeerAvailability: Sendable {
    private let unreachableInterval: Duration
    private let lookupInterval: Duration
    private var unreachable = ExpiringTable<PeerID, Void>(entriesMax: 1_000)
    private let lookupsPerPeerMax: Int
    private var lookups: ExpiringTable<Address, Void>
    /// For how many accounts each peer was asked since its time began.
    private var asked: [PeerID: (count: Int, until: Timestamp)] = [:]

    package init(_ settings: ChatSettings) {
        unreachableInterval = settings.unreachableInterval
        lookupInterval = settings.lookupInterval
        lookupsPerPeerMax = settings.lookupsPerPeerMax
        lookups = ExpiringTable(entriesMax: settings.lookupsMax)
    }

    package func canAsk(_ home: PeerID, at now: Timestamp) -> Bool {
        !unreachable.contains(home, at: now)
    }

    /// Records that a home has answered, or that there is a link to it.
    package mutating func reached(_ home: PeerID) { unreachable.remove(home) }

    /// Records that a home does not answer.
    package mutating func failed(_ home: PeerID, at now: Timestamp) {
        unreachable.insert(home, until: now.advanced(by: unreachableInterval), at: now)
    }

    /// Returns whether an account may be looked up now, and counts the lookup if so.
    package mutating func beginLookup(of account: Address, at now: Timestamp) -> Bool {
        guard !lookups.contains(account, at: now), lookups.hasRoom(at: now) else { return false }
        lookups.insert(account, until: now.advanced(by: lookupInterval), at: now)
        return true
    }

    /// Returns whether a peer may be asked for another account now, and counts it if so.
    package mutating func beginAsking(_ peer: PeerID, at now: Timestamp) -> Bool {
        if let entry = asked[peer], entry.until > now {
            guard entry.count < lookupsPerPeerMax else { return false }
            asked[peer] = (entry.count + 1, entry.until)
            return true
        }
        asked = asked.filter { $0.value.until > now }
        asked[peer] = (1, now.advanced(by: lookupInterval))
        return true
    }
}
