package import Market

extension Store {
    /// Merges verified records into the store, and returns once they are durable.
    ///
    /// - Returns: The result for each, in the same order.
    package nonisolated func ingest(
        _ entries: [RecordEntry],
        at now: Timestamp
    ) async throws -> [RecordOutcome] {
        try await add { try $0.put(entries, at: now) }
    }
}
