import Keys

extension DirectSaleTerms {
    /// The form of its message, see Docs/protocol.md, section 5.4.
    package static let wireSchema = WireSchema(.bytes, .bytes, .uint64, .bytes)

    /// Reads a listing's terms; does not check the contract's limits.
    init(wire: WireFields) throws(TermsFault) {
        guard let currency = Address.orNone(wire.bytes(1)),
            let price = Amount(minimal: wire.bytes(2)),
            let buyer = Address.orNone(wire.bytes(4))
        else { throw .malformed }
        self.init(
            currency: Currency(address: currency),
            price: price,
            offerUntil: ChainTime(seconds: wire.number(3)),
            buyer: buyer == .zero ? nil : buyer
        )
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, currency.address.bytesOrNone)
        wire.write(2, price.minimalBytes)
        wire.write(3, offerUntil.seconds)
        wire.write(4, (buyer ?? .zero).bytesOrNone)
        return wire.bytes
    }
}
