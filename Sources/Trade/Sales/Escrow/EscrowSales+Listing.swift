package import Answers
package import Client
import Contracts
import Ethereum
import Foundation
package import Keys
package import Market

extension EscrowSales {
    package func terms(
        of content: ListingContent,
        form: Market.Listing.Form,
        by seller: Address,
        at time: ChainTime
    ) throws(Refusal) -> SaleTerms {
        let currency = try content.price.acceptedCurrency(in: deployed)
        let amount = try Amount.entered(content.price.amount, field: "price.amount")
        var terms: Market.EscrowTerms
        do {
            terms = try .standard(price: amount, currency: currency, form: form, now: time)
        } catch {
            throw error.escrowRefusal
        }
        if let wanted = content.terms { try terms.set(wanted) }
        do { try terms.check(seller: seller, at: time) } catch { throw error.escrowRefusal }
        return .escrow(terms)
    }

    package static func show(_ terms: SaleTerms, in content: inout ListingContent) {
        guard case .escrow(let terms) = terms else { return }
        content.terms = Client.EscrowTerms(terms)
    }

    package static func terms(in terms: SaleTerms) -> Market.EscrowTerms? {
        if case .escrow(let terms) = terms { terms } else { nil }
    }

    package func dueMoves(
        under terms: SaleTerms,
        listedAt time: ChainTime
    ) -> (moves: Set<UnattendedMove>, until: ChainTime)? {
        guard case .escrow(let terms) = terms else { return nil }
        let transfer = terms.offerUntil.advanced(by: terms.shipWindow)
        return ([.claim, .end], transfer.advanced(by: terms.confirmWindow))
    }

    package func repriced(
        _ content: ListingContent,
        of sale: Market.Sale,
        at time: ChainTime
    ) throws(Refusal) -> ListingContent {
        let old = state(of: sale).terms
        guard content.terms == nil || content.terms == Client.EscrowTerms(old) else {
            return content
        }
        var content = content
        let price = try Amount.entered(content.price.amount, field: "price.amount")
        let end = ItemSales.offerEnd(after: old.offerUntil, at: time)
        do {
            content.terms = Client.EscrowTerms(try old.repriced(to: price, until: end))
        } catch {
            throw error.escrowRefusal
        }
        return content
    }

    package static func reserve(
        _ content: inout ListingContent,
        for reservation: Reservation
    ) throws(Refusal) {
        content.terms?.buyer = reservation.buyer.checksummed
        content.terms?.offerUntil = reservation.until.seconds
    }

    package func describe(
        _ content: SaleContent,
        by seller: Address,
        in preview: inout ActionPreview
    ) {
        guard case .escrow(let terms) = content.terms else { return }
        func money(_ amount: Amount) -> String { self.money(amount, in: terms.currency) }
        preview.summary = [
            Sentence(
                "escrow.youOffer",
                [
                    "title": content.title, "price": money(terms.price),
                    "deposit": money(terms.sellerDeposit),
                ]
            )
        ]
        preview.arbiter = ActionPreview.Arbiter(terms)
        preview.deadline = Client.Sale.Deadline(
            EscrowDeadline(at: terms.offerUntil, effect: .offerEnds).described
        )
        preview.explanation += [
            Sentence(
                "escrow.buyerPays",
                [
                    "deposit": money(terms.buyerDeposit), "window": terms.shipWindow.value,
                    "penalty": money(terms.latePenalty),
                ]
            ),
            Sentence("escrow.falselySent", ["penalty": money(terms.latePenalty)]),
            Sentence("escrow.buyerConfirms", ["window": terms.confirmWindow.value]),
            dispute(terms),
        ]
        if let buyer = terms.buyer { preview.explanation.append(.reserved(for: buyer)) }
        if terms.arbiter == nil { preview.warnings.append(EscrowSales.noArbiterWarning) }
        preview.pay("deposit", terms.sellerDeposit, terms.currency)
        preview.expect(terms.sellerDeposit, terms.currency, Sentence("escrow.ifWithdrawn"))
        expectPrice(under: terms, isMaker: (content.item?.maker ?? seller) == seller, in: &preview)
    }
}

