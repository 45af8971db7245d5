package import Keys

/// The position of an event on the chain.
package struct EventPosition: Hashable, Sendable {
    package let blockNumber: UInt64
    package let blockHash: Bytes32
    /// The index of the event in its block.
    package let logIndex: UInt64
    /// The time of its block.
    package let time: ChainTime
    /// The hash of the transaction that emitted it.
    package let transaction: Bytes32

    package init(
        blockNumber: UInt64,
        blockHash: Bytes32,
        logIndex: UInt64,
        time: ChainTime,
        transaction: Bytes32
    ) {
        self.blockNumber = blockNumber
        self.blockHash = blockHash
        self.logIndex = logIndex
        self.time = time
        self.transaction = transaction
    }
}

extension EventPosition: Comparable {
    /// The order on one chain; positions on different branches cannot be compared.
    package static func < (left: EventPosition, right: EventPosition) -> Bool {
        (left.blockNumber, left.logIndex) < (right.blockNumber, right.logIndex)
    }
}

/// An event of a contract about one of its sales, decoded, with its position.
///
/// Each kind of sale has its own type; ``SaleState`` says which.
package protocol SaleEvent: Hashable, Sendable {
    var sale: SaleID { get }
    var position: EventPosition { get }

    /// The move that the event reports; `nil` if it accompanies another event, as a credit does.
    var move: ReportedMove? { get }

    /// Whether the event changes the possible moves of the sale; `false` for an offer that a party
    /// can repeat at will, such as a proposal to settle.
    var changesMoves: Bool { get }

    /// The credit that the event reports, if it is one.
    var credit: ContractMoney.Credit? { get }

    /// The part of a credit with which an account paid, if the event reports that.
    var usedCredit: ContractMoney.Credit? { get }
}

extension SaleEvent {
    /// `true`: the kind has no offers that can be repeated.
    package var changesMoves: Bool { true }

    /// `nil`: the kind takes no credits in payment.
    package var usedCredit: ContractMoney.Credit? { nil }
}

/// An event of a contract that holds money for others, as those of all kinds of sale do.
package protocol MoneyEvent: SaleEvent {
    associatedtype Change: MoneyChange

    init(sale: SaleID, position: EventPosition, change: Change)
}

/// The subject of a ``MoneyEvent``: a credit, or a change of its sale.
package protocol MoneyChange: Hashable, Sendable {
    static func credited(_ credit: ContractMoney.Credit) -> Self
}

/// A move as an event reports it.
package struct ReportedMove: Hashable, Sendable {
    /// The name of the move in the API, such as `buy`.
    package let name: String
    /// The account that made it.
    package let account: Address

    package init(_ name: String, by account: Address) {
        (self.name, self.account) = (name, account)
    }
}

/// A step in the history of a sale.
package struct SaleStep: Hashable, Sendable {
    package let move: ReportedMove
    /// Whether the step changed the possible moves, see ``SaleEvent/changesMoves``.
    package let changesMoves: Bool
    /// The time of its block.
    package let time: ChainTime
    package let transaction: Bytes32

    package init(
        move: ReportedMove,
        changesMoves: Bool = true,
        time: ChainTime,
        transaction: Bytes32
    ) {
        (self.move, self.changesMoves) = (move, changesMoves)
        (self.time, self.transaction) = (time, transaction)
    }
}
