package import Keys
package import Market

extension Artifact {
    package static let auction = embedded(PackageResources.Auction_json)
}

/// The market's auction contract, for sales to the highest bidder.
///
/// Source: Sources/Contracts/Vyper/Auction.vy; Docs/contracts.md, section 10.
package struct AuctionContract: ItemSaleContract, SaleContract {
    package typealias Terms = AuctionTerms

    package static let kind = SaleKind.auction
    package static let artifact = Artifact.auction
    package static let topics = followedTopics

    private static let moves = functions(AuctionMove.allCases.map(\.name))

    package let address: Address

    package init(address: Address) { self.address = address }

    package static func offer(in call: [UInt8]) -> ItemOffer<AuctionTerms>? {
        offer(in: call, of: moves)
    }

    /// Offers an item for auction; the offer's seller must make the call.
    ///
    /// The contract must be approved for the item, or allowed to mint by its maker.
    package func list(_ offer: ItemOffer<AuctionTerms>) -> ContractCall {
        call("list", [offer.abiValue])
    }

    /// Takes back an auction without a bid.
    package func abort(_ offer: ItemOffer<AuctionTerms>) -> ContractCall {
        call("abort", [offer.abiValue])
    }

    /// Bids and pays the bid.
    ///
    /// If the currency is a token, the contract must be approved for the amount first.
    package func bid(_ offer: ItemOffer<AuctionTerms>, amount: Amount) -> ContractCall {
        call(
            "bid",
            [offer.abiValue, .amount(amount)],
            paying: amount,
            in: offer.terms.currency
        )
    }

    /// Ends an auction whose bidding is over, which hands out token and money.
    package func end(_ offer: ItemOffer<AuctionTerms>) -> ContractCall {
        call("end", [offer.abiValue])
    }

    /// Asks the contract to compute the id that a sale has or will have.
    package func saleID(of offer: ItemOffer<AuctionTerms>) -> ContractQuery<SaleID> {
        query("sale_id", [offer.abiValue]) { SaleID(try $0.bytes32()) }
    }

    /// Reads an auction; `nil` if there is none with this id.
    package func sale(_ id: SaleID) -> ContractQuery<Sale?> {
        query("sale", [.bytes32(id.hash)]) { reader in
            var fields = try reader.tuple()
            return try Sale(&fields)
        }
    }

    package func stored(_ sale: SaleID) -> ContractQuery<(any ContractSale)?> {
        self.sale(sale).map { $0 }
    }

    /// An auction as stored in the contract, also after its end.
    package struct Sale: ContractSale {
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
    /// Decodes the contract's struct `Sale`; `nil` if its status says that there is no sale.
    fileprivate init?(_ reader: inout ABIValueReader) throws(ABIError) {
        var ahead = reader
        if try ahead.small("a status") == 0 { return nil }
        status = try reader.status()
        let (bidder, amount) = (try reader.party(), try reader.amount())
        highest = bidder.map { AuctionBid(bidder: $0, amount: amount) }
        token = try reader.amount()
        ends = try reader.time()
        lastEnd = try reader.time()
    }
}
