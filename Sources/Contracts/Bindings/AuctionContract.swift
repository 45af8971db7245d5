package import Ethereum
package import Keys
package import Market

extension Artifact {
    package static let auction = embedded(EmbeddedArtifacts.auction)
}

/// The market's auction contract, for sales to the highest bidder.
///
/// Source: Sources/Contracts/Vyper/Auction.vy; Docs/contracts.md, section 10.
package struct AuctionContract: ItemSaleContract {
    package typealias Event = AuctionEvent
    package typealias Terms = AuctionTerms

    package static let kind = SaleKind.auction
    package static let artifact = Artifact.auction
    package static let topics = followedTopics()

    package static let moves = functions(AuctionMove.allCases.map(\.name))

    package let address: Address

    package init(address: Address) { self.address = address }

    /// Bids and pays the bid.
    ///
    /// If the currency is a token, the contract needs an allowance for the part that the credit
    /// does not pay.
    ///
    /// - Parameters:
    ///   - offer: The offer of the auction.
    ///   - amount: The bid.
    ///   - credit: The part of it that the caller's credit with this contract pays, at most all of
    ///     it. A bidder's own highest bid becomes such a credit before the new one is paid.
    /// - Returns: The call.
    package func bid(
        _ offer: ItemOffer<AuctionTerms>,
        amount: Amount,
        fromCredit credit: Amount = .zero
    ) -> ContractCall {
        let rest = amount.subtracting(credit) ?? .zero
        return move("bid", offer, [.amount(amount), .amount(credit)], paying: rest)
    }

    /// Ends an auction whose bidding is over, which hands out token and money.
    package func end(_ offer: ItemOffer<AuctionTerms>) -> ContractCall {
        move("end", offer)
    }

    /// An auction as stored in the contract, also after its end.
    package struct Sale: StoredSale {
        package let status: AuctionStatus
        package let highest: AuctionBid?
        package let token: Amount
        package let ends: ChainTime
        package let lastEnd: ChainTime

        package var stage: SaleStage { status.stage }

        package func agrees(with state: any SaleState) -> Bool {
            guard let state = state as? AuctionSale else { return false }
            return status == state.status && highest == state.highest
                && token == state.listing.token && ends == state.ends && lastEnd == state.lastEnd
        }
    }
}

extension AuctionContract.Sale {
    package init?(_ reader: inout ABIValueReader) throws(ABIError) {
        var ahead = reader
        if try ahead.small("a status") == 0 { return nil }
        status = try reader.flag()
        let (bidder, amount) = (try reader.party(), try reader.amount())
        highest = bidder.map { AuctionBid(bidder: $0, amount: amount) }
        token = try reader.amount()
        ends = try reader.time()
        lastEnd = try reader.time()
    }
}
