package import Keys
package import Market

extension Artifact {
    package static let directSale = embedded(PackageResources.DirectSale_json)
}

/// The market's contract for direct sales, in which one call pays and hands over the token.
///
/// Source: Sources/Contracts/Vyper/DirectSale.vy; Docs/contracts.md, section 11.
package struct DirectSaleContract: ItemSaleContract, SaleContract {
    package typealias Terms = DirectSaleTerms

    package static let kind = SaleKind.direct
    package static let artifact = Artifact.directSale
    package static let topics = followedTopics

    private static let moves = functions(DirectSaleMove.allCases.map(\.name))

    package let address: Address

    package init(address: Address) { self.address = address }

    package static func offer(in call: [UInt8]) -> ItemOffer<DirectSaleTerms>? {
        offer(in: call, of: moves)
    }

    /// Offers an item at a price; the offer's seller must make the call.
    ///
    /// The contract must be approved for the item, or allowed to mint by its maker.
    package func list(_ offer: ItemOffer<DirectSaleTerms>) -> ContractCall {
        call("list", [offer.abiValue])
    }

    /// Pays the price and receives the item.
    ///
    /// If the currency is a token, the contract must be approved for the price first.
    package func pay(_ offer: ItemOffer<DirectSaleTerms>) -> ContractCall {
        call("pay", [offer.abiValue], paying: offer.terms.price, in: offer.terms.currency)
    }

    /// Ends an offer without a sale.
    package func abort(_ offer: ItemOffer<DirectSaleTerms>) -> ContractCall {
        call("abort", [offer.abiValue])
    }

    /// Asks the contract to compute the id that a sale has or will have.
    package func saleID(of offer: ItemOffer<DirectSaleTerms>) -> ContractQuery<SaleID> {
        query("sale_id", [offer.abiValue]) { SaleID(try $0.bytes32()) }
    }

    /// Reads a sale; `nil` if there is none with this id.
    package func sale(_ id: SaleID) -> ContractQuery<Sale?> {
        query("sale", [.bytes32(id.hash)]) { reader in
            var fields = try reader.tuple()
            return try Sale(&fields)
        }
    }

    package func stored(_ sale: SaleID) -> ContractQuery<(any ContractSale)?> {
        self.sale(sale).map { $0 }
    }

    /// A sale as stored in the contract, also after its end.
    package struct Sale: ContractSale {
        package let status: DirectSaleStatus
        package let buyer: Address?
        package let token: Amount
        package let offerUntil: ChainTime

        package var stage: SaleStage { status.stage }

        package func agrees(with state: any SaleState) -> Bool {
            guard let state = state as? DirectSale else { return false }
            return status == state.status && buyer == state.buyer
                && token == state.listing.token && offerUntil == state.terms.offerUntil
        }
    }
}

extension DirectSaleContract.Sale {
    /// Decodes the contract's struct `Sale`; `nil` if its status says that there is no sale.
    fileprivate init?(_ reader: inout ABIValueReader) throws(ABIError) {
        var ahead = reader
        if try ahead.small("a status") == 0 { return nil }
        status = try reader.status()
        buyer = try reader.party()
        token = try reader.amount()
        offerUntil = try reader.time()
    }
}
