package import Market

/// What this node holds of each topic and would show to others: its anchored records.
///
/// The service declares it and Node fills it, over the store. An error ends the exchange that
/// asked, and is logged.
package protocol RecordSource: Sendable {
    /// Whether anything of the topic could ever be here.
    func serves(_ topic: Topic) -> Bool

    /// Ids of the topic greater than `after`, rising, at most so many; none for a topic that is
    /// not served.
    func ids(on topic: Topic, after: RecordID?, countMax: Int) async throws -> [RecordID]

    /// The records of these ids that are held, in the order asked, with their bytes as received.
    ///
    /// Stops with the record whose bytes reach `bytesMax`.
    func records(
        _ ids: [RecordID],
        on topic: Topic,
        bytesMax: Int
    ) async throws -> [RecordExchange.Served]

    /// Compares ids that a peer offers with what is here.
    func sift(_ ids: [RecordID], on topic: Topic) async throws -> RecordSifting

    /// How many records of the topic are held.
    func count(on topic: Topic) async throws -> Int
}

extension RecordSource {
    /// A shelf that takes whatever it is given serves every topic.
    package func serves(_ topic: Topic) -> Bool { true }
}

/// What became of ids that a peer offers.
package struct RecordSifting: Hashable, Sendable {
    /// Neither held nor refused before, in the order asked.
    package let missing: [RecordID]
    /// How many were refused before, or replaced by something newer, and are remembered as such.
    package let refused: Int

    package init(missing: [RecordID], refused: Int) {
        (self.missing, self.refused) = (missing, refused)
    }
}

/// Holds nothing.
package struct EmptyRecordSource: RecordSource {
    package init() {}

    package func ids(on topic: Topic, after: RecordID?, countMax: Int) -> [RecordID] { [] }

    package func records(
        _ ids: [RecordID],
        on topic: Topic,
        bytesMax: Int
    ) -> [RecordExchange.Served] { [] }

    package func sift(_ ids: [RecordID], on topic: Topic) -> RecordSifting {
        RecordSifting(missing: [], refused: 0)
    }

    package func count(on topic: Topic) -> Int { 0 }
}
