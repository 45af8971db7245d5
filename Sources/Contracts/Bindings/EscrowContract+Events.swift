package import Keys
package import Market

extension EscrowContract {
    /// The events that are about no sale and no credit, which the follower does not ask for.
    ///
    /// What the deployment reports is compared through the contract's views, and registrations of
    /// arbiters are read through ``arbiterTerms(of:in:)``.
    private static let unfollowed: Set<String> = ["Deployed", "ArbiterRegistered"]

    package static let topics = interface.events
        .filter { !unfollowed.contains($0.name) }
        .map(\.topic)

    /// Decodes one log of this contract.
    ///
    /// The contract writes the block's time into each event of a sale except the credits, which
    /// follow the sale's end in the same transaction. So the caller passes the time, and it is
    /// compared with the time in the event.
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
        guard log.address == address, let topic = log.topics.first, Self.topics.contains(topic),
            let event = Self.interface.event(topic: topic)
        else { throw .topic }
        var reader = try ABIValueReader(event.decode(log))
        if event.name == "Withdrawn" {
            let (currency, account) = (try reader.currency(), try reader.address())
            let to = try reader.address()
            let credit = ContractMoney.Credit(
                currency: currency,
                account: account,
                amount: try reader.amount()
            )
            return SaleLedger.Event(of: address, .withdrawn(credit, to: to))
        }
        let sale = try Self.sale(event.name, &reader, at: position)
        return SaleLedger.Event(of: address, .sale(sale))
    }

    private static func sale(
        _ name: String,
        _ reader: inout ABIValueReader,
        at position: EventPosition
    ) throws(ABIError) -> EscrowEvent {
        if name == "Credited" {
            let (currency, account) = (try reader.currency(), try reader.address())
            let sale = SaleID(try reader.bytes32())
            let amount = try reader.amount()
            return EscrowEvent(
                sale: sale,
                position: position,
                change: .credited(currency: currency, account: account, amount: amount)
            )
        }
        let sale = SaleID(try reader.bytes32())
        let change = try change(name, &reader)
        guard try reader.time() == position.time else {
            throw .meaningless("a time that is not the block's")
        }
        return EscrowEvent(sale: sale, position: position, change: change)
    }

    private static func change(
        _ name: String,
        _ reader: inout ABIValueReader
    ) throws(ABIError) -> EscrowEvent.Change {
        switch name {
        case "Listed": return .listed(try EscrowEvent.Listed(&reader))
        case "Ended": return .ended(try EscrowEvent.Ended(&reader))
        case "Bought":
            let (seller, buyer) = (try reader.address(), try reader.address())
            return .bought(seller: seller, buyer: buyer, deadline: try reader.time())
        case "ItemTransferred":
            let (seller, buyer) = (try reader.address(), try reader.address())
            return .itemTransferred(seller: seller, buyer: buyer, deadline: try reader.time())
        case "Disputed":
            let (buyer, arbiter) = (try reader.address(), try reader.address())
            return .disputed(buyer: buyer, arbiter: arbiter, deadline: try reader.time())
        case "Taken": return .taken(arbiter: try reader.address())
        case "Proposed":
            let (by, share) = (try reader.address(), try reader.share())
            return .proposed(SettlementProposal(by: by, share: share, until: try reader.time()))
        case "ProposalWithdrawn": return .proposalWithdrawn(by: try reader.address())
        default: throw .topic
        }
    }
}

extension EscrowEvent.Listed {
    fileprivate init(_ reader: inout ABIValueReader) throws(ABIError) {
        let (seller, token) = (try reader.address(), try reader.amount())
        let (promise, contentHash) = (try reader.bytes32(), try reader.bytes32())
        let (maker, salt) = (try reader.address(), try reader.bytes32())
        let isMinted = try reader.bool()
        var terms = try reader.tuple()
        self.init(
            seller: seller,
            token: token,
            promise: promise,
            contentHash: contentHash,
            maker: maker,
            salt: salt,
            isMinted: isMinted,
            terms: try EscrowTerms(&terms)
        )
    }
}

extension EscrowEvent.Ended {
    fileprivate init(_ reader: inout ABIValueReader) throws(ABIError) {
        let (seller, buyer) = (try reader.address(), try reader.address())
        let status = try EscrowStatus(number: try reader.small("a status"))
        guard let exit = EscrowExit(rawValue: try reader.small("an exit"))
        else { throw .meaningless("an exit") }
        let (by, share) = (try reader.address(), try reader.share())
        let (tokenTo, maker) = (try reader.address(), try reader.address())
        var payout = try reader.tuple()
        self.init(
            seller: seller,
            buyer: buyer,
            status: status,
            exit: exit,
            by: by,
            share: share,
            tokenTo: tokenTo,
            maker: maker,
            payout: try EscrowPayout(&payout)
        )
    }
}

extension EscrowPayout {
    fileprivate init(_ reader: inout ABIValueReader) throws(ABIError) {
        self.init(
            seller: try reader.amount(),
            buyer: try reader.amount(),
            platform: try reader.amount(),
            maker: try reader.amount(),
            arbiter: try reader.amount(),
            nobody: try reader.amount()
        )
    }
}
