import Answers
import Client
import Contracts
import Foundation
import Keys
import Market

extension Client.Listing {
    /// A listing as the API shows it; if it has several pieces, the piece that is bought next.
    init(_ shown: ListingView, on saleIndexes: SaleIndexes, at time: ListingTimes) {
        self.init(shown.piece, on: saleIndexes, at: time)
        if shown.id != shown.piece.id { id = shown.id.description }
        pieces = shown.pieces
        if let pieces, state == "open" {
            status = Sentence(
                "standing.pieces",
                ["free": "\(pieces.free)", "count": "\(pieces.total)"]
            )
        }
    }

    /// A single listing as the API shows it, with its sale as this node's own chain shows it.
    init(_ found: FoundListing, on saleIndexes: SaleIndexes, at time: ListingTimes) {
        let listing = found.listing
        let view = listing.sale.flatMap { saleIndexes.view(of: $0) }
        let state = saleIndexes.state(of: listing, at: time)
        let sale = state.end == nil ? nil : view?.sale
        let fulfilment = view.map { listing.fulfilment(slot: found.id.slot, sale: $0.sale) }
        let rating = view?.sale.state.buyerRating
        let id = found.id.description
        self.init(
            id: id,
            record: found.record.digest.hex,
            // The id begins with it; a checksum of its own would cost a hash.
            author: String(decoding: id.utf8.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self),
            content: ListingContent(listing),
            anchor: listing.sale.map {
                Anchor(
                    chain: $0.contract.chain.number,
                    contract: $0.contract.address.checksummed,
                    sale: $0.id.description
                )
            },
            isAsPromised: fulfilment.map { $0 == .asPromised },
            changes: fulfilment?.changes,
            state: state.name,
            salePhase: view?.sale.status.name,
            price: view.map { Money($0.sale.price, $0.sale.currency) },
            isCurrencyAccepted: saleIndexes[listing.chain]?.accepts(listing.terms) ?? false,
            highestBid: view.flatMap { view in
                view.sale.state.highestBid.map { Money($0, view.sale.currency) }
            },
            minimalBid: sale.flatMap { sale in
                sale.state.minimalBid.map { Money($0, sale.currency) }
            },
            bids: view?.sale.state.bidCount,
            freeSeats: sale?.state.freeSeats,
            students: rating.flatMap { _ in view?.sale.state.buyerCount },
            average: rating?.average,
            raters: rating?.raters,
            maker: view?.sale.state.maker?.checksummed,
            isResale: view.flatMap { saleIndexes[listing.chain]?.isResale($0.sale) },
            endsAt: state.end?.date,
            createdAt: found.createdAt.date,
            firstSeenAt: found.firstSeen.date
        )
        status = words(in: saleIndexes[listing.chain]?.deployment.registry ?? PlainUnits())
    }
}

extension Client.Sale.Commitment {
    /// The words of a promise.
    init(_ promise: ListingCommitment) {
        self.init(
            title: promise.title,
            description: promise.description,
            identifier: promise.identifier.text,
            curriculum: Client.CurriculumSession.list(promise.curriculum)
        )
    }
}

extension Client.CurriculumSession {
    /// A curriculum as the API shows it; `nil` if it has no sessions.
    static func list(_ sessions: [Market.CurriculumSession]) -> [Self]? {
        sessions.isEmpty ? nil : sessions.map { Self(title: $0.title, content: $0.content) }
    }
}

extension Fulfilment {
    /// The names of the fields that were changed; `nil` if none was.
    fileprivate var changes: [String]? {
        guard case .changed(let fields) = self else { return nil }
        return fields.map(\.rawValue).sorted()
    }
}

extension ListingTime {
    /// The earlier one of the two; `nil` if there is none.
    fileprivate var date: Date? {
        let ends = [
            wall == Self.end.wall ? nil : wall.date, chain == Self.end.chain ? nil : chain.date,
        ]
        return ends.compactMap(\.self).min()
    }
}

extension SaleIndex {
    /// Returns whether the market's contract for these terms takes their currency.
    fileprivate func accepts(_ terms: SaleTerms) -> Bool {
        guard case .token(let token) = terms.currency else { return true }
        return deployment.contract(for: terms.kind)?.tokens.contains(token) ?? false
    }
}
