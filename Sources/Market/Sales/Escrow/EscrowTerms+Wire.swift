import Keys

extension EscrowTerms {
    /// The form of its message, see Docs/protocol.md, section 5.4.
    package static let form = PayloadForm(
        .bytes,
        .bytes,
        .bytes,
        .bytes,
        .bytes,
        .bytes,
        .bytes,
        .uint64,
        .uint64,
        .uint64,
        .uint64,
        .bytes
    )

    /// Reads a listing's terms; does not check the contract's limits.
    init(wire: WireEscrowOffer) throws(TermsFault) {
        guard let price = Amount(minimal: wire.price),
            let sellerDeposit = Amount(minimal: wire.sellerDeposit),
            let buyerDeposit = Amount(minimal: wire.buyerDeposit),
            let latePenalty = Amount(minimal: wire.latePenalty),
            let arbiterFee = Amount(minimal: wire.arbiterFee),
            let currency = Address.orNone(wire.currency),
            let arbiter = Address.orNone(wire.arbiter),
            let buyer = Address.orNone(wire.buyer)
        else { throw .malformed }
        self.init(
            currency: Currency(address: currency),
            price: price,
            sellerDeposit: sellerDeposit,
            buyerDeposit: buyerDeposit,
            latePenalty: latePenalty,
            arbiter: arbiter == .zero ? nil : arbiter,
            arbiterFee: arbiterFee,
            shipWindow: .seconds(Int64(clamping: wire.shipWindowS)),
            confirmWindow: .seconds(Int64(clamping: wire.confirmWindowS)),
            rulingWindow: .seconds(Int64(clamping: wire.rulingWindowS)),
            offerUntil: ChainTime(seconds: wire.offerUntilS),
            buyer: buyer == .zero ? nil : buyer
        )
    }

    var wire: WireEscrowOffer {
        var wire = WireEscrowOffer()
        wire.currency = currency.address.dataOrNone
        wire.price = price.data
        wire.sellerDeposit = sellerDeposit.data
        wire.buyerDeposit = buyerDeposit.data
        wire.latePenalty = latePenalty.data
        wire.arbiter = (arbiter ?? .zero).dataOrNone
        wire.arbiterFee = arbiterFee.data
        wire.shipWindowS = shipWindow.wholeSeconds
        wire.confirmWindowS = confirmWindow.wholeSeconds
        wire.rulingWindowS = rulingWindow.wholeSeconds
        wire.offerUntilS = offerUntil.seconds
        wire.buyer = (buyer ?? .zero).dataOrNone
        return wire
    }
}
