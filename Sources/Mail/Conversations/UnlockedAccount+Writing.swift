import AccountAccess
import Answers
import Client
import Foundation
import Keys
import Market
import Records
import Storage

/// The messages that an account writes. They are signed in the transaction that gives them their
/// number.
extension UnlockedAccount {
    /// Writes a text or a report into its conversation and the outbox.
    func write(
        _ body: MailMessage.Body,
        to id: Bytes32,
        _ kept: inout StoredConversation,
        network: String,
        at date: Date,
        in transaction: inout WriteTransaction
    ) throws -> Message {
        try checkRoom(for: body, in: transaction)
        try admit(body, to: id, with: Address(text: kept.with), in: &transaction)
        kept.changedAt = date
        kept.isDeleted = false
        let message = StoredMessage(
            sender: account.text,
            device: slot.text,
            number: kept.lastNumber + 1,
            text: body.shownText ?? "",
            report: StoredReport(body),
            note: StoredTradeNote(body, from: account, to: try Address(text: kept.with)),
            sentAt: date,
            state: .queued
        )
        let key = try queue(
            body,
            shownAs: message,
            to: id,
            &kept,
            network: network,
            at: date,
            in: &transaction
        )
        if let key {
            try transaction.listReport(message, at: key, filedAt: date)
            try transaction.listTradeNote(message, at: key, of: self)
        }
        return message.shown(at: MessageName(conversation: id, place: key?.place ?? 0), in: kept)
    }

    /// Refuses a text, report or offer for which the account's conversations have no room; what
    /// moves a sale always has.
    private func checkRoom(
        for body: MailMessage.Body,
        in transaction: borrowing WriteTransaction
    ) throws {
        switch body {
        case .text, .report, .priceOffer: break
        case .receipt, .address, .exception, .work, .note, .unknown: return
        }
        switch try transaction.conversationRoom(for: body.byteCount, of: account) {
        case .free: return
        case .accountFull:
            throw Refusal(
                .notAllowed,
                Sentence(
                    "refusal.conversationsLong",
                    ["size": "\(transaction.limits.conversationBytesMax >> 20)"]
                )
            )
        case .allFull:
            throw Refusal(.storeFull, Sentence("refusal.noRoomForConversations"))
        }
    }

    /// Accepts the recipient, and counts the message if the recipient has not accepted the sender
    /// yet.
    ///
    /// - Throws: ``Refusal`` with `not_allowed` if the recipient is blocked or a limit is reached.
    private func admit(
        _ body: MailMessage.Body,
        to id: Bytes32,
        with other: Address,
        in transaction: inout WriteTransaction
    ) throws {
        var contact = try transaction.contact(other, of: self) ?? StoredContact(with: other)
        if contact.isBlocked {
            throw Refusal(.notAllowed, Sentence("refusal.blocked", ["account": "\(other)"]))
        }
        try transaction.accept(&contact, of: self)
        if !contact.hasAccepted, !contact.sent.admit(id.text, bytes: body.byteCount) {
            throw Refusal(
                .notAllowed,
                Sentence(
                    "refusal.notAnswered",
                    [
                        "account": "\(other)", "messages": "\(StoredContact.messagesMax)",
                        "bytes": "\(StoredContact.bytesMax)",
                        "conversations": "\(StoredContact.conversationsMax)",
                    ]
                )
            )
        }
        try putContact(contact, in: &transaction)
    }

    /// Signs the device's next message of a conversation and puts it into the outbox.
    ///
    /// `message` is the form that is shown, stored under the returned key; receipts are not shown.
    func queue(
        _ body: MailMessage.Body,
        shownAs message: StoredMessage?,
        to id: Bytes32,
        _ kept: inout StoredConversation,
        network: String,
        at date: Date,
        in transaction: inout WriteTransaction
    ) throws -> MessageKey? {
        try requireMayWrite(body)
        let recipient = try Address(text: kept.with)
        kept.lastNumber += 1
        let mail = try MailMessage(
            network: network,
            sender: account,
            device: device.publicKey,
            recipient: recipient,
            listing: kept.slot.flatMap { Bytes32(hex: $0) },
            number: kept.lastNumber,
            sentAt: Timestamp(date),
            body: body,
            grant: grant(for: recipient),
            certificate: try certificate(for: recipient, in: transaction)
        ).signed(by: device)
        let name = OutgoingMail.id(id, slot, kept.lastNumber)
        let key = try message.flatMap {
            try append($0, to: id, from: slot, in: &transaction)
        }
        let outgoing = OutgoingMail(
            conversation: id,
            recipient: recipient,
            number: kept.lastNumber,
            place: key?.place,
            mail: try seal.seal(mail.bytes, for: .outgoing(name))
        )
        let entry = OutboxEntry(
            nextAttemptAt: Timestamp(date),
            expiresAt: Timestamp(date).advanced(by: MailEnvelope.lifetimeMax),
            destination: OutboxDestination(recipient: recipient, isOfSale: body.isOfSale),
            bytes: outgoing.storedBytes
        )
        try transaction.putOutbox(entry, of: account, id: name)
        if message == nil { kept.receiptInOutbox = name.text }
        try putConversation(kept, id, in: &transaction)
        return key
    }

    /// Returns the record of the device, for a recipient that may not know it; empty if it is not
    /// needed, or is too long.
    private func certificate(
        for recipient: Address,
        in transaction: borrowing WriteTransaction
    ) throws -> [UInt8] {
        if try transaction.contact(recipient, of: self)?.hasAccepted == true { return [] }
        let place = RecordKey(author: account, kind: .device, slot: slot)
        guard let record = try transaction.record(in: place)?.readable(), !record.isWithdrawal,
            record.bytes.count <= MailMessage.certificateByteCountMax
        else { return [] }
        return record.bytes
    }
}
