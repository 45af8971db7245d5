package import Answers
package import Client
package import Contracts
package import Ethereum
package import Keys
package import Market

/// The kinds of sale that a node knows: the registry of ``SaleKindService`` types.
///
/// Each has the fold of its kind's events and its kind's contract. Docs/architecture.md, section "A
/// new way to sell", says what else a kind has.
package struct SaleKinds: Sendable {
    /// The facts that every node knows.
    package static let standard = SaleKinds([
        EscrowSales.self, DirectSales.self, AuctionSales.self, CourseSales.self,
    ])

    package let folds: SaleFolds
    package let contracts: SaleContracts
    private let services: [SaleKind: any SaleKindService.Type]

    package init(_ services: [any SaleKindService.Type]) {
        folds = SaleFolds(services.map { $0.fold })
        contracts = SaleContracts(services.map { $0.contract })
        self.services = Dictionary(services.map { ($0.fold.kind, $0) }) { $1 }
    }

    package func contains(_ kind: SaleKind) -> Bool { services[kind] != nil }

    /// The names of all kinds, in order.
    package var names: [String] { services.keys.map(\.rawValue).sorted() }

    /// The names of all moves of all kinds, each once.
    package var moves: [String] {
        var moves: [String] = []
        for name in names {
            let own = services[SaleKind(rawValue: name)].map { $0.moves } ?? []
            moves += own.filter { !moves.contains($0) }
        }
        return moves
    }

    /// The kinds whose price can change after they are listed.
    var movingPrices: [SaleKind] {
        services.filter { $0.value.hasMovingPrice }.map(\.key).sorted { $0.rawValue < $1.rawValue }
    }

    /// Whether a listing of a kind is bought at its price, in one purchase.
    func isBoughtAtOnce(_ kind: SaleKind) -> Bool { services[kind]?.purchaseName == "buy" }

    /// Adds terms to the content of a listing.
    func show(_ terms: SaleTerms, in content: inout ListingContent) {
        services[terms.kind]?.show(terms, in: &content)
    }

    /// Returns the service of one contract; `nil` for a kind that is not known.
    package func service(
        for contract: DeployedMarket.Contract,
        in market: DeployedMarket
    ) -> (any SaleKindService)? {
        services[contract.kind].map { $0.init(contract: contract, in: market) }
    }
}

