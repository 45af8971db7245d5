package import Market

extension DirectSaleContract {
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
    ) throws(ABIError) -> DirectSaleEvent {
        if name == "Credited" {
            let (id, credit) = try reader.credited()
            return DirectSaleEvent(sale: SaleID(id), position: position, change: .credited(credit))
        }
        let sale = SaleID(try reader.bytes32())
        let change: DirectSaleEvent.Change
        switch name {
        case "Listed": change = .listed(try ItemListing(&reader))
        case "Ended": change = .ended(try ItemSaleEnd(&reader))
        default: throw .topic
        }
        try reader.checkTime(of: position)
        return DirectSaleEvent(sale: sale, position: position, change: change)
    }
}

/// Converts between the terms and the contract's struct `Terms`.
extension DirectSaleTerms: ABITerms {
    var abiValue: ABIValue {
        .tuple([.address(currency.address), .amount(price), .small(offerUntil.seconds)])
    }

    init(_ reader: inout ABIValueReader) throws(ABIError) {
        self.init(
            currency: try reader.currency(),
            price: try reader.amount(),
            offerUntil: try reader.time()
        )
    }
}
