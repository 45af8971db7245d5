import Keys

extension CourseTerms {
    /// The form of its message, see Docs/protocol.md, section 5.4.
    package static let form = PayloadForm(
        .bytes,
        .bytes,
        .uint64,
        .uint64,
        .uint64,
        .uint64,
        .uint64
    )

    /// Reads a listing's terms; does not check the contract's limits.
    init(wire: WireCourseOffer) throws(TermsFault) {
        guard let price = Amount(minimal: wire.price),
            let currency = Address.orNone(wire.currency)
        else { throw .malformed }
        self.init(
            currency: Currency(address: currency),
            price: price,
            seats: wire.seats,
            start: ChainTime(seconds: wire.startS),
            end: ChainTime(seconds: wire.endS),
            beginGrace: .seconds(Int64(clamping: wire.beginGraceS)),
            ratingWindow: .seconds(Int64(clamping: wire.ratingWindowS))
        )
    }

    var wire: WireCourseOffer {
        var wire = WireCourseOffer()
        wire.currency = currency.address.dataOrNone
        wire.price = price.data
        wire.seats = seats
        wire.startS = start.seconds
        wire.endS = end.seconds
        wire.beginGraceS = beginGrace.wholeSeconds
        wire.ratingWindowS = ratingWindow.wholeSeconds
        return wire
    }
}
