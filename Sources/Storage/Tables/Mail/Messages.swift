package import Keys

/// Messages in the order in which the account got or sent them.
enum Messages: Table {
    typealias Key = MessageKey
    typealias Value = [UInt8]
    static let name = "messages"
}

/// Messages by their number from the sending device, to detect duplicates.
enum MessagesByNumber: Table {
    typealias Key = MessageNumberKey
    typealias Value = UInt64
    static let name = "messages-by-number"
}

/// Received messages of a kind that this version did not know when they arrived.
package enum UnknownMessages: Table {
    package typealias Key = MessageKey
    package typealias Value = EmptyValue
    package static let name = "unknown-messages"
}

/// Account and conversation, then the position in it, from 1.
package struct MessageKey: TableKey, TableValue, Hashable {
    package let account: Address
    package let conversation: Bytes32
    package let place: UInt64

    package init(account: Address, conversation: Bytes32, place: UInt64) {
        (self.account, self.conversation, self.place) = (account, conversation, place)
    }

    package var storedByteCount: Int { 60 }

    package func write(to writer: inout ByteWriter) { writer.write(account, conversation, place) }

    package init(from reader: inout ByteReader) throws(FormError) {
        (account, conversation, place) = try (reader.read(), reader.read(), reader.read())
    }
}

/// Account and conversation, then the sending device and its own count.
package struct MessageNumberKey: TableKey, Hashable {
    package let account: Address
    package let conversation: Bytes32
    package let device: Bytes32
    package let number: UInt64

    package init(account: Address, conversation: Bytes32, device: Bytes32, number: UInt64) {
        (self.account, self.conversation) = (account, conversation)
        (self.device, self.number) = (device, number)
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(account, conversation, device, number)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        (account, conversation, device) = try (reader.read(), reader.read(), reader.read())
        number = try reader.read()
    }
}

extension WriteTransaction {
    /// Adds a message at the end of its conversation.
    ///
    /// - Returns: Its position, or `nil` if that device's number is already here.
    package mutating func appendMessage(
        _ bytes: [UInt8],
        as number: MessageNumberKey
    ) throws -> MessageKey? {
        if try contains(MessagesByNumber.self, number) { return nil }
        let conversation = CompositeKey(number.account, number.conversation)
        let last = try keys(Messages.self, .prefix(conversation, .descending), limit: 1).first
        let key = MessageKey(
            account: number.account,
            conversation: number.conversation,
            place: (last?.place ?? 0) + 1
        )
        try countConversationBytes(adding: ConversationWeight.of(bytes.count), of: number.account)
        try put(Messages.self, key, bytes)
        try put(MessagesByNumber.self, number, key.place)
        return key
    }

    /// Replaces a message, as when its state has changed; its position stays.
    package mutating func replaceMessage(_ bytes: [UInt8], at key: MessageKey) throws {
        let old = try message(at: key)
        try countConversationBytes(
            adding: ConversationWeight.of(bytes.count),
            removing: old.map { ConversationWeight.of($0.count) } ?? 0,
            of: key.account
        )
        try put(Messages.self, key, bytes)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Where the message with a device's number is, or `nil`.
    package func place(of number: MessageNumberKey) throws -> MessageKey? {
        try get(MessagesByNumber.self, number).map {
            MessageKey(account: number.account, conversation: number.conversation, place: $0)
        }
    }

    /// The positions of the messages of a number's device with greater numbers, in rising order; at
    /// most `limit`.
    package func places(
        after number: MessageNumberKey,
        limit: Int = .max
    ) throws -> [(number: UInt64, place: UInt64)] {
        let device = CompositeKey(number.account, CompositeKey(number.conversation, number.device))
        let scan = Scan<MessageNumberKey>.prefix(device).beyond(number)
        return try entries(MessagesByNumber.self, scan, limit: limit)
            .map { ($0.key.number, $0.value) }
    }

    package func message(at key: MessageKey) throws -> [UInt8]? {
        try get(Messages.self, key)
    }

    /// Messages of a conversation, the latest first.
    package func messages(
        account: Address,
        conversation: Bytes32,
        before place: UInt64? = nil,
        limit: Int
    ) throws -> [(key: MessageKey, bytes: [UInt8])] {
        let last = place.map {
            MessageKey(account: account, conversation: conversation, place: $0)
        }
        let scan = Scan<MessageKey>.prefix(CompositeKey(account, conversation), .descending).beyond(
            last
        )
        return try entries(Messages.self, scan, limit: limit).map { ($0.key, $0.value) }
    }
}
