import Keys
import Market

/// Converts ``EscrowOffer`` to the contract's struct `Offer`.
///
/// Source: Sources/Contracts/Vyper/escrow_terms.vy, `Offer`.
extension EscrowOffer {
    var abiValue: ABIValue {
        .tuple([
            .address(seller), .bytes32(salt), .amount(token), .address(maker),
            .bytes32(contentHash), .bytes32(promise), terms.abiValue,
        ])
    }

    init(_ reader: inout ABIValueReader) throws(ABIError) {
        let (seller, salt) = (try reader.address(), try reader.bytes32())
        let (token, maker) = (try reader.amount(), try reader.address())
        let (contentHash, promise) = (try reader.bytes32(), try reader.bytes32())
        var terms = try reader.tuple()
        self.init(
            seller: seller,
            salt: salt,
            token: token,
            maker: maker,
            contentHash: contentHash,
            promise: promise,
            terms: try EscrowTerms(&terms)
        )
    }
}

/// Converts between ``EscrowTerms`` and the contract's struct `Terms`.
///
/// Source: Sources/Contracts/Vyper/escrow_terms.vy, `Terms`.
extension EscrowTerms {
    var abiValue: ABIValue {
        .tuple([
            .address(currency.address), .amount(price), .amount(sellerDeposit),
            .amount(buyerDeposit), .amount(latePenalty), .address(arbiter ?? .zero),
            .amount(arbiterFee), .small(shipWindow.wholeSeconds),
            .small(confirmWindow.wholeSeconds), .small(rulingWindow.wholeSeconds),
            .small(offerUntil.seconds),
        ])
    }

    init(_ reader: inout ABIValueReader) throws(ABIError) {
        let currency = Currency(address: try reader.address())
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
            offerUntil: try reader.time()
        )
    }
}
