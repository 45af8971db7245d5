package import Foundation
package import Keys
package import Market
import Metrics
package import Storage

/// The subject of a stored message about a trade, such as a delivery address.
package struct StoredTradeNote: Codable, Hashable, Sendable {
    enum Kind: String, Codable, Sendable {
        /// Where a buyer wants the item sent.
        case address
        /// A seller's exception from the limits of shipping.
        case exception
        /// The key of a digital work.
        case work
        /// A note that comes with a move in a sale.
        case note
        /// A buyer's offer to buy at another price.
        case offer
    }

    let kind: Kind
    /// See ``TradeNotes``.
    let subject: String
    /// The work, if it is the key of one.
    package private(set) var work: StoredWork?
    /// The pictures of a note of a move, in their canonical form; `nil` if it has none.
    private var pictureBytes: [Data]?

    /// The pictures of a note of a move.
    package var pictures: [MailPicture] {
        (pictureBytes ?? []).compactMap { MailPicture([UInt8]($0)) }
    }
    /// The body's content, if it is an offer to buy at another price.
    package private(set) var offer: Data?

    /// Takes a body's subject; `nil` for another body.
    init?(_ body: MailMessage.Body, from sender: Address, to recipient: Address) {
        switch body {
        case .address(let address):
            (kind, subject) = (.address, Self.subject(of: address.sale, from: sender).hex)
        case .exception(let exception):
            (kind, subject) = (
                .exception, Self.subject(ofListing: exception.listing, from: sender).hex
            )
        case .work(let mail):
            (kind, subject) = (.work, Self.subject(ofWork: mail.sale, from: sender).hex)
            work = StoredWork(mail)
        case .note(let note):
            let name = Self.subject(
                ofNote: note.transaction,
                in: note.sale,
                from: sender,
                to: recipient
            )
            (kind, subject) = (.note, name.hex)
            pictureBytes = note.pictures.isEmpty ? nil : note.pictures.map { Data($0.bytes) }
        case .priceOffer(let mail):
            (kind, subject) = (.offer, Self.subject(ofOfferFor: mail.sale, from: sender).hex)
            offer = Data(mail.body.content)
        case .text, .receipt, .report, .unknown: return nil
        }
    }

    /// Names what a sender says about a sale: no other sender's statement replaces it.
    package static func subject(of sale: SaleReference, from sender: Address) -> Bytes32 {
        subject("address", sale, sender)
    }

    /// Names the work that a seller gives for a sale.
    package static func subject(ofWork sale: SaleReference, from sender: Address) -> Bytes32 {
        subject("work", sale, sender)
    }

    /// Names the note that one account gives another with the move of a transaction.
    package static func subject(
        ofNote transaction: Bytes32,
        in sale: SaleReference,
        from sender: Address,
        to recipient: Address
    ) -> Bytes32 {
        subject("note", sale, sender, recipient.bytes + transaction.bytes)
    }

    /// Names a buyer's offer to buy what a sale sells at another price.
    package static func subject(
        ofOfferFor sale: SaleReference,
        from sender: Address
    ) -> Bytes32 {
        subject("offer", sale, sender)
    }

    private static func subject(
        _ kind: String,
        _ sale: SaleReference,
        _ sender: Address,
        _ details: [UInt8] = []
    ) -> Bytes32 {
        var bytes = Array(kind.utf8) + sender.bytes + details + sale.contract.address.bytes
        bytes += sale.id.hash.bytes
        bytes += Array("\(sale.contract.chain.number)".utf8)
        return Keccak256.hash(bytes)
    }

    /// Names a seller's statement about one of the seller's listings.
    package static func subject(ofListing slot: Bytes32, from sender: Address) -> Bytes32 {
        Keccak256.hash(Array("exception".utf8) + sender.bytes + slot.bytes)
    }
}

extension WriteTransaction {
    /// Remembers which message counts for its subject, if it has one: the last, but the first note
    /// of a move.
    ///
    /// Of offers, the last by their sender's clock: one that is withdrawn must not come back.
    /// Offers for unknown sales are listed while there are few, because anybody can invent sales.
    mutating func listTradeNote(
        _ stored: StoredMessage,
        at key: MessageKey,
        of unlocked: UnlockedAccount,
        _ offer: OfferRelation? = nil
    ) throws {
        guard let note = stored.note, let subject = Bytes32(hex: note.subject) else { return }
        let place = CompositeKey(key.account, subject)
        switch note.kind {
        case .note: if try contains(TradeNotes.self, place) { return }
        case .offer:
            let last = try tradeNote(on: subject, of: unlocked)
            if let last, last.sentAt > stored.sentAt { return }
            if offer == .ofUnknownSale, last == nil {
                let listed = try keys(
                    PriceOfferNotes.self,
                    .prefix(key.account),
                    limit: MailedPriceOffer.listedMax
                )
                guard listed.count < MailedPriceOffer.listedMax else {
                    return Counter(label: "stoa_mail_offers_unlisted").increment()
                }
            }
            try put(PriceOfferNotes.self, place, EmptyValue())
        case .address, .exception, .work: break
        }
        try put(TradeNotes.self, place, key)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns the message that counts for a subject, of those that the account sent or received;
    /// `nil` if there is none.
    package func tradeNote(
        on subject: Bytes32,
        of unlocked: UnlockedAccount
    ) throws -> StoredMessage? {
        guard let key = try get(TradeNotes.self, CompositeKey(unlocked.account, subject)),
            let stored = try message(at: key, of: unlocked), stored.note?.subject == subject.hex
        else { return nil }
        return stored
    }
}
