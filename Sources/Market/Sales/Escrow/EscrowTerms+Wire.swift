import Keys

extension EscrowTerms {
    /// The form of its message, see Docs/protocol.md, section 5.4.
    package static let wireSchema = WireSchema(
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
    init(wire: WireFields) throws(TermsFault) {
        guard let currency = Address.orNone(wire.bytes(1)),
            let price = Amount(minimal: wire.bytes(2)),
            let sellerDeposit = Amount(minimal: wire.bytes(3)),
            let buyerDeposit = Amount(minimal: wire.bytes(4)),
            let latePenalty = Amount(minimal: wire.bytes(5)),
            let arbiter = Address.orNone(wire.bytes(6)),
            let arbiterFee = Amount(minimal: wire.bytes(7)),
            let buyer = Address.orNone(wire.bytes(12))
        else { throw .malformed }
        self.init(
            currency: Currency(address: currency),
            price: price,
            sellerDeposit: sellerDeposit,
            buyerDeposit: buyerDeposit,
            latePenalty: latePenalty,
            arbiter: arbiter == .zero ? nil : arbiter,
            arbiterFee: arbiterFee,
            shipWindow: .seconds(Int64(clamping: wire.number(8))),
            confirmWindow: .seconds(Int64(clamping: wire.number(9))),
            rulingWindow: .seconds(Int64(clamping: wire.number(10))),
            offerUntil: ChainTime(seconds: wire.number(11)),
            buyer: buyer == .zero ? nil : buyer
        )
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, currency.address.bytesOrNone)
        wire.write(2, price.minimalBytes)
        wire.write(3, sellerDeposit.minimalBytes)
        wire.write(4, buyerDeposit.minimalBytes)
        wire.write(5, latePenalty.minimalBytes)
        wire.write(6, (arbiter ?? .zero).bytesOrNone)
        wire.write(7, arbiterFee.minimalBytes)
        wire.write(8, shipWindow.wholeSeconds)
        wire.write(9, confirmWindow.wholeSeconds)
        wire.write(10, rulingWindow.wholeSeconds)
        wire.write(11, offerUntil.seconds)
        wire.write(12, (buyer ?? .zero).bytesOrNone)
        return wire.bytes
    }
}
