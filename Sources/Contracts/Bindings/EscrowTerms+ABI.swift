package import Ethereum
import Keys
package import Market

/// Converts between ``EscrowTerms`` and the contract's struct `Terms`.
///
/// Source: Sources/Contracts/Vyper/escrow_terms.vy, `Terms`.
extension EscrowTerms: ABITerms {
    package var abiValue: ABIValue {
        .tuple([
            .address(currency.address), .amount(price), .amount(sellerDeposit),
            .amount(buyerDeposit), .amount(latePenalty), .address(arbiter ?? .zero),
            .amount(arbiterFee), .small(shipWindow.wholeSeconds),
            .small(confirmWindow.wholeSeconds), .small(rulingWindow.wholeSeconds),
            .small(offerUntil.seconds), .address(buyer ?? .zero),
        ])
    }

    package init(_ reader: inout ABIValueReader) throws(ABIError) {
        let currency = try reader.currency()
        let price = try reader.amount()
        let sellerDeposit = try reader.amount()
        let buyerDeposit = try reader.amount()
        let latePenalty = try reader.amount()
        let arbiter = try reader.party()
        self.init(
            currency: currency,
            price: price,
            sellerDeposit: sellerDeposit,
            buyerDeposit: buyerDeposit,
            latePenalty: latePenalty,
            arbiter: arbiter,
            arbiterFee: try reader.amount(),
            shipWindow: try reader.duration(),
            confirmWindow: try reader.duration(),
            rulingWindow: try reader.duration(),
            offerUntil: try reader.time(),
            buyer: try reader.party()
        )
    }
}
