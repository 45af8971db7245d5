import AccountAccess
import Answers
import Client
import Concurrency
import Contracts
import Ethereum
import Keys
import Market
import MediaFiles
import Records
import Setup
import Storage

/// A listing that is about to be created, and the sale that will carry its commitment.
struct PlannedListing: Sendable {
    /// Where it is sold.
    let chain: MarketChain
    let listing: Market.Listing
    let slot: Bytes32
    let content: SaleContent
    let sale: PlannedSale
    let service: any SaleKindService
    let seller: Address
    /// The promise of the sale, if the listing says otherwise.
    var promised: ListingCommitment?
}

/// Plans the sales of listings: their terms, descriptions, checks and transactions.
package struct OfferPlanner: Sendable {
    /// The maximum number of a token's sales that are looked at for its form.
    private static let salesMax = 50

    let markets: Markets
    let accounts: Accounts
    let runner: OperationRunner
    let store: Store
    /// `nil` in a market whose listings show no files.
    private let files: MediaService?
    let clock: any WallClock
    let clockWatch: ClockWatch

    var saleIndexes: SaleIndexes { markets.saleIndexes }
    var time: ListingTimes { saleIndexes.time(by: clock) }

    init(
        markets: Markets,
        accounts: Accounts,
        runner: OperationRunner,
        store: Store,
        files: MediaService?,
        clock: any WallClock,
        clockWatch: ClockWatch
    ) {
        (self.markets, self.accounts) = (markets, accounts)
        (self.runner, self.store, self.files) = (runner, store, files)
        (self.clock, self.clockWatch) = (clock, clockWatch)
    }

    /// Returns the files that a listing's content names; `nil` if it does not say.
    func media(of content: ListingContent, keeping old: [Media] = []) async throws -> [Media]? {
        guard let named = content.media else { return nil }
        guard let files else {
            guard named.isEmpty else {
                throw Refusal(.badListing, Sentence("refusal.noFiles"), field: "media")
            }
            return []
        }
        return try await files.media(named, keeping: old)
    }

    /// Fetches the files that a listing's content names, as far as this node lacks them.
    func fetchMedia(of content: ListingContent) async throws {
        try await files?.fetch(content.media ?? [])
    }

    /// Refuses a digital work if the account has no file to deliver.
    func requireWork(_ content: ListingContent, by account: Address) throws {
        guard content.type == Market.Listing.Form.digital.rawValue else { return }
        let digits = content.identifier.lowercased()
        let file = Bytes32(hex: digits.hasPrefix("0x") ? digits : "0x" + digits)
        let hasWork = try file.map { file in
            try store.read { try $0.contains(Works.self, CompositeKey(account, file)) }
        }
        guard hasWork == true else {
            throw Refusal(
                .badListing,
                Sentence("refusal.noSuchWork", ["identifier": content.identifier.quoted]),
                field: "identifier"
            )
        }
    }

    func requireAuthor(_ account: Address, of id: ListingID) throws(Refusal) {
        guard id.author == account else {
            throw Refusal(.notAllowed, Sentence("refusal.onlyAuthor"))
        }
    }
}

/// The sales that are planned.
extension OfferPlanner {
    /// Describes new sales to their seller.
    func plan(listing offers: [PlannedListing], _ plan: inout PlannedOperation) async throws {
        let offer = offers[0]
        plan.registry = offer.chain.deployment.registry
        try await plan.describe { preview in
            offer.service.describe(offer.content, by: offer.seller, in: &preview)
            if offers.count > 1 {
                preview.repeated(offers.count)
                let price = offer.listing.terms.price
                let words = Sentence(
                    "preview.pieces",
                    [
                        "count": "\(offers.count)",
                        "price": price.value(
                            in: offer.listing.terms.currency,
                            on: offer.chain.chain
                        ),
                    ]
                )
                preview.explanation.insert(words, at: 0)
            }
            preview.explanation += try offer.listing.facts + takenOver(by: offer)
            preview.warnings += [try twinWarning(of: offer)].compactMap(\.self)
            if offer.listing.form == .digital {
                preview.warnings += [offer.service.workRelease(under: offer.content.terms)]
                    .compactMap(\.self)
            }
            preview.warnings += try await attendanceWarnings(of: offer)
        }
    }

    /// Says what a listing of a token takes over from the sale in which its seller bought it.
    private func takenOver(by offer: PlannedListing) throws -> [Sentence] {
        guard let item = offer.content.item else { return [] }
        let sales = offer.chain.saleIndex.views(of: item.token, limit: Self.salesMax).map(\.sale)
        guard let bought = sales.last(where: { $0.buyer == offer.seller }),
            let promise = try store.promise(of: bought)
        else { return [] }
        var sentences: [Sentence] = []
        if offer.listing.delivery == promise.delivery {
            sentences.append(Sentence("preview.resaleDelivery"))
        }
        if offer.listing.description == promise.description {
            let values = ["description": promise.description]
            sentences.append(Sentence("preview.resaleDescription", values))
        }
        return sentences
    }

