import AccountAccess
import Answers
import Client
import Foundation
package import Keys
import Mail
import Market
import Storage

/// The notes that come with moves in sales, and who gets them.
///
/// Source: Docs/protocol.md, section 18.
package struct SaleNotes: Sendable {
    /// How long after an arbiter has taken a case an account's other nodes leave its notes to the
    /// node that wrote them.
    private static let patience = Duration.seconds(120)

    let chat: Chat
    let saleIndexes: SaleIndexes
    let pictures: NotePictures

    /// Returns the note of the last proposal that another account made; `nil` if there is none.
    package func reasonOfProposal(in id: String, to account: Address) async -> String? {
        guard let sale = try? saleIndexes.view(entered: id).sale,
            let step = sale.history.last(where: {
                $0.move.name == "propose" && $0.move.account != account
            }), let unlocked = try? await chat.unlockedAccount(account)
        else { return nil }
        return chat.store.note(of: step.move.account, with: step.transaction, in: sale, unlocked)?
            .message.text
    }

    /// Sends a note to each reader who has not received it.
    ///
    /// - Throws: The refusal of the last reader to whom it cannot be sent.
    func send(
        _ note: MailNote,
        in sale: Market.Sale,
        to readers: [Address],
        _ unlocked: UnlockedAccount
    ) async throws {
        let account = unlocked.account
        let slot = try chat.store.foundListing(of: sale)?.shownID.slot
        var refusal: Refusal?
        for reader in readers {
            // A conversation is about a listing of one of its two sides.
            let about = [account, reader].contains(sale.seller) ? slot : nil
            let conversation = ConversationID(account, reader, listing: about).hash
            do {
                try await chat.note(
                    .note(note),
                    on: StoredTradeNote.subject(
                        ofNote: note.transaction,
                        in: note.sale,
                        from: account,
                        to: reader
                    ),
                    to: reader,
                    about: about,
                    by: unlocked,
                    unlessSentSince: .distantPast
                )
                try await pictures.file(note.pictures, in: conversation, of: account)
            } catch let refused as Refusal {
                refusal = refused
            }
        }
        if let refusal { throw refusal }
    }

    /// Sends the arbiters who have taken an account's cases the notes of its moves.
    func forward(of account: Address) async throws {
        let sales = saleIndexes.sales(of: account).filter { sale in
            sale.stage == .running && [sale.seller, sale.buyer].contains(account)
                && sale.correspondents.count > 2
        }
        guard !sales.isEmpty else { return }
        let unlocked = try await chat.unlockedAccount(account)
        for sale in saleIndexes.final(sales) {
            guard let other = sale.seller == account ? sale.buyer : sale.seller,
                let arbiter = sale.correspondents.first(where: { ![account, other].contains($0) })
            else { continue }
            for step in sale.history where step.move.account == account {
                guard let note = try due(step, in: sale, from: other, to: arbiter, unlocked) else {
                    continue
                }
                try await send(note, in: sale, to: [arbiter], unlocked)
            }
        }
    }

    /// Returns the note of a step that one reader has got and another one has not; `nil` if there
    /// is none, or as long as it is left to the node that wrote it.
    private func due(
        _ step: SaleStep,
        in sale: Market.Sale,
        from reader: Address,
        to arbiter: Address,
        _ unlocked: UnlockedAccount
    ) throws -> MailNote? {
        func message(to reader: Address) throws -> StoredMessage? {
            let subject = StoredTradeNote.subject(
                ofNote: step.transaction,
                in: sale.reference,
                from: unlocked.account,
                to: reader
            )
            return try chat.store.read { try $0.tradeNote(on: subject, of: unlocked) }
        }
        guard let told = try message(to: reader), try message(to: arbiter) == nil else {
            return nil
        }
        let takenAt = sale.history.last { $0.move.account == arbiter }?.time
        if told.device != unlocked.slot.hex, let takenAt, let time = saleIndexes[sale].time,
            time < takenAt.advanced(by: Self.patience)
        {
            return nil
        }
        return try MailNote(
            for: sale.reference,
            transaction: step.transaction,
            text: told.text,
            pictures: told.note?.pictures ?? []
        )
    }
}

extension Store {
    /// Returns the note of a move that the account has written or received, and its subject.
    nonisolated func note(
        of mover: Address,
        with transaction: Bytes32,
        in sale: Market.Sale,
        _ unlocked: UnlockedAccount
    ) -> (subject: Bytes32, message: StoredMessage)? {
        let account = unlocked.account
        // A sale that was offered again no longer names its former buyer.
        let others = Set(sale.history.map(\.move.account) + sale.correspondents)
        for reader in mover == account ? others.subtracting([account]).sorted() : [account] {
            let subject = StoredTradeNote.subject(
                ofNote: transaction,
                in: sale.reference,
                from: mover,
                to: reader
            )
            if let found = message(on: subject, unlocked) { return (subject, found) }
        }
        return nil
    }

    /// Returns the message on a subject that the account has written or received.
    nonisolated func message(on subject: Bytes32, _ unlocked: UnlockedAccount) -> StoredMessage? {
        try? read { try $0.tradeNote(on: subject, of: unlocked) }
    }
}
