package import Keys

extension SaleRole {
    /// An account that has bid and was outbid.
    package static let bidder = SaleRole(name: "bidder")
}

extension AuctionSale: SaleState {
    package static let kind = SaleKind.auction

    /// The highest bidder, who is the buyer unless somebody bids more.
    package var buyer: Address? { highest?.bidder }
    package var item: Amount? { listing.token }
    package var contentHash: Bytes32? { listing.offer.contentHash }
    package var maker: Address? { listing.offer.maker }
    /// The highest bid; the starting bid if nobody has bid.
    package var price: Amount { highest?.amount ?? terms.startingBid }
    package var currency: Currency { terms.currency }
    package var highestBid: Amount? { highest?.amount }
    package var bidCount: UInt64? { bidsPlaced }
    package var promise: Bytes32 { listing.offer.promise }
    package var offer: SaleTerms? { .auction(terms) }

    package var since: ChainTime {
        switch phase {
        case .ready: listedAt.time
        case .bid(let bidding), .outbid(let bidding): bidding.since
        case .ended(let ending): ending.at
        }
    }

    /// The seller and every account that bid, in no order.
    package var parties: [Address] { [seller] + bids.keys }
    package var concerned: [Address] { parties }

    package func isParty(_ account: Address) -> Bool { role(of: account) != .stranger }

    /// Until the end anybody can still become the buyer.
    package func reviewRight(of account: Address) -> ReviewRight {
        status.stage == .over ? rightOnceOver(of: account) : .later
    }

    package var lastMover: Address {
        switch phase {
        case .ready: seller
        case .bid(let bidding), .outbid(let bidding): bidding.highest.bidder
        case .ended(let ending): ending.event.by
        }
    }

    package func role(of account: Address) -> SaleRole {
        if account == seller { return .seller }
        if account == buyer { return .buyer }
        return bids[account] == nil ? .stranger : .bidder
    }

    /// A bid notifies the seller and all other bidders; the end notifies everybody.
    package func audience(of event: AuctionEvent) -> [Address: SaleRole] {
        guard case .bidPlaced(let bid, _) = event.change else { return roles(of: parties) }
        return roles(of: parties.filter { $0 != bid.bidder })
    }

    package var news: [String: String] {
        guard let highest else { return [:] }
        return ["highestBid": highest.amount.decimal, "bidder": highest.bidder.checksummed]
    }

    package func taken(with event: AuctionEvent) -> Amount {
        if case .bidPlaced(let bid, _) = event.change { bid.amount } else { .zero }
    }

    /// `false` also for a bidder whose bid is not the highest: it is credited, and only a new bid
    /// can win.
    package func isUnfinished(for account: Address) -> Bool {
        status.stage != .over && role(of: account) != .bidder
    }

    package var outcome: Review.Outcome? { status == .sold ? .complete : nil }

    package var payouts: [SalePayout]? {
        guard case .ended(let ending) = phase else { return nil }
        return ending.event.parts(fees: fees)
    }

    /// The highest bid.
    package func locked(for account: Address) -> [Currency: Amount] {
        guard status.stage != .over, let highest, highest.bidder == account else { return [:] }
        return [terms.currency: highest.amount]
    }

    package func isOffered(at time: ChainTime) -> Bool {
        status.stage != .over && time < ends && minimalBid != nil
    }

    package func deadline(after time: ChainTime) -> SaleDeadline? {
        nextDeadline(after: time)?.described
    }
}
