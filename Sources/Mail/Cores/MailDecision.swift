import Keys
import Market
import Storage

/// An opened message whose sender is proved, from its account's point of view.
struct ProvedMail: Sendable {
    let message: MailMessage
    /// The signed message.
    let bytes: [UInt8]
    let source: MailSource
    /// Whether the account itself wrote it, on another node.
    let isMine: Bool
    /// The other side of its conversation.
    let other: Address

    init(_ mail: SignedMail, from source: MailSource, to account: Address) {
        (message, bytes, self.source) = (mail.message, mail.bytes, source)
        isMine = message.sender == account
        other = isMine ? message.recipient : message.sender
    }

    var conversation: Bytes32 { message.conversation.hash }
    var device: Bytes32 { DeviceCertificate.slot(of: message.device) }
}

/// The destination of an opened message whose sender is proved.
///
/// Laws:
/// - Nothing of a blocked account is filed.
/// - A report and a message of an unknown kind are filed in the same way as a text.
/// - Of an account that is not accepted only texts are filed, and only in the request box.
/// - A text that is here already, or was here and was deleted, changes nothing.
/// - A text waits while the account's conversations have used up their bytes, unless it belongs to
///   a move of a sale; one that would create a conversation, or restore a deleted one, also while
///   there are too many. In the request box there is always room.
/// - Messages that the account wrote on another node are filed like a known sender's; its receipts
///   have no marks for this device.
enum MailDecision: Equatable, Sendable {
    case drop(MailDropReason)
    /// It leaves the mailbox and changes nothing.
    case ignore
    /// It stays in the mailbox until there is room.
    case waitForRoom
    case receipt([MailMark])
    case show
    case request

    /// Decides on `mail`.
    ///
    /// - Parameters:
    ///   - mail: The message.
    ///   - contact: The account's data about the other side.
    ///   - conversation: The conversation of the message, if it exists or was deleted.
    ///   - isFiled: Whether the message is in its conversation already.
    ///   - isFull: Whether there is no room for another conversation.
    ///   - lacksBytes: Whether there is no room for the message in any conversation.
    init(
        _ mail: ProvedMail,
        contact: StoredContact,
        conversation: StoredConversation?,
        isFiled: Bool,
        isFull: @autoclosure () throws -> Bool,
        lacksBytes: @autoclosure () throws -> Bool = false
    ) rethrows {
        let isKnown = contact.isAccepted || mail.isMine
        if contact.isBlocked, !mail.isMine {
            self = .drop(.blocked)
            return
        }
        switch mail.message.body {
        case .receipt(let marks):
            // Only an account that this one has written to has any receipt for it.
            self = isKnown ? .receipt(mail.isMine ? [] : marks) : .drop(.overLimits)
        case .text, .report, .address, .exception, .work, .note, .priceOffer, .unknown:
            let isDeleted = conversation?.hasDeleted(mail.message.number, of: mail.device) ?? false
            if isFiled || isDeleted {
                self = .ignore
            } else if !isKnown {
                self = .request
            } else if conversation?.isDeleted ?? true, try isFull() {
                self = .waitForRoom
            } else if try lacksBytes() {
                self = .waitForRoom
            } else {
                self = .show
            }
        }
    }
}
