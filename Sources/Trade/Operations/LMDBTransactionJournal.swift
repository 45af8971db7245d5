package import Ethereum
package import Keys
package import Market
package import Storage

/// Keeps in the store what transaction senders did.
///
/// The store groups entries by intent; a number in front of each keeps the order of an account's
/// entries of several intents.
package struct LMDBTransactionJournal: TransactionJournal {
    /// The setting with the number of the last entry.
    private static let counter = "transaction-journal-number"

    private let store: Store

    package init(store: Store) {
        self.store = store
    }

    package func append(
        _ entry: JournalEntry,
        account: Address,
        chain: ChainID
    ) async throws {
        let intent = IntentKey(account: account, chain: chain, intent: entry.slot.intent.hash)
        let bytes = entry.storedBytes
        try await store.writeOnceThereIsRoom { transaction in
            let last = try transaction.get(Settings.self, Self.counter)
            var writer = StoredWriter()
            writer.write(try last.map { try NumberedEntry.number(of: $0) + 1 } ?? 1)
            try transaction.put(Settings.self, Self.counter, writer.bytes)
            _ = try transaction.journal(writer.bytes + bytes, of: intent)
        }
    }

    package func entries(account: Address, chain: ChainID) async throws -> [JournalEntry] {
        let stored = try store.read { transaction in
            try transaction.intents(of: account, on: chain).flatMap {
                try transaction.journal(of: $0)
            }
        }
        return try stored.map { try NumberedEntry(storedBytes: $0) }
            .sorted { $0.number < $1.number }
            .map(\.entry)
    }
}

/// An entry with its number among all.
private struct NumberedEntry: StoredValue {
    let number: UInt64
    let entry: JournalEntry

    func write(to writer: inout StoredWriter) {
        writer.write(number)
        writer.write(entry)
    }

    init(from reader: inout StoredReader) throws(StoredValueError) {
        number = try reader.number()
        entry = try JournalEntry(from: &reader)
    }

    static func number(of bytes: [UInt8]) throws(StoredValueError) -> UInt64 {
        var reader = StoredReader(bytes)
        return try reader.number()
    }
}