    /// Adds the transactions of new sales.
    func send(_ offers: [PlannedListing], _ plan: inout PlannedOperation) async throws {
        let offer = offers[0]
        try await plan.check { plan in
            let steps = try await steps(of: offers)
            if steps.first == offer.chain.allowance(for: offer) {
                plan.preview.explanation.append(
                    offer.content.item == nil
                        ? Sentence("preview.allowMint") : Sentence("preview.allowTake")
                )
            }
            try await plan.send(steps, gasOfLast: offer.sale.call.gas, on: offer.chain)
        }
    }

    /// Checks the content to be listed, and computes the id of its sale.
    ///
    /// The sale's id is known in advance, so that no other sale can be taken for it.
    func offer(_ content: ListingContent, by account: Address) async throws -> PlannedListing {
        // Before anything is paid: others would ignore the listing.
        try await clockWatch.requireUsable()
        let chain = try markets.chain(of: content)
        try chain.saleIndex.requireCurrent()
        guard let time = chain.saleIndex.time else {
            throw Refusal(.chainAway, Sentence("refusal.noBlock"))
        }
        let listing = try content.listing(
            in: chain.saleIndex,
            seller: account,
            at: time,
            media: try await media(of: content) ?? []
        )
        try requireWork(content, by: account)
        let item = try await chain.item(ofListing: content, listing.identifier, by: account)
        try requireForm(of: listing, selling: item, on: chain)
        return try offer(listing, in: .random(), of: item, on: chain, by: account)
    }

    /// Computes the sale of a listing whose content is checked; of a new token if there is no item.
    ///
    /// It promises the listing's content, or that of an earlier promise.
    func offer(
        _ listing: Market.Listing,
        in slot: Bytes32,
        of item: OwnedItem?,
        promising earlier: ListingCommitment? = nil,
        on chain: MarketChain,
        by account: Address
    ) throws -> PlannedListing {
        let content = ListingCommitment(of: listing, slot: slot)
        let promise = earlier?.with(listing.terms) ?? content
        let service = try chain.saleIndex.service(forPayment: listing.terms.kind.rawValue)
        let offered = SaleContent(
            title: listing.title,
            slot: slot,
            contentHash: listing.identifier.contentHash(madeBy: item?.maker ?? account),
            promise: promise.hash,
            terms: listing.terms,
            item: item
        )
        return PlannedListing(
            chain: chain,
            listing: listing,
            slot: slot,
            content: offered,
            sale: try service.newSale(of: offered, by: account),
            service: service,
            seller: account,
            promised: promise == content ? nil : promise
        )
    }

    /// Returns the transactions of new listings with the same terms, after all checks that precede
    /// their deposits.
    ///
    /// Before its first token, the seller allows the contract to mint in the seller's name; before
    /// a token is sold again, the seller allows the contract to take it. Only a contract that was
    /// proved genuine is allowed.
    ///
    /// `returned` is what earlier transactions of the same operation pay out to the seller.
    ///
    /// Source: Docs/contracts.md, section 2.
    func steps(of offers: [PlannedListing], returned: Amount = .zero) async throws -> [Intent.Step]
    {
        guard let last = offers.last else { return [] }
        // The preview shows the amounts of one, times their number.
        guard offers.allSatisfy({ $0.listing.terms == last.listing.terms }) else {
            throw Refusal(.badTerms, Sentence("refusal.termsDiffer"), field: "terms")
        }
        let (chain, call) = (last.chain, last.sale.call)
        try await chain.requireOwnContracts()
        try await last.service.requireListable(last.content, on: chain)
        let sum = offers.reduce(Amount.zero) { $0.adding($1.sale.call.amount) ?? .max }
        var steps = try await chain.steps(
            for: PaidCall(call: call.call, amount: sum, currency: call.currency, gas: call.gas),
            by: last.seller,
            returned: returned
        )
        let others = offers.dropLast().map { Intent.Step($0.sale.call.call) }
        steps.insert(contentsOf: others, at: steps.count - 1)
        var allowances: [Intent.Step] = []
        // One permission to mint is enough for all.
        for offer in offers where offer.content.item != nil || offer.slot == offers[0].slot {
            guard try await !chain.isAllowed(for: offer) else { continue }
            allowances.append(chain.allowance(for: offer))
        }
        return allowances + steps
    }

    /// Refuses to sell a token again as another form of thing than it was sold as before.
    func requireForm(of listing: Market.Listing, selling item: OwnedItem?, on chain: MarketChain)
        throws
    {
        guard let item else { return }
        let sales = chain.saleIndex.views(of: item.token, limit: Self.salesMax).map(\.sale)
        let forms = try sales.compactMap { try store.foundListing(of: $0)?.listing.form }
        guard let before = forms.first, before != listing.form else { return }
        let values = ["type": before.rawValue, "token": item.token.decimal]
        throw Refusal(.badListing, Sentence("refusal.otherType", values), field: "type")
    }
}

extension PlannedListing {
    /// The listing, with the sale that it is listed with.
    var anchored: Market.Listing {
        listing.anchored(
            contract: sale.sale.contract.address,
            sale: sale.sale.id,
            promised: promised
        )
    }
}
