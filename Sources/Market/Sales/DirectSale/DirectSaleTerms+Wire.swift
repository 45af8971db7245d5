import Keys

extension DirectSaleTerms {
    /// The form of its message, see Docs/protocol.md, section 5.4.
    package static let form = PayloadForm(.bytes, .bytes, .uint64, .bytes)

    /// Reads a listing's terms; does not check the contract's limits.
    init(wire: WireDirectOffer) throws(TermsFault) {
        guard let price = Amount(minimal: wire.price),
            let currency = Address.orNone(wire.currency),
            let buyer = Address.orNone(wire.buyer)
        else { throw .malformed }
        self.init(
            currency: Currency(address: currency),
            price: price,
            offerUntil: ChainTime(seconds: wire.offerUntilS),
            buyer: buyer == .zero ? nil : buyer
        )
    }

    var wire: WireDirectOffer {
        var wire = WireDirectOffer()
        wire.currency = currency.address.dataOrNone
        wire.price = price.data
        wire.offerUntilS = offerUntil.seconds
        wire.buyer = (buyer ?? .zero).dataOrNone
        return wire
    }
}
