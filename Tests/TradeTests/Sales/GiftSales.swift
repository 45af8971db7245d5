import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing
import Trade

/// A market with gifts beside escrow.
struct GiftMarket {
    static let kinds = SaleKinds([EscrowSales.self, GiftSales.self])

    let market = DeployedMarket(firstBlock: 5, fees: .points(0, 0))
        .with(GiftSale.kind, at: GiftSales.address, firstBlock: 3)

    func index(confirmations: UInt64) -> SaleIndex {
        SaleIndex(
            deployment: market,
            confirmations: confirmations,
            clock: ManualClock(),
            kinds: Self.kinds
        )
    }
}

/// Something that its owner gives away: a kind of sale for tests, with two moves and no money.
struct GiftSale: SaleState {
    enum Status: SaleStatus {
        case given, taken

        var name: String { "\(self)" }
        var stage: SaleStage { self == .given ? .offered : .over }
    }

    /// The first event of a gift gives it, the second one takes it.
    struct Event: SaleEvent {
        let sale: SaleID
        let position: EventPosition
        let account: Address

        var move: ReportedMove? {
            ReportedMove(position.logIndex == 0 ? "give" : "take", by: account)
        }
        var credit: ContractMoney.Credit? { nil }
    }

    static let kind = SaleKind(rawValue: "gift")

    let reference: SaleReference
    let listedAt: EventPosition
    let seller: Address
    private(set) var position: EventPosition
    private(set) var buyer: Address?

    init(
        listing event: Event,
        contract: ContractReference,
        fees: MarketFees
    ) throws(SaleFault) {
        reference = SaleReference(contract: contract, id: event.sale)
        (listedAt, position) = (event.position, event.position)
        seller = event.account
    }

    mutating func apply(_ event: Event) throws(SaleFault) {
        guard buyer == nil else { throw .impossible(from: status.name) }
        (buyer, position) = (event.account, event.position)
    }

    func taken(with event: Event) -> Amount { .zero }

    var status: Status { buyer == nil ? .given : .taken }
    var since: ChainTime { position.time }
    var parties: [Address] { [seller, buyer].compactMap { $0 } }
    var concerned: [Address] { parties }
    var lastMover: Address { buyer ?? seller }

    func role(of account: Address) -> SaleRole {
        account == seller ? .seller : account == buyer ? .buyer : .stranger
    }

    var item: Amount? { nil }
    var contentHash: Bytes32? { nil }
    var maker: Address? { nil }
    var price: Amount { .zero }
    var currency: Currency { .native }
    var promise: Bytes32 { .zero }
    var offer: SaleTerms? { nil }
    var outcome: Market.Review.Outcome? { buyer == nil ? nil : .complete }
    var payouts: [SalePayout]? { buyer == nil ? nil : [] }

    func isOffered(at time: ChainTime) -> Bool { buyer == nil }
    func deadline(after time: ChainTime) -> SaleDeadline? { nil }
}

/// The contract of gifts: one event, with the sale and the account as topics.
struct GiftContract: SaleContract {
    struct Stored: ContractSale {
        let stage: SaleStage

        func agrees(with state: any SaleState) -> Bool { state.status.stage == stage }
    }

    static let kind = GiftSale.kind
    static let artifact = Artifact.testToken
    static let clearSigning = EscrowContract.clearSigning
    static let topic = Keccak256.hash("Moved(bytes32,address)".utf8)
    static let topics = [topic]

    let address: Address

    static func arguments(item: Address, fees: MarketFees, tokens: [Address]) -> [UInt8] { [] }

    func decode(
        _ log: ContractLog,
        at position: EventPosition
    ) throws(ABIError) -> SaleLedger.Event {
        guard log.address == address, log.topics.count == 3, log.topics[0] == Self.topic,
            let account = Address(log.topics[2].bytes.suffix(Address.byteCount))
        else { throw .topic }
        let sale = SaleID(log.topics[1])
        let event = GiftSale.Event(sale: sale, position: position, account: account)
        return SaleLedger.Event(of: address, .sale(event))
    }

    func stored(_ sale: SaleID) -> ContractQuery<(any ContractSale)?> {
        EscrowContract(address: address).stored(sale)
    }

