package import Keys

/// A message from a device to another account, before signing and sealing.
///
/// Source: Docs/protocol.md, section 10.3.
package struct MailMessage: Hashable, Sendable {
    package static let textByteCountMax = 16_384
    /// The bytes that every version accepts besides a body, less the field's tag and length.
    package static let certificateByteCountMax = 1_000
    /// An older certificate proves nothing, since its account may have revoked it.
    package static let certificateAgeMax = Duration.days(10)

    /// The content of the message.
    package enum Body: Hashable, Sendable {
        case text(String)
        /// At most one mark per device, ordered by the device's slot.
        case receipt([MailMark])
        /// A report about an account, to the recipient that reads the node's reports.
        case report(MailReport)
        /// Where a buyer wants the item of a sale sent.
        case address(MailAddress)
        /// A seller's exception from a listing's limits of shipping, for the recipient.
        case exception(MailException)
        /// The key of a digital work, for its buyer.
        case work(MailWork)
        /// A note that comes with a move in a sale.
        case note(MailNote)
        /// A buyer's offer to buy at another price, for the seller.
        case priceOffer(MailPriceOffer)
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
            case .address(let address): address.body.content.count
            case .exception(let exception): exception.body.content.count
            case .work(let work): work.body.content.count
            case .note(let note): note.body.content.count
            case .priceOffer(let offer): offer.body.content.count
            case .unknown(let body): body.content.count
            }
        }

        /// The sale that it is about; `nil` if it is about none.
        package var sale: SaleReference? {
            switch self {
            case .address(let address): address.sale
            case .work(let work): work.sale
            case .note(let note): note.sale
            case .priceOffer(let offer): offer.sale
            case .text, .receipt, .report, .exception, .unknown: nil
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
    /// The record of the sender that certifies the device, not validated; empty if there is none.
    package let certificate: [UInt8]

    package init(
        network: String,
        sender: Address,
        device: PublicKey,
        recipient: Address,
        listing: Bytes32?,
        number: UInt64,
        sentAt: Timestamp,
        body: Body,
        grant: MailGrant? = nil,
        certificate: [UInt8] = []
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
        self.certificate = certificate
    }

    /// Returns whether the message contains its account's own recent certificate for its device.
    ///
    /// The caller must check that the account has not revoked the device.
    ///
    /// Source: Docs/protocol.md, section 10.16.
    package func provesDevice(at now: Timestamp) -> Bool {
        guard !certificate.isEmpty, let record = try? UnverifiedRecord(certificate),
            record.draft.author == sender,
            record.draft.createdAt.advanced(by: Self.certificateAgeMax) > now,
            (try? record.admitted(to: network, at: now)) == .device,
            case .device(let device)? = try? record.verified().content
        else { return false }
        return device.key == self.device
    }

    package var conversation: ConversationID {
        ConversationID(sender, recipient, listing: listing)
    }

    package func signed(by key: PrivateKey) throws(MailFault) -> SignedMail {
        guard key.publicKey == device else { throw .wrongSignature }
        let statement = wire
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
