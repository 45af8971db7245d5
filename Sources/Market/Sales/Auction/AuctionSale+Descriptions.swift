package import Texts

extension AuctionSale {
    /// Describes the consequence of a move, for the person who is about to sign it.
    package func consequence(of move: AuctionMove) -> [Sentence] {
        [Sentence(stringLiteral: words(of: move))]
    }

    private func words(of move: AuctionMove) -> String {
        switch move {
        case .list: "The token is auctioned for \(terms.duration.inWords)."
        case .abort: "The auction ends without a sale. The token comes back to you."
        case .bid:
            (minimalBid.map { "You send your bid, at least \(text($0)). " } ?? "") + bidWords
        case .end: endText
        }
    }

    /// The fixed fields of every bid, whatever its amount.
    package var bidTerms: [Sentence] { [Sentence(stringLiteral: bidWords)] }

    private var bidWords: String {
        """
        You cannot take a bid back. If somebody bids more, you are credited all of it and can \
        withdraw it. If nobody does, you receive the token when the auction is ended. A bid in the \
        last \(terms.extensionTime.inWords) before the end postpones the end.
        """
    }

    private var endText: String {
        guard let highest else { return "The auction ends without a sale. The token goes back." }
        let payout = ItemPayout(of: highest.amount, fees: fees)
        let feeSum = payout.platform.adding(payout.maker) ?? .max
        return """
            The auction ends. The token goes to \(highest.bidder). The seller is credited \
            \(text(payout.seller)); fees are \(text(feeSum)).
            """
    }

    private func text(_ amount: Amount) -> String {
        PriceText.text(amount, in: terms.currency, on: reference.contract.chain)
    }
}
