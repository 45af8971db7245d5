import Answers
import Client
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Setup
import Storage

/// A purchase that was looked up: its sale, its price and the obstacles to it.
struct PurchasePlan: Sendable {
    let found: FoundListing
    let view: SaleView
    let buyer: Address
    let request: Client.Purchase
    let notes: BuyerNotes
    /// How many other pieces can be bought, if the listing stands for several.
    var left = 0

    let service: any SaleKindService
    /// Writes the amounts of refusals.
    let registry: CurrencyRegistry

    var sale: Market.Sale { view.sale }

    /// Returns the obstacles apart from money, most important first.
    func obstacles(at time: ChainTime, now: Timestamp) -> [Refusal] {
        var obstacles: [Refusal] = []
        if buyer == sale.seller {
            obstacles.append(Refusal(.ownListing, Sentence("refusal.ownListing"), field: "listing"))
        }
        if let gone = goneRefusal(at: time, now: now) {
            obstacles.append(gone)
        } else if let refusal = service.refusal(of: request, by: buyer, in: sale) {
            obstacles.append(refusal)
        }
        if let refusal = promiseRefusal { obstacles.append(refusal) }
        if let refusal = chainRefusal { obstacles.append(refusal) }
        do throws(Refusal) {
            try view.requireAnswerable(
                by: buyer,
                acceptsOneSource: request.acceptsOneSource == true
            )
        } catch {
            obstacles.append(error)
        }
        if let refusal = notes.refusal(of: request, by: promise.delivery) {
            obstacles.append(refusal)
        }
        if let refusal = addressRefusal { obstacles.append(refusal) }
        return obstacles
    }

    /// Why the address with it cannot be sent; `nil` if it can, or if nothing is shipped.
    private var addressRefusal: Refusal? {
        guard isShipped, let disclosure = notes.disclosure else { return nil }
        guard request.bid == nil else {
            return Refusal(.malformedValue, Sentence("refusal.addressWhenWon"), field: "address")
        }
        if case .failure(let refusal) = disclosure { return refusal }
        return nil
    }

    private var isShipped: Bool { promise.delivery.method == .shipping }

    /// The address that is sent to the seller once it is paid.
    var disclosure: OperationPlan.Disclosure? {
        guard isShipped, case .success(let disclosure)? = notes.disclosure else { return nil }
        return OperationPlan.Disclosure(sale: sale.id, .address, sealed: disclosure.sealed)
    }

    /// Why the sale is no longer on offer; `nil` if it is.
    private func goneRefusal(at time: ChainTime, now: Timestamp) -> Refusal? {
        if sale.isOffered(at: time) {
            let isOver = found.listing.endsAt.map { $0 <= now } ?? false
            return isOver ? Refusal(.listingGone, Sentence("refusal.timeEnded")) : nil
        }
        if let reason = service.closing(of: sale, at: time) {
            return Refusal(.listingGone, reason)
        }
        // Nothing has happened since then, except that time has passed.
        if sale.isOffered(at: sale.position.time) {
            return Refusal(.listingGone, Sentence("refusal.timeEnded"))
        }
        let others = left == 0 ? nil : Sentence("refusal.piecesLeft", ["count": "\(left)"])
        if let sold = Refusal.soldToOther(than: buyer, sale, besides: others) { return sold }
        return Refusal(.listingGone, Sentence("refusal.offerOver"), .state(of: sale.state))
    }

    /// How the sale differs from the listing; `nil` if it is or the buyer accepts the changes.
    private var promiseRefusal: Refusal? {
        if let shown = request.sale, shown.lowercased() != sale.id.description {
            return Refusal(.notAsPromised, Sentence("refusal.otherSale"), field: "sale")
        }
        if found.listing.fulfilment(slot: found.id.slot, sale: sale) == .notPromised
            || sale.seller != found.id.author
        {
            return Refusal(.notAsPromised, Sentence("refusal.otherContent"))
        }
        guard request.acceptsChanges != true else { return nil }
        var reasons = offerDifferences
        if !reasons.isEmpty { reasons.append(Sentence("refusal.acceptOtherTerms")) }
        if let changes {
            reasons += promise.sentences(about: changes) + [Sentence("refusal.acceptChanges")]
        }
        guard !reasons.isEmpty else { return nil }
        return Refusal(.notAsPromised, reasons, field: "acceptsChanges")
    }

    /// Why the chain of the sale is another than the request names; `nil` if it is not.
    private var chainRefusal: Refusal? {
        let number = sale.reference.contract.chain.number
        guard let meant = request.chain, meant != number else { return nil }
        return Refusal(
            .notAsPromised,
            Sentence("refusal.otherSaleChain", ["chain": "\(number)"]),
            field: "chain"
        )
    }

