import Client
import Foundation
import Keys
import Market

/// A conversation as an account keeps it, sealed.
struct StoredConversation: Codable, Sendable {
    /// The receipt that is owed to one of the other side's devices.
    struct PendingReceipt: Codable, Sendable {
        /// Numbers opened here that no receipt has named yet.
        var delivered = NumberRanges()
        /// The greatest number opened here.
        var last: UInt64 = 0
        /// The number up to which its messages were read here, and the one that was told.
        var readThrough: UInt64 = 0
        var readTold: UInt64 = 0

        var isDue: Bool { !delivered.isEmpty || readThrough > readTold }
        var isRead: Bool { readThrough == last }
    }

    /// Devices of the other side that get receipts; an account has 16 at one time.
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
    /// The number of this device up to which the other side has read.
    var readByThem: UInt64 = 0
    var owed: [String: PendingReceipt] = [:]
    /// Numbers of this device that the other side is known to have opened.
    var opened = NumberRanges()
    /// Whether its account deleted it; then only its numbers are kept, until a new message comes.
    var isDeleted = false
    /// Numbers that were here when it was deleted, by device; copies of them may still come.
    var deleted: [String: NumberRanges]?
    /// When everything about it is forgotten; `nil` if this device has used a number in it.
    var forgottenAt: Date?
    /// The outbox id of the receipt that is on its way; the next receipt waits for it.
    var receiptInOutbox: String?

    init(with other: Address, slot: Bytes32?, at now: Date) {
        with = other.text
        self.slot = slot?.text
        changedAt = now
    }
}

extension StoredConversation {
    /// Marks it as deleted, and remembers the numbers of its messages, by device.
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

    /// Returns whether a device's message was here and was deleted.
    func hasDeleted(_ number: UInt64, of device: Bytes32) -> Bool {
        deleted?[device.text]?.contains(number) ?? false
    }
}

/// A message as an account keeps it, sealed.
struct StoredMessage: Codable, Sendable {
    /// How far it has come; whether it was read follows from the conversation.
    enum State: String, Codable, Sendable {
        case queued, sent, delivered, failed
        /// Received from the other side.
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

    /// Returns the message in the API's form.
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

/// A message's id in the API: the beginning of its conversation's id, and its place there.
struct MessageName: Hashable, Sendable {
    let conversation: Bytes32
    let place: UInt64

    var text: String { "\(conversation.hex.dropFirst(2).prefix(16))-\(place)" }

    /// Returns the place that an id names in this conversation, or `nil`.
    static func place(_ text: String, in conversation: Bytes32) -> UInt64? {
        guard let place = text.split(separator: "-").last.flatMap({ UInt64($0) }),
            MessageName(conversation: conversation, place: place).text == text
        else { return nil }
        return place
    }
}

extension Address {
    /// The text form in stored values.
    var text: String { checksummed }
}

extension Bytes32 {
    /// The text form in stored values.
    var text: String { hex }
}
