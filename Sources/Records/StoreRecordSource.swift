package import Gossip
package import GossipProtocol
package import Market
package import Storage
import Synchronization

/// The store's anchored records, as peers see them.
///
/// On the topic of a chain, only those are shown that this chain vouches for.
package struct StoreRecordSource: RecordSource {
    private let store: Store
    private let topics: RecordTopics
    private let view: any ChainView & Sendable
    private let audit: RecordAudit
    private let counts = TopicCounts()

    /// - Parameters:
    ///   - store: The store of the records.
    ///   - topics: The node's topics.
    ///   - view: The state on its chains.
    ///   - audit: Whether all records comply with today's rules.
    package init(
        store: Store,
        topics: RecordTopics,
        view: any ChainView & Sendable,
        audit: RecordAudit
    ) {
        (self.store, self.topics, self.view, self.audit) = (store, topics, view, audit)
    }

    package func serves(_ topic: Topic) -> Bool { topics.chain(of: topic) != nil }

    package func ids(on topic: Topic, after: RecordID?, countMax: Int) throws -> [RecordID] {
        guard serves(topic) else { return [] }
        return try store.read { transaction in
            if audit.isOver, topics.all.count == 1 {
                return try transaction.recordIDs(in: .anchored, after: after, limit: countMax)
            }
            var (found, place): ([RecordID], RecordID?) = ([], after)
            while found.count < countMax {
                let page = try transaction.recordIDs(in: .anchored, after: place, limit: countMax)
                guard let last = page.last else { break }
                place = last
                for id in page {
                    guard let record = try transaction.record(id)?.readable(),
                        isVouched(record, on: topic)
                    else { continue }
                    found.append(id)
                }
            }
            return Array(found.prefix(countMax))
        }
    }

    /// Returns whether the chain of a topic vouches for an anchored record.
    private func isVouched(_ record: SignedRecord, on topic: Topic) -> Bool {
        guard topics.all.count > 1 else { return true }
        if record.chain != nil { return topics.topics(of: record).contains(topic) }
        return topics.chain(of: topic).map { view.isParty(record.author, on: $0) } ?? false
    }

    package func records(
        _ ids: [RecordID],
        on topic: Topic,
        bytesMax: Int
    ) throws -> [RecordExchange.Served] {
        guard serves(topic) else { return [] }
        return try store.read { transaction in
            var served: [RecordExchange.Served] = []
            var byteCount = 0
            for id in ids where byteCount < bytesMax {
                guard let record = try transaction.record(id),
                    audit.isOver || record.readable() != nil
                else { continue }
                served.append(RecordExchange.Served(id: id, data: record.bytes))
                byteCount += record.bytes.count
            }
            return served
        }
    }

    package func compare(_ ids: [RecordID], on topic: Topic) throws -> RecordComparison {
        try store.read { transaction in
            var missing: [RecordID] = []
            var refused = 0
            for id in ids where try !transaction.hasRecord(id) {
                if try transaction.isSettled(id) {
                    refused += 1
                } else {
                    missing.append(id)
                }
            }
            return RecordComparison(missing: missing, refused: refused)
        }
    }

    package func count(on topic: Topic) throws -> Int {
        guard serves(topic) else { return 0 }
        let all = try store.read { try $0.recordCount(in: .anchored) }
        guard topics.all.count > 1 else { return all }
        if let known = counts.count(on: topic, ofAll: all) { return known }
        let count = try ids(on: topic, after: nil, countMax: all).count
        counts.keep(count, on: topic, ofAll: all)
        return count
    }
}

/// How many of all records are on each topic, counted again when their number has changed.
private final class TopicCounts: Sendable {
    private let kept = Mutex<[Topic: (count: Int, all: Int)]>([:])

    func count(on topic: Topic, ofAll all: Int) -> Int? {
        kept.withLock { kept in kept[topic].flatMap { $0.all == all ? $0.count : nil } }
    }

    func keep(_ count: Int, on topic: Topic, ofAll all: Int) {
        kept.withLock { $0[topic] = (count, all) }
    }
}
