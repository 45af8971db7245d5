import GossipProtocol
import Market
import Metrics

/// Metrics of gossip.
enum GossipMeters {
    private static let framesDropped = Counter(label: "stoa_gossip_frames_dropped")
    private static let recordsFetched = Counter(label: "stoa_gossip_records_fetched")
    private static let crowdedOut = Counter(label: "stoa_gossip_messages_crowded_out")
    private static let accepted = verdict("accept")
    private static let rejected = verdict("reject")
    private static let ignored = verdict("ignore")

    static func countDrop() { framesDropped.increment() }

    static func countCrowdedOut(_ messages: Int) { crowdedOut.increment(by: messages) }

    static func countFetched(_ records: Int) { recordsFetched.increment(by: records) }

    private static let refusedLinks = Counter(label: "stoa_gossip_banned_links")

    private static let outboxBytes = Gauge(label: "stoa_gossip_outbox_bytes")
    private static let unaccounted = Gauge(label: "stoa_gossip_outbox_unaccounted_bytes")
    private static let exchanges = Gauge(label: "stoa_gossip_exchanges_led")
    private static let revocations = Counter(label: "stoa_gossip_exchanges_revoked")
    private static let slowExchanges = Counter(label: "stoa_gossip_exchanges_slow")
    private static let fetchedBytes = Counter(label: "stoa_gossip_fetched_bytes")
    private static let uselessLinks = Counter(label: "stoa_gossip_useless_links")

    static func countRevocation() { revocations.increment() }
    static func countSlowExchange() { slowExchanges.increment() }
    static func countFetchedBytes(_ count: Int) { fetchedBytes.increment(by: count) }
    static func countUseless() { uselessLinks.increment() }

    static func show(
        outboxBytes held: Int,
        unaccountedBytes: Int,
        exchanges led: Int,
        bannedPeers: Int,
        bannedAddresses: Int
    ) {
        outboxBytes.record(held)
        unaccounted.record(unaccountedBytes)
        exchanges.record(led)
        for (kind, count) in [("peer", bannedPeers), ("address", bannedAddresses)] {
            Gauge(label: "stoa_gossip_banned", dimensions: [("of", kind)]).record(count)
        }
    }

    /// Counts a link of a banned peer or address that was ended after it opened.
    static func countRefusedLink() { refusedLinks.increment() }

    /// Counts a new ban of a `peer` or an `address`.
    static func countBan(of kind: String) {
        Counter(label: "stoa_gossip_bans", dimensions: [("of", kind)]).increment()
    }

    static func count(_ verdict: Verdict) {
        switch verdict {
        case .accept: accepted.increment()
        case .reject: rejected.increment()
        case .ignore, .ignoreForNow: ignored.increment()
        }
    }

    static func count(_ offence: PeerOffence) {
        Counter(label: "stoa_gossip_offences", dimensions: [("name", offence.name)]).increment()
    }

    private static func verdict(_ name: String) -> Counter {
        Counter(label: "stoa_gossip_messages", dimensions: [("verdict", name)])
    }
}
