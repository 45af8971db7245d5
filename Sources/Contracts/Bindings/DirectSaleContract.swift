package import Ethereum
package import Keys
package import Market

extension Artifact {
    package static let directSale = embedded(EmbeddedArtifacts.directSale)
}

/// The market's contract for direct sales, in which one call pays and hands over the token.
///
/// Source: Sources/Contracts/Vyper/DirectSale.vy; Docs/contracts.md, section 11.
package struct DirectSaleContract: ItemSaleContract {
    package typealias Event = DirectSaleEvent
    package typealias Terms = DirectSaleTerms

    package static let kind = SaleKind.direct
    package static let artifact = Artifact.directSale
    package static let topics = followedTopics()

    package static let moves = functions(DirectSaleMove.allCases.map(\.name))

    package let address: Address

    package init(address: Address) { self.address = address }

    /// Pays the price and receives the item.
    ///
    /// If the currency is a token, the contract must be approved for the price first.
    package func pay(_ offer: ItemOffer<DirectSaleTerms>) -> ContractCall {
        move("pay", offer, paying: offer.terms.price)
    }

    /// A sale as stored in the contract, also after its end.
    package struct Sale: StoredSale {
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
    package init?(_ reader: inout ABIValueReader) throws(ABIError) {
        var ahead = reader
        if try ahead.small("a status") == 0 { return nil }
        status = try reader.flag()
        buyer = try reader.party()
        token = try reader.amount()
        offerUntil = try reader.time()
    }
}
