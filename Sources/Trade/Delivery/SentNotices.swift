import Answers
package import Client
package import Keys
import Mail
import Market
import Storage

/// How the seller says that the item was sent, or can be picked up, if the sale ends with its
/// payment.
///
/// No move says it then: a note of the seller's first move does, which no other note comes with.
///
/// Source: Docs/protocol.md, section 18.13.
package struct SentNotices: Sendable {
    let notes: SaleNotes

    private var chat: Chat { notes.chat }
    private var saleIndexes: SaleIndexes { notes.saleIndexes }

    /// Tells the buyer that the item was sent, or that it is ready to be picked up; the same again,
    /// pictures included, changes nothing.
    ///
    /// - Throws: ``Refusal`` with `unknown_sale`, `not_your_sale`, `not_allowed`, `not_final_yet`,
    ///   `malformed_value`, `needs_unlock`, `signs_elsewhere`, and as ``NotePictures/added(_:by:)``.
    package func tell(_ notice: SentNotice, for id: String, by seller: Address) async throws {
        let sale = try saleIndexes.view(entered: id).sale
        guard sale.seller == seller else {
            throw Refusal(.notYourSale, Sentence("refusal.sentBySeller"))
        }
        let method = try chat.store.promise(of: sale)?.delivery.method
        let text =
            notice.note ?? Sentence(method == .pickup ? "note.ready" : "note.sent").detail
        do { try MailNote.checked(text) } catch {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.noteLength", ["bytes": "\(MailNote.textByteCountMax)"]),
                field: "note"
            )
        }
        let unlocked = try await chat.unlockedAccount(seller)
        let told = sale.sentNote.flatMap {
            chat.store.note(of: seller, with: $0, in: sale, unlocked)
        }
        if let message = told?.message, message.text == text,
            message.note?.pictures.map(\.key)
                == notice.pictures.map({ notes.pictures.keys(of: $0, for: sale.id, unlocked) })
                ?? []
        {
            return
        }
        let time = saleIndexes[sale].time ?? sale.position.time
        guard let buyer = sale.buyer, let transaction = sale.sentNote,
            try chat.store.isToBeTold(sale, for: seller, at: time),
            method == .shipping || method == .pickup
        else {
            throw Refusal(
                .notAllowed,
                Sentence(told == nil ? "refusal.nothingToSend" : "refusal.sentAlready"),
                .state(of: sale.state)
            )
        }
        // Before, the buyer's node does not know whom the note is from.
        guard saleIndexes.final([sale]).first?.stage == .over else {
            throw Refusal(.notFinalYet, Sentence("refusal.saleNotFinal"))
        }
        let note = try MailNote(
            for: sale.reference,
            transaction: transaction,
            text: text,
            pictures: try await notes.pictures.sealed(notice.pictures ?? [], for: sale.id, unlocked)
        )
        try await notes.send(note, in: sale, to: [buyer], unlocked)
    }
}

extension Market.Sale {
    /// The transaction whose note says that the item was sent: the one that listed it; `nil` for a
    /// sale in which a move says it, or that has not ended with its payment.
    ///
    /// A note of a later move, such as the end of the bidding, says something else.
    var sentNote: Bytes32? {
        guard stage == .over, buyer != nil, !state.endings.isEmpty else { return nil }
        return history.first { $0.move.account == seller }?.transaction
    }
}

extension Store {
    /// Returns whether a sale that ended with its payment has an item that the seller has to send,
    /// and has not said to have sent.
    nonisolated func isToBeSent(
        _ sale: Market.Sale,
        for account: Address,
        at time: ChainTime
    ) throws -> Bool {
        try isToBeTold(sale, for: account, at: time)
            && promise(of: sale)?.delivery.method == .shipping
    }

    /// Returns whether a sale that ended with its payment has an item for the buyer to collect, and
    /// its seller has not said that it is ready.
    nonisolated func isToBeReady(
        _ sale: Market.Sale,
        for account: Address,
        at time: ChainTime
    ) throws -> Bool {
        try isToBeTold(sale, for: account, at: time)
            && promise(of: sale)?.delivery.method == .pickup
    }

    /// Returns whether a sale ended with its payment at most 30 days ago, and its seller has not said
    /// that the buyer can have the item.
    fileprivate nonisolated func isToBeTold(
        _ sale: Market.Sale,
        for account: Address,
        at time: ChainTime
    ) throws -> Bool {
        guard sale.stage == .over, sale.needsAddress(at: time), sale.buyer != nil,
            [sale.seller, sale.buyer].contains(account)
        else { return false }
        return try !isSaidSent(sale, to: account)
    }

    /// Returns whether `account`, the seller or the buyer of a sale that ended with its payment,
    /// has the note that the item was sent.
    nonisolated func isSaidSent(_ sale: Market.Sale, to account: Address) throws -> Bool {
        guard let transaction = sale.sentNote, let buyer = sale.buyer else { return false }
        let subject = StoredTradeNote.subject(
            ofNote: transaction,
            in: sale.reference,
            from: sale.seller,
            to: buyer
        )
        return try read { try $0.get(TradeNotes.self, CompositeKey(account, subject)) } != nil
    }
}
