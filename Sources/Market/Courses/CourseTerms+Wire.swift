import Keys

extension CourseTerms {
    /// The form of its message, see Docs/protocol.md, section 5.4.
    package static let wireSchema = WireSchema(
        .bytes,
        .bytes,
        .uint64,
        .uint64,
        .uint64,
        .uint64,
        .uint64
    )

    /// Reads a listing's terms; does not check the contract's limits.
    init(wire: WireFields) throws(TermsFault) {
        guard let currency = Address.orNone(wire.bytes(1)),
            let price = Amount(minimal: wire.bytes(2))
        else { throw .malformed }
        self.init(
            currency: Currency(address: currency),
            price: price,
            seats: wire.number(3),
            start: ChainTime(seconds: wire.number(4)),
            end: ChainTime(seconds: wire.number(5)),
            beginGrace: .seconds(Int64(clamping: wire.number(6))),
            ratingWindow: .seconds(Int64(clamping: wire.number(7)))
        )
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, currency.address.bytesOrNone)
        wire.write(2, price.minimalBytes)
        wire.write(3, seats)
        wire.write(4, start.seconds)
        wire.write(5, end.seconds)
        wire.write(6, beginGrace.wholeSeconds)
        wire.write(7, ratingWindow.wholeSeconds)
        return wire.bytes
    }
}
