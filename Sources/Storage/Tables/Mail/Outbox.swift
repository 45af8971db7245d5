package import Keys
package import Market

/// Envelopes that this node's accounts have sent, until enough homes have them or they expire.
enum Outbox: Table {
    typealias Key = CompositeKey<Address, Bytes32>
    typealias Value = OutboxEntry
    static let name = "outbox"
}

/// The same by when they are tried next, with their destinations.
enum OutboxByTime: Table {
    typealias Key = CompositeKey<Timestamp, CompositeKey<Address, Bytes32>>
    typealias Value = OutboxDestination
    static let name = "outbox-by-time"
}

/// An outgoing envelope's recipient, and whether it belongs to a sale, whose mail comes first.
package struct OutboxDestination: TableValue, Hashable {
    package let recipient: Address
    package let isOfSale: Bool

    package init(recipient: Address, isOfSale: Bool) {
        (self.recipient, self.isOfSale) = (recipient, isOfSale)
    }

    package var storedByteCount: Int { Address.byteCount + 1 }

    package func write(to writer: inout ByteWriter) {
        writer.write(recipient, UInt8(isOfSale ? 1 : 0))
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        let flag: UInt8
        (recipient, flag) = try (reader.read(), reader.read())
        isOfSale = flag != 0
    }
}

/// An outgoing envelope.
package struct OutboxEntry: TableValue, Equatable {
    package var nextAttemptAt: Timestamp
    package var attempts: UInt32
    package let expiresAt: Timestamp
    package let destination: OutboxDestination
    /// The envelope, in the sender's form.
    package var bytes: [UInt8]

    package init(
        nextAttemptAt: Timestamp,
        attempts: UInt32 = 0,
        expiresAt: Timestamp,
        destination: OutboxDestination,
        bytes: [UInt8]
    ) {
        (self.nextAttemptAt, self.attempts) = (nextAttemptAt, attempts)
        (self.expiresAt, self.destination, self.bytes) = (expiresAt, destination, bytes)
    }

    package var storedByteCount: Int { 20 + destination.storedByteCount + bytes.count }

    package func write(to writer: inout ByteWriter) {
        writer.write(nextAttemptAt, attempts, expiresAt, destination, bytes)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        (nextAttemptAt, attempts, expiresAt) = try (reader.read(), reader.read(), reader.read())
        destination = try OutboxDestination(from: &reader)
        bytes = reader.readRest()
    }
}

/// The name of an outgoing envelope.
package struct OutboxName: Hashable, Sendable {
    package let account: Address
    package let id: Bytes32
}

extension WriteTransaction {
    /// Puts an envelope into an account's outbox, or changes when it is tried next.
    package mutating func putOutbox(_ entry: OutboxEntry, of account: Address, id: Bytes32) throws {
        try removeOutbox(of: account, id: id)
        let key = CompositeKey(account, id)
        try countConversationBytes(
            adding: ConversationWeight.of(entry.storedByteCount),
            of: account
        )
        try put(Outbox.self, key, entry)
        try put(OutboxByTime.self, CompositeKey(entry.nextAttemptAt, key), entry.destination)
    }

    /// Removes an outgoing envelope: its homes have it, or it was dropped.
    package mutating func removeOutbox(of account: Address, id: Bytes32) throws {
        let key = CompositeKey(account, id)
        guard let old = try get(Outbox.self, key) else { return }
        try countConversationBytes(
            removing: ConversationWeight.of(old.storedByteCount),
            of: account
        )
        try remove(Outbox.self, key)
        try remove(OutboxByTime.self, CompositeKey(old.nextAttemptAt, key))
    }
}

extension ReadableTransaction where Self: ~Copyable {
    package func outboxEntry(of account: Address, id: Bytes32) throws -> OutboxEntry? {
        try get(Outbox.self, CompositeKey(account, id))
    }

    /// Names of all accounts' envelopes that are due by a time, with time and destination of each,
    /// the longest due first.
    package func outboxTimes(
        until end: Timestamp
    ) throws -> [(name: OutboxName, dueAt: Timestamp, destination: OutboxDestination)] {
        try entries(OutboxByTime.self, .all()) { key, _ in key.first <= end }.map { key, value in
            (OutboxName(account: key.second.first, id: key.second.second), key.first, value)
        }
    }
}
