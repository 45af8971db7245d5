package import Gossip
import Keys
package import Market
package import Storage

/// The store's anchored records, as peers see them.
///
/// Every record of the node's one chain travels on one topic.
package struct StoreRecordSource: RecordSource {
    private let store: Store
    private let topic: Topic
    private let audit: RecordAudit

    package init(store: Store, topic: Topic, audit: RecordAudit) {
        (self.store, self.topic, self.audit) = (store, topic, audit)
    }

    package func serves(_ topic: Topic) -> Bool { topic == self.topic }

    package func ids(on topic: Topic, after: RecordID?, countMax: Int) throws -> [RecordID] {
        guard topic == self.topic else { return [] }
        return try store.read { transaction in
            if audit.isOver {
                return try transaction.recordIDs(in: .anchored, after: after, limit: countMax)
            }
            var (found, place): ([RecordID], RecordID?) = ([], after)
            while found.count < countMax {
                let page = try transaction.recordIDs(in: .anchored, after: place, limit: countMax)
                guard let last = page.last else { break }
                place = last
                for id in page where try transaction.record(id)?.readable() != nil {
                    found.append(id)
                }
            }
            return Array(found.prefix(countMax))
        }
    }

    package func records(
        _ ids: [RecordID],
        on topic: Topic,
        bytesMax: Int
    ) throws -> [RecordExchange.Served] {
        guard topic == self.topic else { return [] }
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
        guard topic == self.topic else { return 0 }
        return try store.read { try $0.recordCount(in: .anchored) }
    }
}
