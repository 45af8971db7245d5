import Gossip
package import GossipProtocol
package import Market

/// The topics of a node's records: one for each of its chains.
///
/// A record that names a chain is sent only on that chain's topic, because nodes of other chains
/// cannot use it. Profiles and devices name no chain and are sent on all topics.
///
/// Source: Docs/protocol.md, section 8.1.
package struct RecordTopics: Sendable {
    /// In the order of the settings; never empty.
    package let all: [Topic]
    private let chains: [Topic: ChainID]

    /// - Parameters:
    ///   - network: The network's name.
    ///   - chains: The node's chains, or for a node without one the chain of its settings.
    package init(network: String, chains: [ChainID]) {
        let named = chains.map { (Topic("/stoa/\(network)/\($0)"), $0) }
        all = named.map(\.0)
        self.chains = Dictionary(uniqueKeysWithValues: named)
    }

    /// Returns the topics of a record; none if it belongs to a chain that the node does not follow.
    package func topics(of record: SignedRecord) -> [Topic] {
        guard let chain = record.chain else { return all }
        return all.filter { chains[$0] == chain }
    }

    /// Returns the topics of a record that this node has signed or has checked before.
    package func topics(of bytes: [UInt8]) -> [Topic] {
        // A record that can no longer be read is refused everywhere.
        guard all.count > 1, let record = try? SignedRecord(stored: bytes) else { return all }
        return topics(of: record)
    }

    /// Returns the chain of a topic.
    package func chain(of topic: Topic) -> ChainID? { chains[topic] }
}

extension SignedRecord {
    /// The chain that the record names; `nil` if it names none.
    package var chain: ChainID? {
        switch content {
        case .listing(let listing): listing.chain
        case .review(let review): review.sale.contract.chain
        case .withdrawal(.anchoredListing(let withdrawal)): withdrawal.sale.contract.chain
        case .profile, .device, .curation, .withdrawal, .laterListing: nil
        }
    }
}

/// Validates the records of all topics, and carries those that it accepts to the other topics they
/// belong on.
///
/// The router forwards accepted messages on the topic on which they arrived. So a record of chain B
/// that arrives on the topic of chain A is stored, and forwarded only on that of B.
package struct TopicValidator: RecordValidator {
    private let recordService: RecordService
    private let topics: RecordTopics
    private let publish: @Sendable ([UInt8], Topic) async -> Void

    /// - Parameters:
    ///   - recordService: Validates.
    ///   - topics: The node's topics.
    ///   - publish: Sends a record on a topic.
    package init(
        _ recordService: RecordService,
        topics: RecordTopics,
        publish: @escaping @Sendable ([UInt8], Topic) async -> Void
    ) {
        (self.recordService, self.topics, self.publish) = (recordService, topics, publish)
    }

    package func validate(
        _ data: [UInt8],
        on topic: Topic,
        from origin: RecordOrigin
    ) async -> Verdict {
        let verdict = await recordService.validate(data, on: topic, from: origin)
        guard topics.all.count > 1, verdict == .accept else { return verdict }
        let own = topics.topics(of: data)
        for other in own where other != topic { await publish(data, other) }
        return own.contains(topic) ? .accept : .ignore
    }
}
