import Keys

extension AuctionTerms {
    /// The form of its message, see Docs/protocol.md, section 5.4.
    package static let wireSchema = WireSchema(.bytes, .uint64, .bytes, .uint64, .uint64)

    /// The price that a listing shows: the minimum first bid.
    package var price: Amount { startingBid }

    /// Reads a listing's terms; does not check the contract's limits.
    init(wire: WireFields) throws(TermsFault) {
        guard let currency = Address.orNone(wire.bytes(1)),
            let startingBid = Amount(minimal: wire.bytes(3))
        else { throw .malformed }
        self.init(
            currency: Currency(address: currency),
            duration: .seconds(Int64(clamping: wire.number(2))),
            startingBid: startingBid,
            minIncrementBasisPoints: wire.number(4),
            extensionTime: .seconds(Int64(clamping: wire.number(5)))
        )
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, currency.address.bytesOrNone)
        wire.write(2, duration.wholeSeconds)
        wire.write(3, startingBid.minimalBytes)
        wire.write(4, minIncrementBasisPoints)
        wire.write(5, extensionTime.wholeSeconds)
        return wire.bytes
    }
}
