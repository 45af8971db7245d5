package import Ethereum
package import Keys
package import Market

/// A contract that carries out one kind of sale, at its address.
///
/// Each kind implements it in `Bindings` and is registered in ``SaleContracts``.
package protocol SaleContract: Hashable, Sendable {
    static var kind: SaleKind { get }
    static var artifact: Artifact { get }
    /// The texts that wallets show for the contract's calls; a test checks that every call has
    /// them.
    static var clearSigning: ClearSigningTexts { get }

    /// The first topics of all logs that ``decode(_:at:)`` decodes, for filters.
    static var topics: [Bytes32] { get }

    /// Encodes the constructor's arguments of such a contract in a market.
    static func arguments(item: Address, fees: MarketFees, tokens: [Address]) -> [UInt8]

    init(address: Address)

    var address: Address { get }

    /// Decodes one log of this contract.
    ///
    /// - Parameters:
    ///   - log: The log, as read from the chain.
    ///   - position: The log's position, with the time of its block.
    /// - Returns: The event.
    /// - Throws: ``ABIError/topic`` for a log of another contract or event;
    ///   ``ABIError/meaningless(_:)`` for a log that the contract cannot have written, which means
    ///   that the endpoint lies.
    func decode(
        _ log: ContractLog,
        at position: EventPosition
    ) throws(ABIError) -> SaleLedger.Event

    /// Reads a sale as the contract stores it; `nil` if there is none with this id.
    func stored(_ sale: SaleID) -> ContractQuery<(any ContractSale)?>

    /// Returns the sale that a call to this contract is about; `nil` if there is none.
    ///
    /// A call carries the whole offer, whose hash with chain and contract is the sale's id.
    func sale(in call: [UInt8], on chain: ChainID) -> SaleID?

    /// Reads the credit that `account` can withdraw.
    func credit(of account: Address, in currency: Currency) -> ContractQuery<Amount>

    /// Withdraws a part of the caller's credit in one currency, or all of it.
    func withdraw(_ amount: Amount, of currency: Currency, to receiver: Address) -> ContractCall

    /// Compares the contract's own statements with the market's file.
    ///
    /// - Returns: The first difference; `nil` if there is none.
    func difference(
        from contract: DeployedMarket.Contract,
        in market: DeployedMarket,
        _ client: ChainClient
    ) async throws -> MarketDifference?
}

/// A sale as its contract stores it.
package protocol ContractSale: Hashable, Sendable {
    var stage: SaleStage { get }

    /// Returns whether the fold of the sale's events gives the same state.
    ///
    /// If not, logs are missing or the endpoint lies, and no money may move.
    func agrees(with state: any SaleState) -> Bool
}

extension SaleContract {
    package static var topics: [Bytes32] { artifact.interface.events.map(\.topic) }
}

/// The kinds of contracts that this program can drive: the registry of ``SaleContract`` types.
package struct SaleContracts: Sendable {
    /// The types, in the order in which they are deployed.
    let types: [any SaleContract.Type]

    package init(_ types: [any SaleContract.Type]) { self.types = types }

    /// Returns the contract of a kind at an address; `nil` for an unknown kind.
    package func contract(_ kind: SaleKind, at address: Address) -> (any SaleContract)? {
        types.first { $0.kind == kind }.map { $0.init(address: address) }
    }

    /// Returns the logs that the follower of a market asks for: those of the item and of all sales.
    package func filter(for market: DeployedMarket) -> LogFilter {
        let kinds = Set(market.contracts.map(\.kind))
        let topics = types.filter { kinds.contains($0.kind) }.flatMap { $0.topics }
        return LogFilter(
            addresses: market.locations.map(\.address),
            topics: Array(Set(topics + ItemContract.topics)),
            firstBlock: market.locations.map(\.firstBlock).min() ?? 0
        )
    }

    /// Decodes one event of a market's contracts.
    ///
    /// - Returns: `nil` for an event of the item contract: it is checked and skipped, because the
    ///   sale contracts' events say all that is shown of sales.
    /// - Throws: ``ABIError`` for a log that the contract cannot have written.
    package func decode(
        _ event: AppliedEvent,
        of market: DeployedMarket
    ) throws(ABIError) -> SaleLedger.Event? {
        let log = event.log.contractLog
        guard log.address != market.item.address else {
            _ = try ItemContract(address: log.address).decode(log)
            return nil
        }
        guard let kind = market.contract(at: log.address)?.kind,
            let contract = contract(kind, at: log.address)
        else { throw .topic }
        return try contract.decode(log, at: event.position)
    }
}
