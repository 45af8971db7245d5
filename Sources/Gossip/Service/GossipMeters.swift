import Metrics

/// What metrics show of gossip.
enum GossipMeters {
    private static let framesDropped = Counter(label: "stoa_gossip_frames_dropped")
    private static let recordsFetched = Counter(label: "stoa_gossip_records_fetched")
    private static let accepted = verdict("accept")
    private static let rejected = verdict("reject")
    private static let ignored = verdict("ignore")

    static func countDrop() { framesDropped.increment() }

    static func countFetched(_ records: Int) { recordsFetched.increment(by: records) }

    static func count(_ verdict: GossipRouter.Verdict) {
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
