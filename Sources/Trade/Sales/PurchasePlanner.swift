import Answers
package import Client
import Concurrency
import Contracts
import Ethereum
package import Keys
import Market
import Setup
import Storage

/// Plans the purchases of listings, and the bids for them.
package struct PurchasePlanner: Sendable {
    /// The maximum number of tokens of one identifier that are looked for on a chain.
    private static let twinsMax = 20

    private let markets: Markets
    private let runner: OperationRunner
    private let store: Store
    private let clock: any WallClock

    private var saleIndexes: SaleIndexes { markets.saleIndexes }

    /// - Parameters:
    ///   - markets: The chains; each is asked about its own sales.
    ///   - runner: Carries out the purchases.
    ///   - store: The store of the listings.
    ///   - clock: The wall clock, by which listings end.
    init(markets: Markets, runner: OperationRunner, store: Store, clock: any WallClock) {
        (self.markets, self.runner) = (markets, runner)
        (self.store, self.clock) = (store, clock)
    }

    /// Buys what a listing offers, or bids for it: sends the price, deposit or bid.
    ///
    /// Its obstacles: `unknown_listing`, `own_listing`, `listing_gone`, `not_as_promised`,
    /// `not_final_yet`, `one_source`, `shipping_not_possible`, `insufficient_balance`,
    /// `contract_refused`, `fee_above_limit`, `wrong_market`, or the chain's health.
    package func buy(
        _ request: Client.Purchase,
        by account: Address,
        notes: BuyerNotes = BuyerNotes()
    ) -> ProposedOperation {
        ProposedOperation(
            request.bid == nil ? .buy : .bid,
            notes.named(request),
            by: account,
            acceptsOneSource: request.acceptsOneSource == true,
            on: runner
        ) {
            try await self.plan(buying: request, notes, &$0)
        }
    }

    private func plan(
        buying request: Client.Purchase,
        _ notes: BuyerNotes,
        _ plan: inout PlannedOperation
    ) async throws {
        let purchase = try purchase(request, notes, in: &plan)
        let (sale, chain) = (purchase.sale, markets[purchase.sale])
        // A caller that has only a listing learns the round from the preview.
        guard plan.isPreview || request.round != nil || !type(of: purchase.service).needsRound
        else {
            throw Refusal(.malformedValue, Sentence("refusal.giveShownRound"), field: "round")
        }
        let time = chain.saleIndex.time ?? sale.position.time
        plan.registry = chain.deployment.registry
        plan.preview = purchase.preview(at: time)
        plan.disclosure = purchase.disclosure
        if let more = try purchase.boundRefusal(of: plan.preview.leaves) { try plan.note(more) }
        await plan.describe { preview in
            preview.warnings += [twinWarning(of: purchase)].compactMap(\.self)
            preview.explanation += chain.saleIndex.origin(of: sale)
            preview.explanation += chain.saleIndex.outcomes(ofSeller: sale.seller)
        }
        for obstacle in purchase.obstacles(at: time, now: clock.timestamp) {
            try plan.note(obstacle)
        }
        if let late = await chain.lateRefusal(of: sale, at: time) { try plan.note(late) }
        guard plan.obstacles.isEmpty else { return }
        try await plan.check { plan in
            let (steps, gas) = try await steps(of: purchase)
            try await plan.send(steps, gasOfLast: gas, on: chain)
            try await plan.describe { preview in
                let warning = try await chain.contractWarning(of: sale.seller, as: "seller")
                if let warning { preview.warnings.append(warning) }
            }
        }
    }

    /// Returns the transactions of a purchase and the gas of the last one, after all checks that
    /// precede its payment.
    private func steps(
        of purchase: PurchasePlan
    ) async throws -> (steps: [Intent.Step], gas: UInt64) {
        let chain = markets[purchase.sale]
        try await chain.requireOwnContracts()
        try await chain.confirm(
            purchase.view,
            acceptsOneSource: purchase.request.acceptsOneSource == true
        )
        let call = purchase.service.purchase(purchase.request, of: purchase.sale)
        return (try await chain.steps(for: call, by: purchase.buyer), call.gas)
    }

    private func purchase(
        _ request: Client.Purchase,
        _ notes: BuyerNotes,
        in plan: inout PlannedOperation
    ) throws -> PurchasePlan {
        let id = try ListingID(request.listing)
        guard let stored = try store.read({ try $0.record(in: id.key) }) else {
            throw Refusal.unknownListing("\(id)")
        }
        guard let found = FoundListing(stored) else {
            throw Refusal(.listingGone, Sentence("refusal.listingWithdrawn"), field: "listing")
        }
        let chain = try markets.required(found.listing.chain)
        if let unwell = SaleIndex.refusal(of: chain.saleIndex.health, on: chain.chain) {
            try plan.note(unwell)
        }
        let set = try store.pieces(of: found)
        let time = saleIndexes.time(by: clock)
        let free = set.free(on: saleIndexes, at: time)
        let piece = set.piece(shown: request.sale, else: free, to: plan.account) ?? found
        guard let sale = piece.listing.sale, let view = chain.saleIndex.view(of: sale) else {
            throw Refusal(.listingGone, Sentence("refusal.noSale"), field: "listing")
        }
        var request = request
        request.acceptsOneSource = plan.acceptsOneSource
        return PurchasePlan(
            found: piece,
            view: view,
            buyer: plan.account,
            request: request,
            notes: notes,
            left: free.count { $0.id != piece.id },
            service: chain.saleIndex.service(for: view.sale),
            registry: chain.deployment.registry
        )
    }

    /// Warns of other tokens with the identifier of a purchased item, other than pieces of the
    /// same listing, sold and withdrawn ones too; `nil` if there are none.
    private func twinWarning(of purchase: PurchasePlan) -> Sentence? {
        guard purchase.found.listing.form == .goods, let item = purchase.sale.state.item else {
            return nil
        }
        let identifier = purchase.promise.identifier
        let slots = purchase.found.pieceSlots
        let others = markets.saleIndexes.all.flatMap { index in
            index.items(of: identifier, limit: Self.twinsMax)
                .filter { token in
                    guard index === markets[purchase.sale].saleIndex else { return true }
                    return token != item
                        && !index.isSold(token, by: purchase.sale.seller, in: slots)
                }
                .compactMap(index.firstListed)
        }
        guard let first = others.min() else { return nil }
        let age =
            switch markets[purchase.sale].saleIndex.firstListed(item) {
            case let own? where own < first: "item.thisOlder"
            case let own? where own > first: "item.oneOlder"
            default: "item.noneOlder"
            }
        let values = ["count": "\(others.count)", "age": age, "identifier": identifier.text]
        // The index was asked for at most this number on each chain, this token among them.
        return others.count < Self.twinsMax - 1
            ? Sentence("item.others", values) : Sentence("item.manyOthers", values)
    }
}

extension FoundListing {
    /// The slots of all pieces of the listing, also of those that were sold or withdrawn.
    fileprivate var pieceSlots: Set<Bytes32> {
        let first = shownID.slot
        return Set((1..<PieceRole.countMax).map { PieceRole.slot($0, of: first) } + [first])
    }
}

extension SaleIndex {
    /// Whether a token was put up for sale by an account in one of the slots of its listings.
    fileprivate func isSold(_ token: Amount, by seller: Address, in slots: Set<Bytes32>) -> Bool {
        views(of: token, limit: ItemSearcher.salesMax).map(\.sale).contains { sale in
            sale.seller == seller && sale.state.slot.map(slots.contains) == true
        }
    }
}
