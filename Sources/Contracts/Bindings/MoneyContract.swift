package import Keys
package import Market

/// A contract that holds money for others: its currencies, its debts, and what accounts withdraw.
///
/// Source: Sources/Contracts/Vyper/money.vy; Docs/contracts.md, section 3.
package protocol MoneyContract: Hashable, Sendable {
    static var artifact: Artifact { get }
    /// The first topics of all logs that the binding decodes, for filters.
    static var topics: [Bytes32] { get }

    var address: Address { get }
}

extension MoneyContract {
    static var interface: ContractInterface { artifact.interface }

    /// The topics of all events but `Deployed`, which says what the contract's views say too.
    static var followedTopics: [Bytes32] {
        interface.events.filter { $0.name != "Deployed" }.map(\.topic)
    }

    /// Reads the credit that `account` can withdraw.
    package func credit(of account: Address, in currency: Currency) -> ContractQuery<Amount> {
        query("credit", [.address(currency.address), .address(account)]) { try $0.amount() }
    }

    /// Reads what the contract owes to all accounts, and to all sales or courses that run.
    package func owed(in currency: Currency) -> ContractQuery<Amount> {
        query("owed", [.address(currency.address)]) { try $0.amount() }
    }

    /// Reads whether the contract takes a currency.
    package func accepts(_ currency: Currency) -> ContractQuery<Bool> {
        query("is_currency", [.address(currency.address)]) { try $0.bool() }
    }

    /// The tokens that are accepted besides the chain's native currency.
    package var currencies: ContractQuery<[Address]> { query("currencies") { try $0.addresses() } }

    /// The chain's id when the contract was deployed, with which it computes the ids of sales.
    package var chainID: ContractQuery<UInt64> {
        query("CHAIN_ID") { try $0.small("a chain's id") }
    }

    /// The account that receives the platform's part.
    package var platform: ContractQuery<Address> { query("PLATFORM") { try $0.address() } }

    /// Withdraws a part of the caller's credit in one currency, or all of it.
    ///
    /// - Parameters:
    ///   - amount: At least 1, at most the caller's credit.
    ///   - currency: The currency of the credit.
    ///   - receiver: Any account but the zero address and the contract itself.
    /// - Returns: The call.
    package func withdraw(
        _ amount: Amount,
        of currency: Currency,
        to receiver: Address
    ) -> ContractCall {
        call("withdraw", [.address(currency.address), .amount(amount), .address(receiver)])
    }

    func call(
        _ function: String,
        _ arguments: [ABIValue],
        paying amount: Amount = .zero,
        in currency: Currency = .native
    ) -> ContractCall {
        ContractCall(
            to: address,
            Self.interface.known(function),
            arguments,
            value: currency == .native ? amount : .zero
        )
    }

    func query<Answer: Sendable>(
        _ function: String,
        _ arguments: [ABIValue] = [],
        read: @escaping @Sendable (inout ABIValueReader) throws -> Answer
    ) -> ContractQuery<Answer> {
        ContractQuery(to: address, Self.interface.known(function), arguments, read: read)
    }

    /// Returns the event of a log, which must be one that the binding decodes.
    func event(of log: ContractLog) throws(ABIError) -> ABIEvent {
        guard log.address == address, let topic = log.topics.first, Self.topics.contains(topic),
            let event = Self.interface.event(topic: topic)
        else { throw .topic }
        return event
    }

    /// Encodes the constructor's arguments, which follow the creation code.
    static func encodedArguments(_ arguments: [ABIValue]) -> [UInt8] {
        written { try interface.creation(bytecode: [], arguments) }
    }
}

extension ABIValueReader {
    /// Reads the members of `Withdrawn`: the credit, and the address that received it.
    mutating func withdrawal() throws(ABIError) -> (ContractMoney.Credit, to: Address) {
        let (currency, account) = (try currency(), try address())
        let to = try address()
        let amount = try amount()
        return (ContractMoney.Credit(currency: currency, account: account, amount: amount), to)
    }

    /// Reads the members of `Credited`: the id of the sale or course, and the credit.
    mutating func credited() throws(ABIError) -> (id: Bytes32, ContractMoney.Credit) {
        let (currency, account) = (try currency(), try address())
        let id = try bytes32()
        let amount = try amount()
        return (id, ContractMoney.Credit(currency: currency, account: account, amount: amount))
    }

    /// Reads the last member of an event, which must be the time of its block.
    mutating func checkTime(of position: EventPosition) throws(ABIError) {
        guard try time() == position.time else {
            throw .meaningless("a time that is not the block's")
        }
    }
}
