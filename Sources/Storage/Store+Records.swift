package import Market

extension Store {
    /// Merges verified records into the store, and returns once they are durable.
    ///
    /// - Parameters:
    ///   - entries: The records.
    ///   - now: The time of their arrival.
    ///   - isAddition: Whether they are refused while there is little room, see ``add(_:)``.
    /// - Returns: The result for each, in the same order.
    /// - Throws: ``StorageError``
    package nonisolated func ingest(
        _ entries: [RecordEntry],
        at now: Timestamp,
        isAddition: Bool = true
    ) async throws -> [RecordOutcome] {
        try await write(isAddition: isAddition) { try $0.put(entries, at: now) }
    }
}
