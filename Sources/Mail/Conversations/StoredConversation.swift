import Answers
import Foundation
import Keys
import Market

/// A conversation as an account keeps it, sealed.
///
/// Laws:
/// - A receipt is owed for each number that was opened and for what was read since the last one,
///   and for nothing twice. At most `devicesMax` devices are owed receipts; one to which a receipt
///   is due is never forgotten.
/// - Each delivered number of this device counts once, and only if it was used; one that was not
///   understood counts again when it is.
/// - Messages from before a conversation's deletion are recognised as deleted.
struct StoredConversation: Codable, Sendable {
    /// The receipt that is owed to one of the other side's devices.
    struct PendingReceipt: Codable, Sendable {
        /// Numbers opened here that no receipt has named yet, without those of unknown kinds.
        var delivered = NumberRanges()
        /// Numbers opened here whose kind is unknown, which no receipt has named yet.
        var notUnderstood = NumberRanges()
        /// The greatest number opened here.
        var last: UInt64 = 0
        /// The number up to which its messages were read here, and the number that was reported.
        var readThrough: UInt64 = 0
        var readTold: UInt64 = 0

        var isDue: Bool {
            !delivered.isEmpty || !notUnderstood.isEmpty || readThrough > readTold
        }
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
    /// The position up to which the account has read.
    var readPlace: UInt64 = 0
    var unread = 0
    /// The number of this device up to which the other side has read.
    var readByThem: UInt64 = 0
    var owed: [String: PendingReceipt] = [:]
    /// Numbers of this device that the other side is known to have opened.
    var opened = NumberRanges()
    /// Of these, numbers whose kind the other side does not know.
    var notUnderstood = NumberRanges()
    /// Whether its account deleted it; then only its numbers are kept, until a new message arrives.
    var isDeleted = false
    /// Numbers that were here when it was deleted, by device; copies of them may still arrive.
    var deleted: [String: NumberRanges]?
    /// When everything about it is forgotten; `nil` if this device has used a number in it.
    var forgottenAt: Date?
    /// Numbers up to which another node of the account has read, by device.
    var readThere: [String: UInt64]?
    /// Messages that arrived after later ones of their devices.
    var late: [MessageOrder.Late]?
    /// The outbox id of the receipt in transit; the next receipt waits for it.
    var receiptInOutbox: String?

    init(with other: Address, slot: Bytes32?, at now: Date) {
        with = other.text
        self.slot = slot?.text
        changedAt = now
    }
}

extension StoredConversation {
    /// The order in which its messages are shown.
    var order: MessageOrder {
        get { MessageOrder(late ?? []) }
        set { late = newValue.late.isEmpty ? nil : newValue.late }
    }

