package import Market

/// The relation of a message to the sale that it is about, as final blocks show it.
///
/// A sender decides by the body's `isOfSale` instead, which asks no chain.
///
/// Source: Docs/protocol.md, sections 16.4 and 18.5.
package enum SaleRelation: Sendable {
    /// The message is about no sale, or sender and recipient are not two of its sides.
    case unrelated
    /// The sender is the other side of the sale, and so not a stranger.
    case ofSide
    /// The message also belongs to the sale: a note of a move that its sender made in that
    /// transaction, the buyer's address, or the seller's key of the work.
    case ofMove

    package init(of message: MailMessage, in view: some ChainView) {
        guard let reference = message.body.sale, let sale = view.sale(reference),
            let buyer = sale.buyer
        else {
            self = .unrelated
            return
        }
        let belongs: Bool
        var sides = [sale.seller, buyer]
        switch message.body {
        case .address: belongs = message.sender == buyer
        case .work: belongs = message.sender == sale.seller
        case .note(let note):
            sides = sale.correspondents
            belongs = sale.history.contains {
                $0.move.account == message.sender && $0.transaction == note.transaction
            }
        case .text, .receipt, .report, .exception, .priceOffer, .unknown: belongs = false
        }
        guard Set(sides).isSuperset(of: [message.sender, message.recipient]) else {
            self = .unrelated
            return
        }
        self = belongs ? .ofMove : .ofSide
    }
}
