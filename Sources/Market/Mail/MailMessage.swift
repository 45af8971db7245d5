package import Keys

/// A message from a device to another account, before signing and sealing.
///
/// Source: Docs/protocol.md, section 10.3.
package struct MailMessage: Hashable, Sendable {
    package static let textByteCountMax = 16_384

    /// The content of the message.
    package enum Body: Hashable, Sendable {
        case text(String)
        /// At most one mark per device, ordered by the device's slot.
        case receipt([MailMark])
        /// What the recipient, who reads the reports of a node, is told of somebody.
        case report(MailReport)
        /// A kind that only a later version knows.
        case unknown(UnknownMailBody)

        /// The bytes that count towards the limits of first contact.
        ///
        /// Source: Docs/protocol.md, section 10.14.
        package var byteCount: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .receipt: 0
            case .report(let report): report.body.content.count
            case .unknown(let body): body.content.count
            }
        }
    }

    package let network: String
    package let sender: Address
    /// The sending device, which the sender's account must have certified.
    package let device: PublicKey
    package let recipient: Address
    /// The slot of the listing that the conversation is about.
    package let listing: Bytes32?
    /// The device's own count in the conversation, from 1; it identifies duplicates.
    package let number: UInt64
    package let sentAt: Timestamp
    package let body: Body
    /// Lets the recipient answer without proof of work.
    package let grant: MailGrant?

    package init(
        network: String,
        sender: Address,
        device: PublicKey,
        recipient: Address,
        listing: Bytes32?,
        number: UInt64,
        sentAt: Timestamp,
        body: Body,
        grant: MailGrant? = nil
    ) {
        self.network = network
        self.sender = sender
        self.device = device
        self.recipient = recipient
        self.listing = listing
        self.number = number
        self.sentAt = sentAt
        self.body = body
        self.grant = grant
    }

    package var conversation: ConversationID {
        ConversationID(sender, recipient, listing: listing)
    }

    package func signed(by key: PrivateKey) throws(MailFault) -> SignedMail {
        guard key.publicKey == device else { throw .wrongSignature }
        let statement = CanonicalMessage.bytes(of: wire)
        let signature = key.sign(statement, as: .mail)
        return try SignedMail(message: self, statement: statement, signature: signature)
    }
}

/// The messages of one device that were received and read.
package struct MailMark: Hashable, Sendable {
    package static let marksMax = 16

    /// The slot of the device that sent the messages.
    package let device: Bytes32
    /// Numbers of opened messages.
    package let delivered: NumberRanges
    /// Those of the delivered numbers whose kind the marking device does not know.
    package let notUnderstood: NumberRanges
    /// All messages up to this number have been read; 0 if none has.
    package let readThrough: UInt64

    package init(
        device: Bytes32,
        delivered: NumberRanges,
        notUnderstood: NumberRanges = NumberRanges(),
        readThrough: UInt64
    ) {
        (self.device, self.delivered, self.readThrough) = (device, delivered, readThrough)
        self.notUnderstood = notUnderstood
    }
}

/// The id of the conversation of two accounts about one listing, or about none.
///
/// Keccak-256 of the lower account, the higher one, and the listing's slot (zero for none).
package struct ConversationID: Hashable, Sendable {
    package let hash: Bytes32

    package init(_ one: Address, _ other: Address, listing: Bytes32?) {
        let slot = listing ?? .zero
        hash = Keccak256.hash(min(one, other).bytes + max(one, other).bytes + slot.bytes)
    }
}