/// A node's service for the sales of one kind, on one contract: it makes the calls, describes them,
/// and shows the part of a sale that only its kind has.
///
/// It decides without waiting, but for ``requireListable(_:on:)``: the callers ask the chain, check
/// balances and begin operations. A sale that it is given is always one of its kind.
package protocol SaleKindService: Sendable {
    static var fold: any SaleState.Type { get }
    static var contract: any SaleContract.Type { get }
    /// The names in the API of every move, purchases included.
    static var moves: [String] { get }
    /// The name of a purchase in the API: `buy`, or `bid` in an auction.
    static var purchaseName: String { get }
    /// The warning to a buyer of goods; `nil` if the contract protects the buyer.
    static var goodsWarning: Sentence? { get }

    /// The words to the buyer of a digital work about when its key comes.
    static var workKey: Sentence { get }

    /// Whether a sale is about a token.
    static var sellsItem: Bool { get }
    /// Whether a purchase must name the round that was shown, because the sale's id does not fix
    /// the price.
    static var needsRound: Bool { get }
    /// Whether the price can change after a sale is listed.
    static var hasMovingPrice: Bool { get }
    /// When a sale can be reviewed, in words that follow "once".
    static var reviewCondition: Sentence { get }
    /// Who can review a sale, in a sentence.
    static var reviewers: Sentence { get }

    init(contract: DeployedMarket.Contract, in market: DeployedMarket)

    /// Returns the terms of a listing that a person entered, checked for `seller` at `time`.
    ///
    /// - Throws: ``Refusal``: `bad_terms`, `bad_amount`, `bad_address`, `bad_listing`.
    func terms(
        of content: ListingContent,
        form: Market.Listing.Form,
        by seller: Address,
        at time: ChainTime
    ) throws(Refusal) -> SaleTerms

    /// Adds terms that pass, if content of the kind cannot do without; see ``ListingForm``.
    static func addPassingTerms(to content: inout ListingContent, at time: ChainTime)

    /// Refuses terms to which others must have consented, if the chain shows that they have not.
    ///
    /// - Throws: ``Refusal`` with `bad_terms`, or that of the chain.
    func requireListable(_ content: SaleContent, on chain: MarketChain) async throws

    /// Adds terms of the kind to the content of a listing.
    static func show(_ terms: SaleTerms, in content: inout ListingContent)

    /// Returns the sale that will carry a listing's commitment, and the call that makes it.
    func newSale(of content: SaleContent, by seller: Address) throws(Refusal) -> PlannedSale

    /// Adds the seller's payments, proceeds and risks to the preview of a new listing.
    func describe(
        _ content: SaleContent,
        by seller: Address,
        in preview: inout ActionPreview
    )

    /// Returns what the seller of a digital work has to do so that its key is sent; `nil` if the
    /// payment is enough.
    func workRelease(under terms: SaleTerms) -> Sentence?

    /// Returns the consequence of a move in the sale of a digital work, from that in a sale of
    /// goods.
    func consequence(ofWork consequence: [Sentence]) -> [Sentence]

    /// Returns the warning to a buyer who makes a move without the key of the digital work; `nil`
    /// if the move does not depend on it.
    static func warningWithoutKey(of move: String) -> Sentence?

    /// Returns the call that ends an unsold sale, and the money that it returns.
    func withdrawal(
        of sale: Market.Sale,
        at time: ChainTime
    ) -> (call: ContractCall, returned: Amount)

    /// Returns the content with which an unsold sale is listed again at the content's price: terms
    /// that it does not change follow the price.
    ///
    /// - Throws: ``Refusal`` with `bad_amount`, or with `bad_terms` if the price of this kind
    ///   cannot change.
    func repriced(
        _ content: ListingContent,
        of sale: Market.Sale,
        at time: ChainTime
    ) throws(Refusal) -> ListingContent

    /// Writes into content that has terms of the kind who alone can buy, and until when.
    ///
    /// - Throws: ``Refusal`` with `bad_terms` if offers of this kind are open to anyone.
    static func reserve(
        _ content: inout ListingContent,
        for reservation: Reservation
    ) throws(Refusal)

    /// Returns why an account cannot buy so, although the sale is on offer and not its own.
    func refusal(
        of request: Client.Purchase,
        by buyer: Address,
        in sale: Market.Sale
    ) -> Refusal?

    /// Returns the call that buys, for a request that ``refusal(of:by:in:)`` does not refuse.
    func purchase(_ request: Client.Purchase, of sale: Market.Sale) -> PaidCall

    /// Adds the buyer's payments, proceeds and risks to the preview of a purchase.
    ///
    /// The request may be one that is refused.
    func describePurchase(
        _ request: Client.Purchase,
        of sale: Market.Sale,
        by buyer: Address,
        at time: ChainTime,
        in preview: inout ActionPreview
    )

    /// Returns the moves that `account` can make at `time`.
    func actions(in sale: Market.Sale, for account: Address, at time: ChainTime) -> [SaleAction]

    /// Checks a request for a move, as far as this needs no sale.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`.
    func check(_ request: Client.SaleMove) throws(Refusal)

    /// Returns the requested move, if it is open to the account.
    ///
    /// - Parameters:
    ///   - request: A request that ``check(_:)`` accepts.
    ///   - sale: The sale.
    ///   - account: The account that makes the move.
    ///   - time: The chain's time.
    ///   - requireAnswerable: Refuses if the sale cannot be answered yet; called once the move is
    ///     known to be open.
    /// - Returns: The call, and its preview.
    /// - Throws: ``Refusal``: `not_your_sale`, `move_not_open`, and those of `requireAnswerable`.
    func move(
        _ request: Client.SaleMove,
        in sale: Market.Sale,
        by account: Address,
        at time: ChainTime,
        requireAnswerable: () throws(Refusal) -> Void
    ) throws(Refusal) -> PlannedMove

    /// Returns the seller's moves that deadlines open, and when the last of them opens or the offer
    /// ends, as far as the terms say.
    ///
    /// - Parameters:
    ///   - terms: Those of a listing of this kind.
    ///   - time: When it is listed.
    /// - Returns: The moves, and the time; `nil` if nothing is ever due.
    func dueMoves(
        under terms: SaleTerms,
        listedAt time: ChainTime
    ) -> (moves: Set<UnattendedMove>, until: ChainTime)?

    /// Returns why the offer is closed although the sale is not over; `nil` if its time has ended.
    func closing(of sale: Market.Sale, at time: ChainTime) -> Sentence?

    /// Adds to a sale what only its kind has, as `account` sees it.
    func show(
        _ sale: Market.Sale,
        at time: ChainTime,
        for account: Address?,
        in shown: inout Client.Sale
    )
}

