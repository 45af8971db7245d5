package import Market

extension AuctionContract {
    /// Decodes one log of this contract.
    ///
    /// The contract writes the block's time into each event of a sale except the credits. So the
    /// caller passes the time, and it is compared with the time in the event.
    ///
    /// - Parameters:
    ///   - log: The log, as read from the chain.
    ///   - position: The log's position, with the time of its block.
    /// - Returns: The event.
    /// - Throws: ``ABIError/topic`` for a log of another contract or event;
    ///   ``ABIError/meaningless(_:)`` for a log that the contract cannot have written, which means
    ///   that the endpoint lies.
    package func decode(
        _ log: ContractLog,
        at position: EventPosition
    ) throws(ABIError) -> SaleLedger.Event {
        let event = try event(of: log)
        var reader = try ABIValueReader(event.decode(log))
        if event.name == "Withdrawn" {
            let (credit, to) = try reader.withdrawal()
            return SaleLedger.Event(of: address, .withdrawn(credit, to: to))
        }
        let sale = try Self.event(event.name, &reader, at: position)
        return SaleLedger.Event(of: address, .sale(sale))
    }

    private static func event(
        _ name: String,
        _ reader: inout ABIValueReader,
        at position: EventPosition
    ) throws(ABIError) -> AuctionEvent {
        if name == "Credited" {
            let (id, credit) = try reader.credited()
            return AuctionEvent(sale: SaleID(id), position: position, change: .credited(credit))
        }
        let sale = SaleID(try reader.bytes32())
        let change = try change(name, &reader)
        try reader.checkTime(of: position)
        return AuctionEvent(sale: sale, position: position, change: change)
    }

    private static func change(
        _ name: String,
        _ reader: inout ABIValueReader
    ) throws(ABIError) -> AuctionEvent.Change {
        switch name {
        case "Listed":
            let listing = try ItemListing<AuctionTerms>(&reader)
            return .listed(listing, ends: try reader.time())
        case "Outbid": return .outbid(try AuctionBid(&reader))
        case "BidPlaced":
            let bid = try AuctionBid(&reader)
            return .bidPlaced(bid, ends: try reader.time())
        case "Ended": return .ended(try ItemSaleEnd(&reader))
        default: throw .topic
        }
    }
}

extension AuctionBid {
    fileprivate init(_ reader: inout ABIValueReader) throws(ABIError) {
        self.init(bidder: try reader.address(), amount: try reader.amount())
    }
}

/// Converts between the terms and the contract's struct `Terms`.
extension AuctionTerms: ABITerms {
    var abiValue: ABIValue {
        .tuple([
            .address(currency.address), .small(duration.wholeSeconds), .amount(startingBid),
            .small(minIncrementBasisPoints), .small(extensionTime.wholeSeconds),
        ])
    }

    init(_ reader: inout ABIValueReader) throws(ABIError) {
        self.init(
            currency: try reader.currency(),
            duration: try reader.duration(),
            startingBid: try reader.amount(),
            minIncrementBasisPoints: try reader.small("an increment"),
            extensionTime: try reader.duration()
        )
    }
}
