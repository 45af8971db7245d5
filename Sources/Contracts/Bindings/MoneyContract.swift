package import Ethereum
package import Keys
package import Market

/// A contract that holds money for others: its currencies, its debts, and withdrawals.
///
/// Source: Sources/Contracts/Vyper/money.vy; Docs/contracts.md, section 3.
package protocol MoneyContract: SaleContract {
    associatedtype Event: MoneyEvent

    /// Decodes the members of one event between the sale's id, which comes first, and the time.
    static func change(
        _ event: String,
        _ reader: inout ABIValueReader
    ) throws(ABIError) -> Event.Change

    /// Returns the change that a used credit makes; `nil` if the contract accepts no credits in
    /// payment.
    static func change(usedCredit credit: ContractMoney.Credit) -> Event.Change?
}

extension MoneyContract {
    /// `nil`: the contract accepts no credits in payment.
    package static func change(usedCredit credit: ContractMoney.Credit) -> Event.Change? { nil }

    static var interface: ContractInterface { artifact.interface }

    /// The topics of all events but those named and `Deployed`, whose content the views return too.
    static func followedTopics(except names: String...) -> [Bytes32] {
        interface.events.filter { !(names + ["Deployed"]).contains($0.name) }.map(\.topic)
    }

    /// Reads the credit that `account` can withdraw.
    package func credit(of account: Address, in currency: Currency) -> ContractQuery<Amount> {
        query("credit", [.address(currency.address), .address(account)]) { try $0.amount() }
    }

    /// Reads the contract's debts to all accounts, and to all running sales or courses.
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

    /// Encodes the constructor's arguments, which follow the creation code.
    static func encodedArguments(_ arguments: [ABIValue]) -> [UInt8] {
        written { try interface.creation(bytecode: [], arguments) }
    }
}

extension MoneyContract {
    /// Decodes one log of this contract.
    ///
    /// The contract writes the block's time into each event of a sale except those of credits. So
    /// the caller passes the time, and it is compared with the time in the event.
    package func decode(
        _ log: ContractLog,
        at position: EventPosition
    ) throws(ABIError) -> SaleLedger.Event {
        guard log.address == address, let topic = log.topics.first, Self.topics.contains(topic),
            let event = Self.interface.event(topic: topic)
        else { throw .topic }
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
    ) throws(ABIError) -> Event {
        if name == "Credited" {
            let (id, credit) = try reader.credited()
            return Event(sale: SaleID(id), position: position, change: .credited(credit))
        }
        if name == "CreditUsed" {
            let (id, credit) = try reader.credited()
            guard let change = change(usedCredit: credit) else { throw .topic }
            return Event(sale: SaleID(id), position: position, change: change)
        }
        let sale = SaleID(try reader.bytes32())
        let change = try change(name, &reader)
        guard try reader.time() == position.time else {
            throw .meaningless("a time that is not the block's")
        }
        return Event(sale: sale, position: position, change: change)
    }

    /// Compares chain, platform and tokens with the market's file; `nil` if they are the same.
    func moneyDifference(
        from contract: DeployedMarket.Contract,
        in market: DeployedMarket,
        _ client: ChainClient
    ) async throws -> MarketDifference? {
        let chain = try await client.ask(chainID)
        guard chain == market.chain.number else { return .chain(of: Self.kind, chain) }
        let platform = try await client.ask(platform)
        guard platform == contract.fees.platform else { return .platform(of: Self.kind, platform) }
        let tokens = try await client.ask(currencies)
        guard Set(tokens) == Set(contract.tokens) else { return .tokens(of: Self.kind, tokens) }
        return nil
    }

    /// Reads the first argument of a call to one of `functions`; `nil` if it is another call.
    static func firstArgument<Value>(
        of call: [UInt8],
        to functions: [FunctionSelector: ABIFunction],
        _ read: (inout ABIValueReader) throws(ABIError) -> Value
    ) -> Value? {
        guard let selector = FunctionSelector(startOf: call), let function = functions[selector]
        else { return nil }
        do {
            var reader = ABIValueReader(try function.decodeCall(call))
            return try read(&reader)
        } catch {
            return nil
        }
    }

    /// Returns the functions of these names by their selectors.
    static func functions(_ names: [String]) -> [FunctionSelector: ABIFunction] {
        Dictionary(names.map { interface.known($0) }.map { ($0.selector, $0) }) { $1 }
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

    /// Reads the members of `Credited` or `CreditUsed`: the id of the sale or course, and the
    /// credit.
    mutating func credited() throws(ABIError) -> (id: Bytes32, ContractMoney.Credit) {
        let (currency, account) = (try currency(), try address())
        let id = try bytes32()
        let amount = try amount()
        return (id, ContractMoney.Credit(currency: currency, account: account, amount: amount))
    }
}
