import Client
import Foundation
import Keys
import Market

/// A conversation as an account keeps it, sealed.
struct StoredConversation: Codable, Sendable {
    /// What is to be told to one of the other side's devices.
    struct PendingReceipt: Codable, Sendable {
        /// Numbers opened here and not told yet.
        var delivered = NumberRanges()
        /// The greatest number opened here.
        var last: UInt64 = 0
        /// Up to where its messages were read here, and up to where that was told.
        var readThrough: UInt64 = 0
        var readTold: UInt64 = 0

        var isDue: Bool { !delivered.isEmpty || readThrough > readTold }
        var isRead: Bool { readThrough == last }
    }

    /// Devices of the other side that are told of anything; an account has 16 at one time.
    static let devicesMax = 32

    /// The other side.
    let with: String
    /// The slot of the listing it is about.
    let slot: String?
    var changedAt: Date
    /// The greatest number this device has used, for messages and receipts alike.
    var lastNumber: UInt64 = 0
    /// The place up to which the account has read.
    var readPlace: UInt64 = 0
    var unread = 0
    /// Up to which of this device's numbers the other side has read.
    var readByThem: UInt64 = 0
    var owed: [String: PendingReceipt] = [:]
    /// Numbers of this device that the other side is known to have opened.
    var opened = NumberRanges()
    /// Whether its account deleted it; only the numbers count on, until there is a new message.
    var isDeleted = false
    /// Numbers that were here when it was deleted, by device: copies may still come.
    var deleted: [String: NumberRanges]?
    /// When nothing of it is remembered any more; `nil` if this device has used a number in it.
    var forgottenAt: Date?
    /// The receipts that are on their way; the next wait for these.
    var receiptInOutbox: String?

    init(with other: Address, slot: Bytes32?, at now: Date) {
        with = other.text
        self.slot = slot?.text
        changedAt = now
    }
}

extension StoredConversation {
    /// Deletes it, with messages of these numbers, by device.
    mutating func delete(_ numbers: [Bytes32: [UInt64]], at date: Date) {
        isDeleted = true
        (unread, owed) = (0, [:])
        var deleted = self.deleted ?? [:]
        for (device, numbers) in numbers
        where deleted[device.text] != nil || deleted.count < Self.devicesMax {
            for number in numbers { deleted[device.text, default: NumberRanges()].insert(number) }
        }
        self.deleted = deleted
        forgottenAt =
            lastNumber == 0
            ? Timestamp(date).advanced(by: MailEnvelope.lifetimeMax).date : nil
    }

    /// Whether a device's message was here and was deleted.
    func hasDeleted(_ number: UInt64, of device: Bytes32) -> Bool {
        deleted?[device.text]?.contains(number) ?? false
    }
}

/// A message as an account keeps it, sealed.
struct StoredMessage: Codable, Sendable {
    /// How far it has come; that it was read is told by the conversation.
    enum State: String, Codable, Sendable {
        case queued, sent, delivered, failed
        /// From the other side.
        case received
    }

    let sender: String
    let device: String
    let number: UInt64
    let text: String
    let sentAt: Date
    var state: State
    var heldBy = 0
    var problem: String?

    /// As the API shows it.
    func shown(at key: MessageName, in conversation: StoredConversation) -> Message {
        let isRead: Bool
        switch state {
        case .received: isRead = key.place <= conversation.readPlace
        case .failed: isRead = false
        case .queued, .sent, .delivered: isRead = number <= conversation.readByThem
        }
        return Message(
            id: key.text,
            conversation: key.conversation.hex,
            sender: sender,
            text: text,
            sentAt: sentAt,
            state: isRead ? "read" : state.rawValue,
            heldBy: heldBy,
            problem: problem
        )
    }
}

/// A message's name in the API: its conversation's beginning and its place there.
struct MessageName: Hashable, Sendable {
    let conversation: Bytes32
    let place: UInt64

    var text: String { "\(conversation.hex.dropFirst(2).prefix(16))-\(place)" }

    /// The place that a text names in this conversation, or `nil`.
    static func place(_ text: String, in conversation: Bytes32) -> UInt64? {
        guard let place = text.split(separator: "-").last.flatMap({ UInt64($0) }),
            MessageName(conversation: conversation, place: place).text == text
        else { return nil }
        return place
    }
}

extension Address {
    /// The form in which stored values hold it.
    var text: String { checksummed }
}

extension Bytes32 {
    /// The form in which stored values hold it.
    var text: String { hex }
}