extension SaleKindService {
    package static var sellsItem: Bool { true }
    package static var needsRound: Bool { false }
    package static var hasMovingPrice: Bool { false }
    package static var reviewCondition: Sentence { Sentence("refusal.reviewOnceOver") }
    package static var reviewers: Sentence { Sentence("refusal.reviewByParties") }

    package static func addPassingTerms(
        to content: inout ListingContent,
        at time: ChainTime
    ) {}

    package func dueMoves(
        under terms: SaleTerms,
        listedAt time: ChainTime
    ) -> (moves: Set<UnattendedMove>, until: ChainTime)? { nil }

    package func closing(of sale: Market.Sale, at time: ChainTime) -> Sentence? { nil }

    package static func reserve(
        _ content: inout ListingContent,
        for reservation: Reservation
    ) throws(Refusal) {
        throw Refusal(.badTerms, Sentence("refusal.priceFixed"), field: "price.amount")
    }

    package func repriced(
        _ content: ListingContent,
        of sale: Market.Sale,
        at time: ChainTime
    ) throws(Refusal) -> ListingContent {
        throw Refusal(.badTerms, Sentence("refusal.priceFixed"), field: "price.amount")
    }
}

/// The content of a new sale.
package struct SaleContent: Sendable {
    package let title: String
    /// The slot of the listing, which is the salt of the sale's id.
    ///
    /// So the listing and the token give the inputs of the id, without old logs.
    package let slot: Bytes32
    package let contentHash: Bytes32
    /// The hash of the listing that the sale fulfils.
    package let promise: Bytes32
    package let terms: SaleTerms
    /// The seller's token that is sold again; `nil` to mint one.
    package let item: OwnedItem?

    package init(
        title: String,
        slot: Bytes32,
        contentHash: Bytes32,
        promise: Bytes32,
        terms: SaleTerms,
        item: OwnedItem? = nil
    ) {
        (self.title, self.slot, self.contentHash) = (title, slot, contentHash)
        (self.promise, self.terms, self.item) = (promise, terms, item)
    }

    /// Returns the seller's credit from a price, without deposits.
    ///
    /// Who sells a token that is minted for the sale is its maker too, and gets the royalty.
    func proceeds(of price: Amount, fees: MarketFees, to seller: Address) -> Amount {
        let payout = ItemPayout(of: price, fees: fees)
        guard (item?.maker ?? seller) == seller else { return payout.seller }
        return payout.seller.adding(payout.maker) ?? payout.seller
    }
}

/// A token that its owner sells again.
package struct OwnedItem: Hashable, Sendable {
    package let token: Amount
    /// The account that receives the royalty.
    package let maker: Address

    package init(token: Amount, maker: Address) { (self.token, self.maker) = (token, maker) }
}

/// A sale that is about to be made.
package struct PlannedSale: Sendable {
    package let sale: SaleReference
    package let call: PaidCall

    package init(sale: SaleReference, call: PaidCall) { (self.sale, self.call) = (sale, call) }
}

/// A call in which a contract draws money from the caller.
package struct PaidCall: Sendable {
    package let call: ContractCall
    package let amount: Amount
    package let currency: Currency
    /// The gas of a call that follows another step, such as an approval, and cannot be estimated
    /// before that is mined.
    ///
    /// More than measured, because tokens differ; the fee shown is the maximum that is paid.
    /// Source: Docs/contracts.md, section 14.
    package let gas: UInt64

    package init(call: ContractCall, amount: Amount, currency: Currency, gas: UInt64) {
        (self.call, self.amount, self.currency, self.gas) = (call, amount, currency, gas)
    }
}

/// A move that is open to its account.
package struct PlannedMove: Sendable {
    package let call: ContractCall
    /// Its action is the move's name in the API.
    package let preview: ActionPreview

    package init(call: ContractCall, preview: ActionPreview) {
        (self.call, self.preview) = (call, preview)
    }
}
