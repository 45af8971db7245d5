import Client
import Foundation
import Keys
import Market

/// A message as an account keeps it, sealed.
///
/// Laws: a queued message becomes sent when a home holds it, failed if it expires before; a queued or
/// sent one becomes delivered by a receipt. No other state changes, and the number of homes that hold it never falls.
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

    /// Records how far it has come on its way to the recipient's homes.
    ///
    /// - Returns: Whether anything changed.
    mutating func handedOver(to homeCount: Int, problem: String?, isExpired: Bool) -> Bool {
        let before = (state, heldBy, self.problem)
        heldBy = max(homeCount, heldBy)
        self.problem = problem
        if state == .queued, homeCount > 0 { state = .sent }
        if isExpired, state == .queued {
            state = .failed
            self.problem = "No home of the recipient could be reached. Write it again."
        }
        return before != (state, heldBy, self.problem)
    }

    /// Records that the recipient has it.
    ///
    /// - Returns: Whether that was not known.
    mutating func delivered() -> Bool {
        guard state == .queued || state == .sent else { return false }
        (state, problem) = (.delivered, nil)
        return true
    }

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
