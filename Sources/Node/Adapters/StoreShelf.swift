import Gossip
import Keys
import Market
import Storage

/// Shows peers the anchored records of the store.
///
/// Every record of the node's one chain travels on one topic.
struct StoreShelf: RecordShelf {
    let store: Store
    let topic: Topic

    func ids(on topic: Topic, after: RecordID?, countMax: Int) throws -> [RecordID] {
        guard topic == self.topic else { return [] }
        return try store.read {
            try $0.anchoredIDs(after: after, limit: countMax)
        }
    }

    func records(
        _ ids: [RecordID],
        on topic: Topic,
        bytesMax: Int
    ) throws -> [RecordExchange.Served] {
        guard topic == self.topic else { return [] }
        return try store.read { transaction in
            var served: [RecordExchange.Served] = []
            var byteCount = 0
            for id in ids where byteCount < bytesMax {
                guard let record = try transaction.record(id) else { continue }
                served.append(RecordExchange.Served(id: id, data: record.bytes))
                byteCount += record.bytes.count
            }
            return served
        }
    }

    func sift(_ ids: [RecordID], on topic: Topic) throws -> RecordSifting {
        try store.read { transaction in
            var missing: [RecordID] = []
            var refused = 0
            for id in ids where try !transaction.hasRecord(id) {
                if try transaction.isSettled(id) { refused += 1 } else { missing.append(id) }
            }
            return RecordSifting(missing: missing, refused: refused)
        }
    }

    func count(on topic: Topic) throws -> Int {
        guard topic == self.topic else { return 0 }
        return try store.read { try $0.recordCount(in: .anchored) }
    }
}

/// Hands what peers send to the record desk.
struct DeskGate: RecordGate {
    let desk: RecordDesk

    func judge(
        _ data: [UInt8],
        on topic: Topic,
        from peer: PeerID?
    ) async -> GossipRouter.Verdict {
        await desk.judge(data)
    }
}