    /// Why more would leave the account than the request allows; `nil` if it does not.
    ///
    /// - Throws: ``Refusal`` with `bad_amount` for a bound that is no amount, and `malformed_value`
    ///   for one without a chain.
    func boundRefusal(
        of leaves: [ActionPreview.Outgoing]
    ) throws(Refusal) -> Refusal? {
        guard let bound = request.leavesMax else { return nil }
        guard request.chain != nil else {
            throw Refusal(.malformedValue, Sentence("refusal.giveChain"), field: "chain")
        }
        let most = try Amount.entered(bound.amount, field: "leavesMax.amount")
        let sum = leaves.filter { $0.purpose != "fee" }
            .reduce(Amount.zero) { $0.adding(Amount(decimal: $1.amount) ?? .max) ?? .max }
        let isMeant = bound.currency.lowercased() == sale.currency.name.lowercased()
        guard !isMeant || sum > most else { return nil }
        let amount = sum.value(in: sale.currency, on: sale.reference.contract.chain)
        return Refusal(
            .notAsPromised,
            Sentence("refusal.leavesMore", ["amount": amount]),
            field: "leavesMax"
        )
    }

    /// How the sale differs from the one for which the buyer has made an offer.
    private var offerDifferences: [Sentence] {
        (notes.offer?.differences(of: sale, found) ?? []).written(in: registry)
    }

    /// The content that the sale was made for, whatever the listing says now.
    var promise: ListingCommitment { found.promise }

    /// Returns the preview: the item, its price, and the movements of the money.
    func preview(at time: ChainTime) -> ActionPreview {
        var preview = ActionPreview(
            action: type(of: service).purchaseName,
            chain: sale.reference.contract.chain.number,
            subject: sale.id.description,
            sale: ActionPreview.PreviewedSale(sale, title: promise.title, to: buyer),
            summary: [
                Sentence(
                    "preview.buy",
                    ["title": promise.title, "seller": sale.seller.checksummed]
                )
            ],
            warnings: warnings,
            restsOnOneSource: view.restsOnOneSource
        )
        service.describePurchase(request, of: sale, by: buyer, at: time, in: &preview)
        preview.explanation += explanation
        return preview
    }

    private var warnings: [Sentence] {
        var warnings = view.warnings
        if found.listing.form == .goods, let warning = type(of: service).goodsWarning {
            warnings.append(warning)
        }
        if isShipped, request.bid == nil, notes.disclosure == nil {
            warnings.append(Sentence("preview.noAddress"))
        }
        return warnings
    }

    /// The seller's changes and the delivery.
    private var explanation: [Sentence] {
        var lines = offerDifferences + (changes.map { promise.sentences(about: $0) } ?? [])
        switch promise.delivery {
        case .pickup(let place): lines.append(Sentence("preview.pickup", ["place": "\(place)"]))
        case .online: lines.append(Sentence("preview.online"))
        case .shipping:
            if case .success(let disclosure)? = notes.disclosure {
                lines.append(Sentence("preview.addressSent", ["address": disclosure.text]))
            } else if request.bid != nil {
                lines.append(Sentence("preview.winnerAddress"))
            }
        }
        if found.listing.form == .digital { lines.append(type(of: service).workKey) }
        if !isShipped, notes.disclosure != nil { lines.append(Sentence("preview.nothingShipped")) }
        return lines
    }

    private var changes: Set<PayloadField>? {
        guard
            case .changed(let fields) = found.listing.fulfilment(slot: found.id.slot, sale: sale)
        else { return nil }
        return fields
    }
}

extension Client.Purchase {
    /// Why a purchase at a fixed price is refused: it has a bid.
    var bidRefusal: Refusal? {
        guard bid != nil || fromCredit != nil else { return nil }
        let field = bid == nil ? "fromCredit" : "bid"
        return Refusal(.malformedValue, Sentence("refusal.noBids", ["field": field]), field: field)
    }

    /// The part of a bid that a credit pays.
    ///
    /// - Throws: ``Refusal`` with `bad_amount`.
    func usedCredit() throws(Refusal) -> Amount {
        guard let fromCredit else { return .zero }
        return try Amount.entered(fromCredit, field: "fromCredit")
    }

    /// Why a purchase with a round is refused for a sale without rounds.
    var roundRefusal: Refusal? {
        round.map { _ in
            Refusal(.malformedValue, Sentence("refusal.noRounds"), field: "round")
        }
    }
}

extension Refusal {
    /// Refuses a purchase of an item that only another account can buy.
    static func reserved(for account: Address) -> Refusal {
        Refusal(
            .listingGone,
            Sentence("refusal.reserved", ["account": account.checksummed]),
            field: "listing"
        )
    }

    /// Returns the refusal if another account has bought; `nil` if none has.
    static func soldToOther(
        than account: Address,
        _ sale: Market.Sale,
        money: Sentence? = nil,
        besides others: Sentence? = nil
    ) -> Refusal? {
        guard let buyer = sale.buyer, buyer != account else { return nil }
        let words = [Sentence("refusal.soldToOther"), money, others]
        return Refusal(.listingGone, words.compactMap(\.self))
    }
}
