import AccountAccess
import Answers
import Client
package import Foundation
import GossipProtocol
import Keys
import Market

/// A message as an account keeps it, sealed.
///
/// Laws:
/// - A queued message becomes sent when a home has it, failed if it expires before.
/// - A queued or sent one becomes delivered or not understood by a receipt, and one that was not
///   understood becomes delivered by a later one.
/// - No other state changes, and the number of homes that have it never decreases.
/// - Of a kind that this version does not know it keeps the signed message, until a version reads
///   it.
package struct StoredMessage: Codable, Sendable {
    /// Its progress; whether it was read follows from the conversation.
    enum State: String, Codable, Sendable {
        case queued, sent, delivered, failed
        /// Delivered to devices that do not know its kind.
        case notUnderstood = "not_understood"
        /// Received from the other side.
        case received
    }

    let sender: String
    /// The slot of the device that wrote it.
    package let device: String
    let number: UInt64
    /// A report's text too; empty if its kind is unknown.
    package private(set) var text: String
    /// The subject, if it is a report.
    private(set) var report: StoredReport?
    /// The subject, if it is about a trade, such as a delivery address.
    package private(set) var note: StoredTradeNote?
    /// By its sender's clock, see ``sentAt(_:arrivedAt:)``.
    package let sentAt: Date
    /// When this node filed it; `nil` for one that was written here.
    private(set) var arrivedAt: Date?
    var state: State
    var heldBy = 0
    var reason: [Sentence]?
    /// The signed message, if its kind is unknown.
    var mail: Data?

    /// Whether a receipt says that the recipient has it, understood or not.
    package var isAcknowledged: Bool { state == .delivered || state == .notUnderstood }

    init(
        sender: String,
        device: String,
        number: UInt64,
        text: String,
        report: StoredReport? = nil,
        note: StoredTradeNote? = nil,
        sentAt: Date,
        arrivedAt: Date? = nil,
        state: State
    ) {
        (self.sender, self.device, self.number) = (sender, device, number)
        (self.text, self.report, self.note) = (text, report, note)
        (self.sentAt, self.arrivedAt, self.state) = (sentAt, arrivedAt, state)
    }

    /// How far a sender's clock can be ahead of this node's.
    static let aheadMax = MailLimits().clockOffMax

    /// Returns when a message was sent: as its sender says, but not in the future.
    static func sentAt(_ sentAt: Timestamp, arrivedAt: Date) -> Date {
        sentAt > Timestamp(arrivedAt).advanced(by: aheadMax) ? arrivedAt : sentAt.date
    }

    /// Records its progress towards the recipient's homes.
    ///
    /// - Returns: Whether anything changed.
    mutating func handedOver(to homeCount: Int, reason: [Sentence]?, isExpired: Bool) -> Bool {
        let before = (state, heldBy, self.reason)
        heldBy = max(homeCount, heldBy)
        self.reason = reason
        if state == .queued, homeCount > 0 { state = .sent }
        if isExpired, state == .queued {
            state = .failed
            self.reason = [Sentence("refusal.noHomeReached")]
        }
        return before != (state, heldBy, self.reason)
    }

    /// Records that the recipient has it, and whether it knows its kind.
    ///
    /// - Returns: Whether that was not known.
    mutating func delivered(isUnderstood: Bool) -> Bool {
        guard state == .queued || state == .sent else { return false }
        (state, reason) = (isUnderstood ? .delivered : .notUnderstood, nil)
        return true
    }

    /// Records that the recipient knows its kind, which it did not know at first.
    ///
    /// - Returns: Whether that was not known.
    mutating func understood() -> Bool {
        guard state == .notUnderstood else { return false }
        state = .delivered
        return true
    }

    /// Reads a message whose kind was unknown on arrival.
    ///
    /// - Returns: Whether this version knows its kind.
    mutating func readAgain() throws -> Bool {
        guard let mail else { return false }
        let message = try SignedMail([UInt8](mail)).message
        guard let text = message.body.shownText else { return false }
        (self.text, report, self.mail) = (text, StoredReport(message.body), nil)
        note = StoredTradeNote(message.body, from: message.sender, to: message.recipient)
        return true
    }

    private var kind: String {
        if mail != nil { return "unknown" }
        if report != nil { return "report" }
        return note?.kind.rawValue ?? "text"
    }

    /// Returns the message in the API's form.
    func shown(at key: MessageName, in conversation: StoredConversation) -> Message {
        let isRead: Bool
        switch state {
        case .received: isRead = key.place <= conversation.readPlace
        case .failed, .notUnderstood: isRead = false
        case .queued, .sent, .delivered: isRead = number <= conversation.readByThem
        }
        return Message(
            id: key.text,
            conversation: key.conversation.hex,
            sender: sender,
            kind: kind,
            // A buyer's address is shown with the sale, while its seller needs it.
            text: state == .received && note?.kind == .address ? "" : text,
            pictures: note.flatMap { $0.pictures.isEmpty ? nil : $0.pictures.count },
            sentAt: sentAt,
            arrivedAt: arrivedAt ?? sentAt,
            state: isRead ? "read" : state.rawValue,
            heldBy: heldBy,
            reason: reason
        )
    }
}

/// The subject of a stored report.
struct StoredReport: Codable, Hashable, Sendable {
    /// The reported account; `nil` if it is about none.
    let account: String?
    /// The slot of its listing.
    var listing: String?
    /// The record of its review.
    var review: String?

    /// Takes a report's subject; `nil` for another body.
    init?(_ body: MailMessage.Body) {
        guard case .report(let report) = body else { return nil }
        switch report.subject {
        case .node: account = nil
        case .account(let address): account = address.text
        case .listing(let slot, let author): (account, listing) = (author.text, slot.hex)
        case .review(let record, let author): (account, review) = (author.text, record.digest.hex)
        }
    }
}

extension MailMessage.Body {
    /// The text that is shown of it; `nil` if it has none.
    var shownText: String? {
        switch self {
        case .text(let text): text
        case .report(let report): report.text
        case .address(let address): address.text
        case .exception: ""
        case .work(let work): work.name
        case .note(let note): note.text
        case .priceOffer: ""
        case .receipt, .unknown: nil
        }
    }
}

/// A message's id in the API: the first digits of its conversation's id, and its position there.
struct MessageName: Hashable, Sendable {
    let conversation: Bytes32
    let place: UInt64

    var text: String { "\(conversation.hex.dropFirst(2).prefix(16))-\(place)" }

    /// Returns the position that an id names in this conversation, or `nil`.
    static func place(_ text: String, in conversation: Bytes32) -> UInt64? {
        guard let place = text.split(separator: "-").last.flatMap({ UInt64($0) }),
            MessageName(conversation: conversation, place: place).text == text
        else { return nil }
        return place
    }
}

extension AccountEventLog {
    /// Reports a message to its account as an event, if it is new or has a new state.
    func report(
        _ message: StoredMessage,
        _ name: MessageName,
        _ kept: StoredConversation,
        to account: Address
    ) async throws {
        let shown = message.shown(at: name, in: kept)
        try await record(
            "message",
            subject: shown.conversation,
            data: shown.eventData,
            for: account
        )
    }
}

extension Message {
    /// The data of an event about the message.
    var eventData: [String: String] {
        [
            "message": id, "sender": sender, "kind": kind, "state": state,
            "heldBy": String(heldBy),
        ]
    }
}
