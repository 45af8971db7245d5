import Answers
package import Client
package import Keys
package import Mail
import Market
package import MediaFiles

/// The sealed messages about sales, and a sale with those that an account may read.
///
/// It is stateless: each is a message in the conversation of the two accounts.
///
/// Source: Docs/protocol.md, sections 16 and 18.
package struct SaleMail: Sendable {
    private let chat: Chat
    private let saleIndexes: SaleIndexes
    package let exceptions: ShippingExceptions
    package let addresses: AddressDisclosures
    package let pictures: NotePictures
    package let notes: SaleNotes
    package let sentNotices: SentNotices
    package let plannedTexts: PlannedTexts

    /// - Parameters:
    ///   - chat: Carries the messages.
    ///   - media: Keeps the pictures of notes.
    ///   - saleIndexes: The sales.
    package init(chat: Chat, media: NodeMedia, saleIndexes: SaleIndexes) {
        (self.chat, self.saleIndexes) = (chat, saleIndexes)
        exceptions = ShippingExceptions(chat: chat)
        addresses = AddressDisclosures(chat: chat, saleIndexes: saleIndexes)
        pictures = NotePictures(chat: chat, media: media, saleIndexes: saleIndexes)
        notes = SaleNotes(chat: chat, saleIndexes: saleIndexes, pictures: pictures)
        sentNotices = SentNotices(notes: notes)
        plannedTexts = PlannedTexts(addresses: addresses, notes: notes)
    }

    /// Returns a sale with the sealed texts that an account may read: the delivery address and the
    /// notes of the moves.
    ///
    /// An account that is not signed in gets the sale as it is.
    package func opened(_ shown: Client.Sale, for account: Address?) async -> Client.Sale {
        guard let account, let sale = try? saleIndexes.view(entered: shown.id).sale,
            let unlocked = try? await chat.unlockedAccount(account)
        else { return shown }
        var shown = shown
        shown.deliveryAddress = addresses.address(for: sale, unlocked)
        for place in shown.history.indices {
            let step = shown.history[place]
            guard let mover = try? Address(text: step.by),
                let transaction = Bytes32(hex: step.transaction)
            else { continue }
            let seen = chat.store.note(of: mover, with: transaction, in: sale, unlocked)?.message
            shown.history[place].note = seen?.text
            let pictures = seen?.note?.pictures.map(\.blob.hex) ?? []
            shown.history[place].pictures = pictures.isEmpty ? nil : pictures
        }
        return shown
    }
}