    /// Marks it as deleted, and remembers the numbers of its messages, by device.
    mutating func delete(_ numbers: [Bytes32: [UInt64]], at date: Date) {
        isDeleted = true
        late = nil
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

    /// Marks all messages that arrived up to `place` as read by the account.
    ///
    /// - Parameters:
    ///   - place: The position of the last of them.
    ///   - unread: The numbers of those that arrived after it and are unread, by device.
    /// - Returns: Whether any was unread.
    mutating func markRead(through place: UInt64, leaving unread: [String: [UInt64]]) -> Bool {
        let left = min(self.unread, unread.values.reduce(0) { $0 + $1.count })
        guard place > readPlace || self.unread > left else { return false }
        readPlace = max(readPlace, place)
        self.unread = left
        for (device, due) in owed {
            // A receipt names a number up to which all is read.
            let last = unread[device]?.min().map { $0 - 1 } ?? due.last
            owed[device]?.readThrough = max(due.readThrough, last)
        }
        return true
    }

    /// The account's read marks, for its other nodes.
    var readMark: ReadMark {
        let numbers = owed.compactMap { text, due in
            Bytes32(hex: text).flatMap { due.readThrough > 0 ? ($0, due.readThrough) : nil }
        }
        return ReadMark(Dictionary(uniqueKeysWithValues: numbers))
    }

    /// Applies the read marks of another node of the account, which has sent the receipts.
    ///
    /// - Returns: Whether there may be less that is unread.
    mutating func readElsewhere(_ mark: ReadMark) -> Bool {
        var isNews = false
        for (device, number) in mark.numbers where number > readThere?[device.text] ?? 0 {
            guard readThere?[device.text] != nil || readThere?.count ?? 0 < Self.devicesMax else {
                continue
            }
            readThere = readThere ?? [:]
            readThere?[device.text] = number
            isNews = true
            guard var due = owed[device.text] else { continue }
            due.readThrough = max(due.readThrough, min(number, due.last))
            due.readTold = max(due.readTold, due.readThrough)
            owed[device.text] = due
        }
        return isNews && unread > 0
    }

    /// Whether this node or another one has read a device's message.
    func isRead(_ number: UInt64, of device: String) -> Bool {
        number <= max(owed[device]?.readThrough ?? 0, readThere?[device] ?? 0)
    }

    /// Marks a device's message as opened and unread; its sender is due a receipt.
    mutating func owe(_ number: UInt64, to device: Bytes32, isUnderstood: Bool = true) {
        if number > readThere?[device.text] ?? 0 { unread += 1 }
        note(number, of: device, isUnderstood: isUnderstood)
    }

    /// Marks a device's message as understood, whose kind was unknown on arrival.
    mutating func understand(_ number: UInt64, of device: Bytes32) {
        owed[device.text]?.notUnderstood.remove([number...number])
        note(number, of: device, isUnderstood: true)
    }

    /// Records a number for the next receipt, unless there is no room for its device.
    private mutating func note(_ number: UInt64, of device: Bytes32, isUnderstood: Bool) {
        if owed[device.text] == nil, owed.count >= Self.devicesMax {
            // Drops a device to which no receipt is due. Nothing is lost if all its messages are
            // read.
            let told = owed.filter { !$0.value.isDue }
            let place = told.min { one, other in
                let (isRead, isOtherRead) = (one.value.isRead, other.value.isRead)
                return isRead == isOtherRead ? one.key < other.key : isRead
            }
            guard let place else { return }
            owed[place.key] = nil
        }
        var owed = owed[device.text] ?? PendingReceipt()
        if isUnderstood {
            owed.delivered.insert(number)
        } else {
            owed.notUnderstood.insert(number)
        }
        owed.last = max(owed.last, number)
        self.owed[device.text] = owed
    }

    /// Removes and returns the marks for one receipt; `nil` if nothing is owed.
    mutating func takeMarks() -> [MailMark]? {
        var marks: [MailMark] = []
        for (text, due) in owed.sorted(by: { $0.key < $1.key })
        where due.isDue && marks.count < MailMark.marksMax {
            guard let device = Bytes32(hex: text) else { continue }
            let delivered = due.delivered.union(due.notUnderstood)
            // Each range is in `delivered` as a whole, or was dropped from it.
            let notUnderstood = NumberRanges(delivered.parts(of: due.notUnderstood.ranges))
            marks.append(
                MailMark(
                    device: device,
                    delivered: delivered,
                    notUnderstood: notUnderstood ?? NumberRanges(),
                    readThrough: due.readThrough
                )
            )
            owed[text]?.delivered = NumberRanges()
            owed[text]?.notUnderstood = NumberRanges()
            owed[text]?.readTold = due.readThrough
        }
        return marks.isEmpty ? nil : marks
    }

    /// Applies a mark about the numbers of this device.
    ///
    /// Only numbers that were used count. Ranges that were named before cost nothing, however long
    /// they are.
    ///
    /// - Returns: The numbers that were not known to be delivered, and those that were not
    ///   understood before and now are.
    mutating func take(
        _ mark: MailMark
    ) -> (delivered: [ClosedRange<UInt64>], understood: [ClosedRange<UInt64>]) {
        let delivered = mark.delivered.subtracting(opened, through: lastNumber)
        let understood = mark.delivered.parts(
            of: notUnderstood.subtracting(mark.notUnderstood, through: lastNumber)
        )
        opened.cover(delivered)
        notUnderstood.remove(understood)
        notUnderstood.cover(mark.notUnderstood.parts(of: delivered))
        return (delivered, understood)
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
