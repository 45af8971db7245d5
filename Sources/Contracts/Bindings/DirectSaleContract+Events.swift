package import Ethereum
import Keys
package import Market

extension DirectSaleContract {
    package static func change(
        _ event: String,
        _ reader: inout ABIValueReader
    ) throws(ABIError) -> DirectSaleEvent.Change {
        switch event {
        case "Listed": return .listed(try ItemListing(&reader))
        case "Ended": return .ended(try ItemSaleEnd(&reader))
        default: throw .topic
        }
    }
}

/// Converts between the terms and the contract's struct `Terms`.
extension DirectSaleTerms: ABITerms {
    package var abiValue: ABIValue {
        .tuple([
            .address(currency.address), .amount(price), .small(offerUntil.seconds),
            .address(buyer ?? .zero),
        ])
    }

    package init(_ reader: inout ABIValueReader) throws(ABIError) {
        self.init(
            currency: try reader.currency(),
            price: try reader.amount(),
            offerUntil: try reader.time(),
            buyer: try reader.party()
        )
    }
}
