package import Keys
package import Market

/// The digital works of this node's accounts, those they made and those they bought, sealed: where
/// the encrypted file is, and its key.
///
/// The account, then the SHA-256 of the file.
package enum Works: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = [UInt8]
    package static let name = "works"
}

/// Encrypted files that are sent to anyone who knows their ids, each with its account.
package enum SealedFiles: Table {
    package typealias Key = CompositeKey<Bytes32, Address>
    package typealias Value = EmptyValue
    package static let name = "sealed-files"
}

/// The state of work deliveries: which buyers got their key, and how often it was sent.
///
/// The seller, then what names the sale.
package enum DeliveredWorks: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = DeliveredWork
    package static let name = "delivered-works"
}

/// The progress of the delivery of a work's key.
package struct DeliveredWork: TableValue, Hashable, Sendable {
    /// When the key was sent last.
    package var sentAt: Timestamp
    /// How often it was sent.
    package var count: UInt8
    /// Whether the buyer's node has confirmed its arrival.
    package var isAcknowledged: Bool

    package init(sentAt: Timestamp, count: UInt8, isAcknowledged: Bool) {
        (self.sentAt, self.count, self.isAcknowledged) = (sentAt, count, isAcknowledged)
    }

    package var storedByteCount: Int { 10 }

    package func write(to writer: inout ByteWriter) {
        writer.write(sentAt, count, UInt8(isAcknowledged ? 1 : 0))
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        (sentAt, count) = try (reader.read(), reader.read())
        isAcknowledged = try reader.read() as UInt8 == 1
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns the state of a delivery by an account; `nil` if nothing was sent.
    package func delivery(on subject: Bytes32, of seller: Address) throws -> DeliveredWork? {
        try get(DeliveredWorks.self, CompositeKey(seller, subject))
    }

    /// Whether a file is an encrypted file of an account of this node.
    package func isSealedFile(_ id: Bytes32) throws -> Bool {
        try !keys(SealedFiles.self, .prefix(id), limit: 1).isEmpty
    }

    /// Whether a file is an encrypted file of the account.
    package func isSealedFile(_ id: Bytes32, of account: Address) throws -> Bool {
        try contains(SealedFiles.self, CompositeKey(id, account))
    }

    /// Whether a file is an encrypted work of the account: no file of its conversations only.
    package func isWorkFile(_ id: Bytes32, of account: Address) throws -> Bool {
        try isSealedFile(id, of: account) && !isFiled(id, of: account)
    }
}

extension WriteTransaction {
    /// Records a work of an account; `sealed` contains its key, and `blob` is its encrypted file if
    /// that is here and pinned; this stays from then on if a conversation with it goes.
    package mutating func putWork(
        _ file: Bytes32,
        of account: Address,
        sealed: [UInt8],
        blob: Bytes32?
    ) throws {
        try put(Works.self, CompositeKey(account, file), sealed)
        guard let blob else { return }
        try unfile(blob, of: account)
        try put(SealedFiles.self, CompositeKey(blob, account), EmptyValue())
    }

    /// Records the progress of a delivery of an account of this node.
    package mutating func putDelivery(
        _ delivery: DeliveredWork,
        on subject: Bytes32,
        of seller: Address
    ) throws {
        // It may have been removed in the meantime.
        guard try contains(AccountEntries.self, seller) else { return }
        try put(DeliveredWorks.self, CompositeKey(seller, subject), delivery)
    }

    /// Forgets a work of an account, and releases its encrypted file unless a conversation has it.
    package mutating func removeWork(
        _ file: Bytes32,
        of account: Address,
        blob: Bytes32
    ) throws {
        try remove(Works.self, CompositeKey(account, file))
        guard try !isFiled(blob, of: account) else { return }
        try remove(SealedFiles.self, CompositeKey(blob, account))
        try unpin(blob, for: account)
    }

    /// Forgets all works of an account, and their deliveries.
    mutating func removeWorks(of account: Address) throws {
        try remove(Works.self, .prefix(account))
        try remove(DeliveredWorks.self, .prefix(account))
        for key in try keys(SealedFiles.self, .all()) where key.second == account {
            try remove(SealedFiles.self, key)
        }
    }
}
