import Keys
package import Texts

extension AuctionSale {
    /// Describes the consequence of a move, for the person who is about to sign it.
    package func consequence(of move: AuctionMove) -> [Sentence] {
        switch move {
        case .list: [Sentence("auction.list", ["duration": terms.duration.value])]
        case .abort: [Sentence("auction.abort")]
        case .bid:
            (minimalBid.map { [Sentence("auction.bid", ["least": money($0)])] } ?? []) + [bidTerms]
        case .end: [ending]
        }
    }

    /// The fixed fields of every bid, whatever its amount.
    package var bidTerms: Sentence {
        Sentence("auction.bidTerms", ["extension": terms.extensionTime.value])
    }

    private var ending: Sentence {
        guard let highest else { return Sentence("auction.endUnsold") }
        let payout = ItemPayout(of: highest.amount, fees: fees)
        return Sentence(
            "auction.end",
            [
                "bidder": highest.bidder.checksummed, "seller": money(payout.seller),
                "fees": money(payout.platform.adding(payout.maker) ?? .max),
            ]
        )
    }

    private func money(_ amount: Amount) -> String {
        amount.value(in: terms.currency, on: reference.contract.chain)
    }
}
