import Keys

extension AuctionTerms {
    /// The form of its message, see Docs/protocol.md, section 5.4.
    package static let form = PayloadForm(.bytes, .uint64, .bytes, .uint64, .uint64)

    /// The price that a listing shows: the least first bid.
    package var price: Amount { startingBid }

    /// Reads a listing's terms; does not check the contract's limits.
    init(wire: WireAuctionOffer) throws(TermsFault) {
        guard let startingBid = Amount(minimal: wire.startingBid),
            let currency = Address.orNone(wire.currency)
        else { throw .malformed }
        self.init(
            currency: Currency(address: currency),
            duration: .seconds(Int64(clamping: wire.durationS)),
            startingBid: startingBid,
            minIncrementBasisPoints: wire.minIncrementBp,
            extensionTime: .seconds(Int64(clamping: wire.extensionS))
        )
    }

    var wire: WireAuctionOffer {
        var wire = WireAuctionOffer()
        wire.currency = currency.address.dataOrNone
        wire.durationS = duration.wholeSeconds
        wire.startingBid = startingBid.data
        wire.minIncrementBp = minIncrementBasisPoints
        wire.extensionS = extensionTime.wholeSeconds
        return wire
    }
}
