package import GossipProtocol
package import Market

/// A read-only source of the records that this node offers to others: its anchored records.
///
/// Node implements it over its store. An error ends the exchange that asked, and is logged.
package protocol RecordSource: Sendable {
    /// Whether this node could ever have records of the topic.
    func serves(_ topic: Topic) -> Bool

    /// Returns ids of the topic greater than `after`, rising, at most `countMax`.
    ///
    /// Empty for a topic that is not served.
    func ids(on topic: Topic, after: RecordID?, countMax: Int) async throws -> [RecordID]

    /// Returns the stored records of these ids in the order asked, with their bytes as received.
    ///
    /// Stops after the record whose bytes reach `bytesMax`.
    func records(
        _ ids: [RecordID],
        on topic: Topic,
        bytesMax: Int
    ) async throws -> [RecordExchange.Served]

    /// Compares ids that a peer offers with the stored records.
    func compare(_ ids: [RecordID], on topic: Topic) async throws -> RecordComparison

    /// Returns the number of stored records of the topic.
    func count(on topic: Topic) async throws -> Int
}

extension RecordSource {
    /// A source that does not decide serves every topic.
    package func serves(_ topic: Topic) -> Bool { true }
}

/// The comparison of offered ids with the stored records.
package struct RecordComparison: Hashable, Sendable {
    /// Ids neither stored nor refused before, in the order asked.
    package let missing: [RecordID]
    /// Number of ids that were refused before, or replaced by newer records, and are remembered.
    package let refused: Int

    package init(missing: [RecordID], refused: Int) {
        (self.missing, self.refused) = (missing, refused)
    }
}

/// A record source without records.
package struct EmptyRecordSource: RecordSource {
    package init() {}

    package func ids(on topic: Topic, after: RecordID?, countMax: Int) -> [RecordID] { [] }

    package func records(
        _ ids: [RecordID],
        on topic: Topic,
        bytesMax: Int
    ) -> [RecordExchange.Served] { [] }

    package func compare(_ ids: [RecordID], on topic: Topic) -> RecordComparison {
        RecordComparison(missing: [], refused: 0)
    }

    package func count(on topic: Topic) -> Int { 0 }
}
