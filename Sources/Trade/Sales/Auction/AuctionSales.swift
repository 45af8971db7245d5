package import Answers
package import Client
package import Contracts
package import Ethereum
import Foundation
package import Keys
package import Market

/// A node's service for the sales of one auction contract.
package struct AuctionSales: ItemSaleService {
    package typealias State = AuctionSale
    package typealias Contract = AuctionContract

    package static let moves = [AuctionMove.bid, .abort, .end].map(\.name)
    package static let hasMovingPrice = true
    package static let purchaseName = AuctionMove.bid.name
    package static let goodsWarning: Sentence? = ItemSales.goodsWarning
    package static let reviewCondition = Sentence("refusal.reviewOnceSold")

    package let deployed: DeployedMarket.Contract
    package let market: DeployedMarket

    package init(contract deployed: DeployedMarket.Contract, in market: DeployedMarket) {
        (self.deployed, self.market) = (deployed, market)
    }

    package func withdrawal(
        of sale: Market.Sale,
        at time: ChainTime
    ) -> (call: ContractCall, returned: Amount) {
        let state = state(of: sale)
        let offer = state.listing.offer
        // Once the bidding is over, the seller cannot abort, and anyone can end the auction.
        return (time < state.ends ? contract.abort(offer) : contract.end(offer), .zero)
    }

    package func refusal(
        of request: Client.Purchase,
        by buyer: Address,
        in sale: Market.Sale
    ) -> Refusal? {
        let state = state(of: sale)
        let least = money(state.minimalBid ?? .zero, in: state.currency)
        if let refusal = request.roundRefusal { return refusal }
        guard let entered = request.bid else {
            return Refusal(
                .malformedValue,
                Sentence("refusal.giveBid", ["least": least], in: market.registry),
                field: "bid"
            )
        }
        do throws(Refusal) {
            let bid = try Amount.entered(entered, field: "bid")
            guard bid <= SaleLimits.priceMax else {
                throw Refusal(.badAmount, Sentence("refusal.bidMax"), field: "bid")
            }
            guard state.refusal(ofBid: bid) == nil else {
                throw Refusal(
                    .bidTooLow,
                    Sentence("refusal.bidTooLow", ["least": least], in: market.registry),
                    field: "bid"
                )
            }
            guard try request.usedCredit() <= bid else {
                throw Refusal(.badAmount, Sentence("refusal.creditAboveBid"), field: "fromCredit")
            }
        } catch {
            return error
        }
        return nil
    }

    package func purchase(_ request: Client.Purchase, of sale: Market.Sale) -> PaidCall {
        let offer = state(of: sale).listing.offer
        let bid = request.bid.flatMap { Amount(decimal: $0) } ?? .zero
        let credit = request.fromCredit.flatMap { Amount(decimal: $0) } ?? .zero
        return PaidCall(
            call: contract.bid(offer, amount: bid, fromCredit: credit),
            amount: bid.subtracting(credit) ?? .zero,
            currency: offer.terms.currency,
            gas: ItemSales.purchaseGas
        )
    }

    package func describePurchase(
        _ request: Client.Purchase,
        of sale: Market.Sale,
        by buyer: Address,
        at time: ChainTime,
        in preview: inout ActionPreview
    ) {
        let state = state(of: sale)
        let currency = state.terms.currency
        preview.deadline = state.deadline(after: time).map { Client.Sale.Deadline($0) }
        if let highest = state.highest, highest.bidder == buyer {
            preview.warnings.append(
                Sentence("auction.ownHighest", ["bid": money(highest.amount, in: currency)])
            )
        }
        guard let bid = request.bid.flatMap({ Amount(decimal: $0) }) else {
            preview.explanation += state.consequence(of: .bid)
            return
        }
        preview.explanation.append(state.bidTerms)
        let offer = ["bid": money(bid, in: currency), "seller": state.seller.checksummed]
        preview.summary = [
            preview.sale?.title.map { title in
                Sentence("auction.youBidFor", offer.merging(["title": title]) { $1 })
            } ?? Sentence("auction.youBid", offer)
        ]
        let credit = request.fromCredit.flatMap { Amount(decimal: $0) } ?? .zero
        preview.pay("bid", bid.subtracting(credit) ?? .zero, currency)
        if !credit.isZero {
            preview.explanation.append(
                Sentence("auction.fromCredit", ["amount": money(credit, in: currency)])
            )
        }
        preview.expect(bid, currency, Sentence("auction.ifOutbid"))
    }

    package func actions(
        in sale: Market.Sale,
        for account: Address,
        at time: ChainTime
    ) -> [SaleAction] {
        ItemSales.actions(state(of: sale).actions(for: account, at: time), name: \.name)
    }

    package func check(_ request: Client.SaleMove) throws(Refusal) {
        try ItemSales.check(
            request,
            moves: [AuctionMove.abort, .end].map(\.name),
            purchase: AuctionMove.bid.name
        )
    }

    package func move(
        _ request: Client.SaleMove,
        in sale: Market.Sale,
        by account: Address,
        at time: ChainTime,
        requireAnswerable: () throws(Refusal) -> Void
    ) throws(Refusal) -> PlannedMove {
        let state = state(of: sale)
        if let refusal = state.refusal(of: request.move, at: time) { throw refusal }
        let open = try ItemSales.open(
            request.move,
            in: state.actions(for: account, at: time),
            of: state,
            at: time,
            name: \.name,
            requireAnswerable: requireAnswerable
        )
        var preview = ActionPreview(
            action: request.move,
            subject: sale.id.description,
            summary: open.consequence
        )
        let offer = state.listing.offer
        guard open.move == .end else {
            return PlannedMove(call: contract.abort(offer), preview: preview)
        }
        if let highest = state.highest, account == state.seller {
            let payout = ItemPayout(of: highest.amount, fees: state.fees)
            // Who sells a token that was minted for the sale is its maker too.
            let royalty = state.listing.offer.maker == state.seller ? payout.maker : .zero
            preview.expect(
                payout.seller.adding(royalty) ?? payout.seller,
                state.terms.currency,
                .credit
            )
        }
        return PlannedMove(call: contract.end(offer), preview: preview)
    }

    package func show(
        _ sale: Market.Sale,
        at time: ChainTime,
        for account: Address?,
        in shown: inout Client.Sale
    ) {
        let state = state(of: sale)
        let isOpen = state.isOffered(at: time)
        shown.auction = Client.Sale.Auction(
            terms: Client.AuctionTerms(state.terms),
            startingBid: state.terms.startingBid.decimal,
            endsAt: state.ends.date,
            endsAtMost: state.lastEnd.date,
            isOpen: isOpen,
            highestBid: state.highest.map {
                Client.Sale.Bid(bidder: $0.bidder.checksummed, amount: $0.amount.decimal)
            },
            minimalBid: isOpen ? state.minimalBid?.decimal : nil,
            bidders: state.bids.count,
            ownBid: account.flatMap { state.bids[$0]?.decimal }
        )
    }
}

extension AuctionSale {
    /// The reason why no move is open now, in an auction's own words; `nil` for every other reason.
    fileprivate func refusal(of move: String, at time: ChainTime) -> Refusal? {
        guard status.stage != .over else { return nil }
        switch move {
        case AuctionMove.end.name where time < ends:
            return Refusal(.moveNotOpen, Sentence("refusal.biddingRuns", ["end": ends.value]))
        case AuctionMove.abort.name where time >= ends:
            return Refusal(.moveNotOpen, Sentence("refusal.biddingEnded", ["end": ends.value]))
        case AuctionMove.abort.name where highest != nil:
            return Refusal(.moveNotOpen, Sentence("refusal.somebodyBid", ["end": ends.value]))
        default:
            return nil
        }
    }
}