extension EscrowSales {
    /// Adds what the seller gets if the buyer confirms.
    ///
    /// Who sells a token that is minted for the sale is its maker too, and gets the royalty.
    private func expectPrice(
        under terms: Market.EscrowTerms,
        isMaker: Bool,
        in preview: inout ActionPreview
    ) {
        guard
            let payout = EscrowPayout(
                exit: .confirm,
                share: .all,
                terms: terms,
                fees: deployed.fees
            )
        else { return }
        let royalty = isMaker ? payout.maker : .zero
        let parts = payout.platform.adding(isMaker ? .zero : payout.maker) ?? .zero
        preview.expect(
            payout.seller.adding(royalty) ?? payout.seller,
            terms.currency,
            Sentence(
                "escrow.onceBuyerConfirms",
                ["fees": money(parts, in: terms.currency), "pieces": "1"]
            )
        )
    }

    /// Describes how a dispute ends, to a seller.
    private func dispute(_ terms: Market.EscrowTerms) -> Sentence {
        let forfeit = terms.price.portion(basisPoints: EscrowLimits.forfeitBasisPoints) ?? .zero
        let loss = [
            "window": terms.rulingWindow.value, "forfeit": money(forfeit, in: terms.currency),
        ]
        guard let arbiter = terms.arbiter else { return Sentence("escrow.noDecision", loss) }
        let fee = money(terms.arbiterFee, in: terms.currency)
        return Sentence(
            "escrow.arbiterDecides",
            loss.merging(["arbiter": arbiter.checksummed, "fee": fee]) { $1 }
        )
    }

    package func requireListable(
        _ content: SaleContent,
        on chain: MarketChain
    ) async throws {
        guard case .escrow(let terms) = content.terms, let arbiter = terms.arbiter else { return }
        let registered = try await chain.asking {
            try await chain.client.ask(contract.arbiterTerms(of: arbiter, in: terms.currency))
        }
        if let refusal = refusal(of: arbiter, registered, in: terms) { throw refusal }
    }

    /// Returns why an arbiter cannot be named in some terms; `nil` if it can.
    private func refusal(
        of arbiter: Address,
        _ registered: EscrowContract.ArbiterTerms,
        in terms: Market.EscrowTerms
    ) -> Refusal? {
        guard registered.until.seconds > 0 else {
            return Refusal(
                .badTerms,
                Sentence("refusal.arbiterNotRegistered", ["arbiter": "\(arbiter)"]),
                field: "terms.arbiter"
            )
        }
        guard registered.until >= terms.lastRuling else {
            return Refusal(
                .badTerms,
                Sentence(
                    "refusal.arbiterEndsEarly",
                    [
                        "arbiter": "\(arbiter)", "until": registered.until.value,
                        "needed": terms.lastRuling.value,
                    ]
                ),
                field: "terms.offerUntil"
            )
        }
        guard registered.feeMin <= terms.arbiterFee else {
            return Refusal(
                .badTerms,
                Sentence(
                    "refusal.arbiterFeeLow",
                    [
                        "arbiter": arbiter.checksummed,
                        "least": money(registered.feeMin, in: terms.currency),
                        "fee": money(terms.arbiterFee, in: terms.currency),
                    ],
                    in: market.registry
                ),
                field: "terms.arbiterFee"
            )
        }
        return nil
    }
}

extension Market.EscrowTerms {
    /// Replaces the terms that a person entered.
    fileprivate mutating func set(_ wanted: Client.EscrowTerms) throws(Refusal) {
        func set(_ text: String?, _ field: String, _ part: inout Amount) throws(Refusal) {
            if let text { part = try Amount.entered(text, field: "terms.\(field)") }
        }
        try set(wanted.sellerDeposit, "sellerDeposit", &sellerDeposit)
        try set(wanted.buyerDeposit, "buyerDeposit", &buyerDeposit)
        try set(wanted.latePenalty, "latePenalty", &latePenalty)
        try set(wanted.arbiterFee, "arbiterFee", &arbiterFee)
        if let text = wanted.arbiter {
            arbiter = try Address.entered(text, field: "terms.arbiter")
        }
        if let seconds = wanted.shipSeconds { shipWindow = .entered(seconds) }
        if let seconds = wanted.confirmSeconds { confirmWindow = .entered(seconds) }
        if let seconds = wanted.rulingSeconds { rulingWindow = .entered(seconds) }
        if let seconds = wanted.offerUntil { offerUntil = ChainTime(seconds: seconds) }
        if let text = wanted.buyer { buyer = try Address.entered(text, field: "terms.buyer") }
    }
}

extension Duration {
    /// Returns a duration that a person entered, cut far above every bound to avoid overflow.
    static func entered(_ seconds: UInt64) -> Duration {
        .seconds(Int64(min(seconds, 1_000_000_000)))
    }
}
