package import Keys
package import Market

/// The node's log of an intent, step by step; append-only.
enum TransactionJournalEntries: Table {
    typealias Key = JournalKey
    typealias Value = [UInt8]
    static let name = "transaction-journal"
}

/// One intent of an account on a chain.
package struct IntentKey: TableKey, Hashable {
    package let account: Address
    package let chain: ChainID
    package let intent: Bytes32

    package init(account: Address, chain: ChainID, intent: Bytes32) {
        (self.account, self.chain, self.intent) = (account, chain, intent)
    }

    package func write(to writer: inout ByteWriter) { writer.write(account, chain, intent) }

    package init(from reader: inout ByteReader) throws(FormError) {
        (account, chain, intent) = try (reader.read(), reader.read(), reader.read())
    }
}

/// One step of an intent, from 0.
struct JournalKey: TableKey {
    let intent: IntentKey
    let step: UInt32

    init(intent: IntentKey, step: UInt32) {
        (self.intent, self.step) = (intent, step)
    }

    func write(to writer: inout ByteWriter) { writer.write(intent, step) }

    init(from reader: inout ByteReader) throws(FormError) {
        (intent, step) = try (reader.read(), reader.read())
    }
}

extension WriteTransaction {
    /// Adds a step at the end of an intent's journal.
    ///
    /// - Returns: The step's number, from 0.
    package mutating func journal(_ bytes: [UInt8], of intent: IntentKey) throws -> UInt32 {
        let last = try keys(TransactionJournalEntries.self, .prefix(intent, .descending), limit: 1)
            .first
        let next = last.map { $0.step + 1 } ?? 0
        try put(TransactionJournalEntries.self, JournalKey(intent: intent, step: next), bytes)
        return next
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The steps of an intent, in order.
    package func journal(of intent: IntentKey) throws -> [[UInt8]] {
        try entries(TransactionJournalEntries.self, .prefix(intent)).map(\.value)
    }

    /// Every intent of an account on a chain.
    package func intents(of account: Address, on chain: ChainID) throws -> [IntentKey] {
        var intents: [IntentKey] = []
        try scanKeys(TransactionJournalEntries.self, .prefix(CompositeKey(account, chain))) { key in
            if intents.last != key.intent { intents.append(key.intent) }
            return true
        }
        return intents
    }
}
