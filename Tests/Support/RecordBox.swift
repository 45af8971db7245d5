import Concurrency
package import Gossip
package import GossipProtocol
import Keys
package import Market

/// A node's records in memory, with the gate before them and the shelf behind.
///
/// It takes what is a record in form and signature; nothing is asked of the chain.
package actor RecordBox: RecordValidator, RecordSource {
    private var records: [Topic: [RecordID: [UInt8]]] = [:]
    private var sorted: [Topic: [RecordID]] = [:]
    /// Rung whenever a record is taken.
    private var bells: [BoundedQueue<Void>] = []
    private var refused: Set<RecordID> = []
    package private(set) var verdicts: [Verdict] = []

    package init() {}

    /// Keeps a record as a node keeps its own.
    package func put(_ data: [UInt8], on topic: Topic) throws {
        let record = try UnverifiedRecord(data)
        records[topic, default: [:]][record.id] = data
        sorted[topic] = nil
        wake()
    }

    /// Takes no record of this id.
    package func refuse(_ id: RecordID) { refused.insert(id) }

    package func all(on topic: Topic) -> Set<RecordID> { Set((records[topic] ?? [:]).keys) }

    /// Returns once at least so many records are here, or where the test is cancelled.
    package func wait(for count: Int, on topic: Topic) async {
        let bell = BoundedQueue<Void>(elementsMax: 1)
        bells.append(bell)
        defer { bells.removeAll { $0 === bell } }
        while self.count(on: topic) < count {
            guard await bell.receive() != nil else { return }
        }
    }

    package func validate(
        _ data: [UInt8],
        on topic: Topic,
        from origin: RecordOrigin
    ) -> Verdict {
        let verdict = verdict(of: data, on: topic)
        verdicts.append(verdict)
        return verdict
    }

    package func ids(on topic: Topic, after: RecordID?, countMax: Int) -> [RecordID] {
        let all = sorted[topic] ?? (records[topic] ?? [:]).keys.sorted()
        sorted[topic] = all
        guard let after else { return Array(all.prefix(countMax)) }
        return Array(all.drop { $0 <= after }.prefix(countMax))
    }

    package func records(
        _ ids: [RecordID],
        on topic: Topic,
        bytesMax: Int
    ) -> [RecordExchange.Served] {
        var served: [RecordExchange.Served] = []
        var byteCount = 0
        for id in ids {
            guard byteCount < bytesMax else { break }
            guard let data = records[topic]?[id] else { continue }
            byteCount += data.count
            served.append(RecordExchange.Served(id: id, data: data))
        }
        return served
    }

    package func compare(_ ids: [RecordID], on topic: Topic) -> RecordComparison {
        let refusedHere = ids.filter(refused.contains)
        let missing = ids.filter { records[topic]?[$0] == nil && !refused.contains($0) }
        return RecordComparison(missing: missing, refused: refusedHere.count)
    }

    package func count(on topic: Topic) -> Int { records[topic]?.count ?? 0 }

    private func verdict(of data: [UInt8], on topic: Topic) -> Verdict {
        do throws(RecordFault) {
            let record = try UnverifiedRecord(data).verified()
            if refused.contains(record.id) { return .ignore }
            records[topic, default: [:]][record.id] = data
            sorted[topic] = nil
            wake()
            return .accept
        } catch {
            return error.verdict
        }
    }

    private func wake() {
        // A bell that is ringing already needs no second ring.
        for bell in bells { _ = bell.offer(()) }
    }
}

/// Small real records for tests: withdrawn listings, each in a slot of its own.
package struct RecordMint {
    private var random: SeededRandom
    private let key = PrivateKey.random()

    package init(seed: UInt64) { random = SeededRandom(seed: seed) }

    package mutating func next() throws -> SignedRecord {
        let bytes = random.bytes(count: 32)
        guard let slot = Bytes32(bytes) else { throw RecordFault.wrongSlot }
        let draft = RecordDraft(
            network: "test",
            author: key.publicKey.address,
            content: .withdrawal(.listing),
            slot: slot,
            createdAt: Timestamp(milliseconds: 1_700_000_000_000)
        )
        return try draft.signed(by: key)
    }

    package mutating func take(_ count: Int) throws -> [SignedRecord] {
        try (0..<count).map { _ in try next() }
    }
}
