package import Answers
package import Client
import Contracts
import Ethereum
import Foundation
package import Keys
package import Market

extension AuctionSales {
    package func terms(
        of content: ListingContent,
        form: Market.Listing.Form,
        by seller: Address,
        at time: ChainTime
    ) throws(Refusal) -> SaleTerms {
        var terms = Market.AuctionTerms(
            currency: try content.price.acceptedCurrency(in: deployed),
            startingBid: try Amount.entered(content.price.amount, field: "price.amount")
        )
        if let wanted = content.auction { terms.set(wanted) }
        do { try terms.check(seller: seller, at: time) } catch { throw error.auctionRefusal }
        return .auction(terms)
    }

    package static func show(_ terms: SaleTerms, in content: inout ListingContent) {
        guard case .auction(let terms) = terms else { return }
        content.auction = Client.AuctionTerms(terms)
    }

    package static func terms(in terms: SaleTerms) -> Market.AuctionTerms? {
        if case .auction(let terms) = terms { terms } else { nil }
    }

    package func dueMoves(
        under terms: SaleTerms,
        listedAt time: ChainTime
    ) -> (moves: Set<UnattendedMove>, until: ChainTime)? {
        guard case .auction(let terms) = terms else { return nil }
        return ([.end], time.advanced(by: terms.duration))
    }

    package func describe(
        _ content: SaleContent,
        by seller: Address,
        in preview: inout ActionPreview
    ) {
        guard case .auction(let terms) = content.terms else { return }
        preview.summary = [
            Sentence(
                "auction.youAuction",
                [
                    "title": content.title, "duration": terms.duration.value,
                    "least": money(terms.startingBid, in: terms.currency),
                ]
            )
        ]
        preview.explanation += [
            Sentence("auction.held", ["increment": "\(terms.minIncrementBasisPoints)"]),
            Sentence(
                "auction.lateBid",
                [
                    "extension": terms.extensionTime.value,
                    "most": AuctionLimits.extensionsMax.value,
                ]
            ),
        ]
        preview.expect(
            content.proceeds(of: terms.startingBid, fees: deployed.fees, to: seller),
            terms.currency,
            Sentence("auction.onceEnded", ["duration": terms.duration.value])
        )
    }
}

extension AuctionSales {
    /// How many blocks a late bid must leave for an answer.
    private static let extensionBlocksMin = 5

    /// Refuses an extension that is too short for a bid to be answered on this chain.
    package func requireListable(
        _ content: SaleContent,
        on chain: MarketChain
    ) async throws {
        guard case .auction(let terms) = content.terms,
            let seconds = try await chain.secondsPerBlock()
        else { return }
        let least = Self.extensionBlocksMin * seconds
        guard terms.extensionTime < .seconds(least) else { return }
        throw Refusal(
            .badTerms,
            Sentence(
                "refusal.lateBidShort",
                [
                    "seconds": "\(seconds)", "least": "\(least)",
                    "blocks": "\(Self.extensionBlocksMin)",
                ]
            ),
            field: "auction.extensionSeconds"
        )
    }
}

extension Market.AuctionTerms {
    /// Replaces the terms that a person entered.
    fileprivate mutating func set(_ wanted: Client.AuctionTerms) {
        if let seconds = wanted.durationSeconds { duration = .entered(seconds) }
        if let points = wanted.minIncrement { minIncrementBasisPoints = points }
        if let seconds = wanted.extensionSeconds { extensionTime = .entered(seconds) }
    }
}

extension Client.AuctionTerms {
    init(_ terms: Market.AuctionTerms) {
        self.init(
            durationSeconds: terms.duration.wholeSeconds,
            minIncrement: terms.minIncrementBasisPoints,
            extensionSeconds: terms.extensionTime.wholeSeconds
        )
    }
}

extension TermsFault {
    /// The bound of an auction in words.
    fileprivate var auctionRefusal: Refusal {
        switch Market.AuctionTerms.Term(rawValue: term) {
        case .startingBid:
            Refusal(.badTerms, Sentence("refusal.firstBidRange"), field: "price")
        case .minIncrement:
            Refusal(.badTerms, Sentence("refusal.incrementRange"), field: "auction.minIncrement")
        case .extensionTime:
            Refusal(
                .badTerms,
                Sentence("refusal.extensionRange"),
                field: "auction.extensionSeconds"
            )
        case .duration, nil:
            Refusal(.badTerms, Sentence("refusal.auctionLength"), field: "auction.durationSeconds")
        }
    }
}
