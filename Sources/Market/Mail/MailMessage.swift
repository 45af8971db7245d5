package import Keys

/// What one device says to another account, before signing and sealing.
///
/// Source: Docs/protocol.md, section 10.3.
package struct MailMessage: Hashable, Sendable {
    package static let textByteCountMax = 16_384

    /// What it says.
    package enum Body: Hashable, Sendable {
        case text(String)
        /// One mark of a device, rising by the device's slot.
        case receipt([MailMark])
    }

    package let network: String
    package let sender: Address
    /// The sending device, which the sender's account must have certified.
    package let device: PublicKey
    package let recipient: Address
    /// The listing the conversation is about, by its slot.
    package let listing: Bytes32?
    /// The device's own count in the conversation, from 1; the key against duplicates.
    package let number: UInt64
    package let sentAt: Timestamp
    package let body: Body
    /// Lets the recipient answer without work.
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

/// What was received and read of one device's messages.
package struct MailMark: Hashable, Sendable {
    package static let marksMax = 16

    /// The slot of the device whose messages are meant.
    package let device: Bytes32
    /// Numbers of messages that were opened.
    package let delivered: NumberRanges
    /// All up to this number have been read; 0 where none was.
    package let readThrough: UInt64

    package init(device: Bytes32, delivered: NumberRanges, readThrough: UInt64) {
        (self.device, self.delivered, self.readThrough) = (device, delivered, readThrough)
    }
}

/// Names the conversation of two accounts, about one listing or about none.
///
/// Keccak-256 of the lower account, the higher one, and the listing's slot (zero for none).
package struct ConversationID: Hashable, Sendable {
    package let hash: Bytes32

    package init(_ one: Address, _ other: Address, listing: Bytes32?) {
        let slot = listing ?? .zero
        hash = Keccak256.hash(min(one, other).bytes + max(one, other).bytes + slot.bytes)
    }
}
