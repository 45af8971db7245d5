package import Keys

extension SaleRole {
    package static let arbiter = SaleRole(name: "arbiter")
}

extension EscrowSale: SaleState {
    package static let kind = SaleKind.escrow

    package var item: Amount? { listing.token }
    package var contentHash: Bytes32? { listing.offer.contentHash }
    package var maker: Address? { listing.offer.maker }
    package var price: Amount { terms.price }
    package var currency: Currency { terms.currency }
    package var promise: Bytes32 { listing.offer.promise }
    package var slot: Bytes32? { listing.offer.salt }
    package var offer: SaleTerms? { .escrow(terms) }

    package func taken(with event: EscrowEvent) -> Amount {
        switch event.change {
        case .listed: terms.sellerDeposit
        case .bought: terms.buyerSends
        case .relisted, .itemTransferred, .disputed, .taken, .proposed, .proposalWithdrawn, .ended,
            .credited:
            .zero
        }
    }

    /// Everybody whom the sale concerns, and a buyer whom it no longer concerns.
    package func audience(of event: EscrowEvent) -> [Address: SaleRole] {
        var roles = roles(of: concerned)
        if case .relisted(_, let buyer) = event.change { roles[buyer] = .buyer }
        return roles
    }

    /// The share of the price that each side proposes for the seller, in basis points.
    package var news: [String: String] {
        let proposals = [
            "sellerProposal": deal?.sellerProposal, "buyerProposal": deal?.buyerProposal,
        ]
        return proposals.compactMapValues { $0.map { "\($0.share.basisPoints)" } }
    }

    package var outcome: Review.Outcome? {
        switch status {
        case .complete: .complete
        case .refunded: .refunded
        case .settled: .settled
        case .listed, .paid, .transferred, .disputed, .aborted, .declined: nil
        }
    }

    package var payouts: [SalePayout]? {
        guard case .ended(let ending) = phase else { return nil }
        return credits(of: ending.event.payout, maker: ending.event.maker)
    }

    package func isOffered(at time: ChainTime) -> Bool {
        status == .listed && time < terms.offerUntil
    }

    /// From the seller's own move on, unless the sale was undone.
    package var isHandedOver: Bool {
        status == .transferred || status == .disputed || status == .complete
    }

    /// Both lose by the default; a share of half is nobody's loss.
    package var disputeLosers: [Address] {
        guard case .ended(let ending) = phase, let buyer = ending.buyer else { return [] }
        return switch ending.event.exit {
        case .confirm, .claim: [buyer]
        case .refund: [seller]
        case .rule where ending.event.share.basisPoints < 5_000: [seller]
        case .rule where ending.event.share.basisPoints > 5_000: [buyer]
        case .executeDefault: [seller, buyer]
        case .abort, .decline, .settle, .rule: []
        }
    }

    /// Until the item is handed over; then it is in transit.
    package func needsAddress(at time: ChainTime) -> Bool { status == .paid }

    /// The seller's deposit, and the buyer's with the price.
    package func locked(for account: Address) -> [Currency: Amount] {
        guard status.stage != .over else { return [:] }
        if account == seller { return [terms.currency: terms.sellerDeposit] }
        return account == buyer ? [terms.currency: terms.buyerSends] : [:]
    }

    package func deadline(after time: ChainTime) -> SaleDeadline? {
        nextDeadline(after: time)?.described
    }
}