    func sale(in call: [UInt8], on chain: ChainID) -> SaleID? { nil }

    func credit(of account: Address, in currency: Currency) -> ContractQuery<Amount> {
        EscrowContract(address: address).credit(of: account, in: currency)
    }

    func withdraw(_ amount: Amount, of currency: Currency, to receiver: Address) -> ContractCall {
        ContractCall(to: address, data: [])
    }

    func difference(
        from contract: DeployedMarket.Contract,
        in market: DeployedMarket,
        _ client: ChainClient
    ) async throws -> MarketDifference? {
        nil
    }

    /// The log that the contract writes when `account` gives or takes.
    static func log(
        of sale: SaleID,
        by account: Address,
        at block: BlockID,
        index: UInt64
    ) -> AppliedEvent {
        let padding = [UInt8](repeating: 0, count: 12)
        return AppliedEvent(
            log: Ethereum.ContractEvent(
                block: block,
                index: index,
                transaction: Bytes32(words: index, 9, 9, 9),
                address: GiftSales.address,
                topics: [topic, sale.hash, Bytes32(padding + account.bytes) ?? .zero],
                data: []
            ),
            time: ChainTime(seconds: 1_763_700_000)
        )
    }
}

/// What a node does for gifts.
struct GiftSales: SaleKindService {
    static let address = testKey(30).address
    static let fold: any SaleState.Type = GiftSale.self
    static let contract: any SaleContract.Type = GiftContract.self
    static let moves = ["take"]
    static let purchaseName = "take"
    static let goodsWarning: Sentence? = nil
    static let warning = Sentence("unit.day", ["count": "7"])

    private static let none = Refusal(.badListing, forPrograms: "Nobody lists a gift.")

    init(contract: DeployedMarket.Contract, in market: DeployedMarket) {}

    func terms(
        of content: ListingContent,
        form: Market.Listing.Form,
        by seller: Address,
        at time: ChainTime
    ) throws(Refusal) -> SaleTerms {
        throw Self.none
    }

    func requireListable(_ content: SaleContent, on chain: MarketChain) async throws {}

    static func show(_ terms: SaleTerms, in content: inout ListingContent) {}

    func newSale(of content: SaleContent, by seller: Address) throws(Refusal) -> PlannedSale {
        throw Self.none
    }

    func describe(
        _ content: SaleContent,
        by seller: Address,
        in preview: inout ActionPreview
    ) {}

    func withdrawal(
        of sale: Market.Sale,
        at time: ChainTime
    ) -> (call: ContractCall, returned: Amount) {
        (take(sale), .zero)
    }

    func refusal(
        of request: Client.Purchase,
        by buyer: Address,
        in sale: Market.Sale
    ) -> Refusal? { nil }

    func purchase(_ request: Client.Purchase, of sale: Market.Sale) -> PaidCall {
        PaidCall(call: take(sale), amount: .zero, currency: .native, gas: 0)
    }

    func describePurchase(
        _ request: Client.Purchase,
        of sale: Market.Sale,
        by buyer: Address,
        at time: ChainTime,
        in preview: inout ActionPreview
    ) {}

    func actions(
        in sale: Market.Sale,
        for account: Address,
        at time: ChainTime
    ) -> [SaleAction] {
        guard sale.isOffered(at: time), account != sale.seller else { return [] }
        return [SaleAction(move: "take", until: nil, consequence: [])]
    }

    func check(_ request: Client.SaleMove) throws(Refusal) {}

    func move(
        _ request: Client.SaleMove,
        in sale: Market.Sale,
        by account: Address,
        at time: ChainTime,
        requireAnswerable: () throws(Refusal) -> Void
    ) throws(Refusal) -> PlannedMove {
        try requireAnswerable()
        let preview = ActionPreview(action: "take", summary: [])
        return PlannedMove(call: take(sale), preview: preview)
    }

    func show(
        _ sale: Market.Sale,
        at time: ChainTime,
        for account: Address?,
        in shown: inout Client.Sale
    ) {
        shown.warnings.append(Self.warning)
    }

    private func take(_ sale: Market.Sale) -> ContractCall {
        ContractCall(to: Self.address, data: sale.id.hash.bytes)
    }
}
