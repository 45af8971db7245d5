package import Keys
package import Market

/// Conversations that strangers began and that their account has not answered, with their sizes.
///
/// The texts are in ``Conversations`` and ``Messages``, sealed; eviction uses this.
package enum MailRequests: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = MailRequest
    package static let name = "mail-requests"
}

/// The size, age and origin of one unanswered conversation.
package struct MailRequest: TableValue, Equatable, Sendable {
    package let origin: Bytes32
    package let since: Timestamp
    package var bytes: UInt64

    package init(origin: Bytes32, since: Timestamp, bytes: UInt64) {
        (self.origin, self.since, self.bytes) = (origin, since, bytes)
    }

    package var storedByteCount: Int { 48 }

    package func write(to writer: inout ByteWriter) { writer.write(origin, since, bytes) }

    package init(from reader: inout ByteReader) throws(FormError) {
        (origin, since, bytes) = try (reader.read(), reader.read(), reader.read())
    }
}

/// An account's knowledge of another account; the name is a hash under the account's own secret,
/// and the bytes are sealed with it.
package enum Contacts: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = [UInt8]
    package static let name = "contacts"
}

/// The contacts that an account has blocked.
package enum BlockedContacts: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = EmptyValue
    package static let name = "blocked-contacts"
}

/// The conversations that an account has with each contact, those it has deleted aside.
package enum ConversationsWith: Table {
    package typealias Key = CompositeKey<CompositeKey<Address, Bytes32>, Bytes32>
    package typealias Value = EmptyValue
    package static let name = "conversations-with"
}

/// The contacts that an account has accepted here, until its vault says so.
package enum AcceptancesDue: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = EmptyValue
    package static let name = "acceptances-due"
}

/// Conversations whose other side is owed a receipt.
package enum ReceiptsDue: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = EmptyValue
    package static let name = "receipts-due"
}

extension WriteTransaction {
    /// Files an unanswered conversation, or one that has grown by `bytes`, in the request box.
    ///
    /// If the box has too many conversations, the origin that has the most of them in it loses its
    /// oldest; if too many bytes, the origin that has the most bytes. So one sender's flood costs
    /// no other sender a slot. `id` itself may be removed. Among several such origins one is chosen
    /// at random: an attacker with very many of them can neither be sure to displace a certain
    /// request, nor close the box for later senders.
    ///
    /// - Returns: The evicted conversations, whose remaining data the caller removes.
    package mutating func fileRequest(
        _ id: Bytes32,
        of account: Address,
        from origin: Bytes32,
        bytes: UInt64,
        at now: Timestamp,
        using random: inout some RandomNumberGenerator
    ) throws -> [Bytes32] {
        let key = CompositeKey(account, id)
        var request =
            try get(MailRequests.self, key) ?? MailRequest(origin: origin, since: now, bytes: 0)
        request.bytes += bytes
        try put(MailRequests.self, key, request)
        var held = try requests(of: account)
        var total = held.values.reduce(0) { $0 + $1.bytes }
        var evicted: [Bytes32] = []
        while held.count > limits.requestsMax || total > limits.requestBytesMax {
            let isOverCount = held.count > limits.requestsMax
            let counts = Dictionary(grouping: held, by: \.value.origin).mapValues { requests in
                isOverCount
                    ? UInt64(requests.count) : requests.reduce(0) { $0 + $1.value.bytes }
            }
            let most = counts.values.max()
            let origin = counts.filter { $0.value == most }.keys.sorted()
                .randomElement(using: &random)
            let oldest = held.filter { $0.value.origin == origin }.min {
                ($0.value.since, $0.key) < ($1.value.since, $1.key)
            }
            guard let (id, request) = oldest else { break }
            held[id] = nil
            total -= request.bytes
            try remove(MailRequests.self, CompositeKey(account, id))
            evicted.append(id)
        }
        return evicted
    }

    /// Removes a conversation with all its messages and whatever else is filed under it.
    package mutating func removeConversation(_ id: Bytes32, of account: Address) throws {
        let key = CompositeKey(account, id)
        try removeConversationRow(id, of: account)
        try remove(MailRequests.self, key)
        try remove(ReceiptsDue.self, key)
        try removeMessages(in: id, of: account)
    }

    /// Removes the messages of a conversation.
    package mutating func removeMessages(in id: Bytes32, of account: Address) throws {
        let messages = Scan<MessageKey>.prefix(CompositeKey(account, id))
        try countConversationBytes(removing: try weight(Messages.self, messages), of: account)
        try remove(Messages.self, messages)
        try remove(MessagesByNumber.self, .prefix(CompositeKey(account, id)))
        try remove(UnknownMessages.self, .prefix(CompositeKey(account, id)))
        try removeReports(in: id, of: account)
        try removeTradeNotes(in: id, of: account)
        try removeFiles(in: id, of: account)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The account's request box.
    package func requests(of account: Address) throws -> [Bytes32: MailRequest] {
        let held = try entries(MailRequests.self, .prefix(account))
        return Dictionary(uniqueKeysWithValues: held.map { ($0.key.second, $0.value) })
    }
}
