import Answers
import Client
package import Keys
import Market
import Records
import Storage

/// Listings that come back because the buyer of an accepted offer has not paid.
///
/// Source: Docs/protocol.md, section 19.5.
extension ListingPlanner {
    /// The name of the return among the moves that deadlines open.
    static let reopening = "reopen"
    /// How long after the end of the buyer's time the node lists an item again by itself: later, its
    /// seller may have other plans for it.
    private static let reopeningWindow = Duration.days(30)

    /// Lists an item again as before it was reserved for a buyer who has not paid in time.
    ///
    /// Its obstacles: `unknown_listing`, `not_allowed`, `clock_wrong`, `move_not_open` if it is not
    /// reserved or the buyer can still pay, and as for another price of a listing.
    package func reopen(
        _ text: String,
        by account: Address,
        acceptsOneSource: Bool = false
    ) throws -> ProposedOperation {
        let id = try ListingID(text)
        return ProposedOperation(
            .edit,
            Reopening(reopen: text),
            by: account,
            acceptsOneSource: acceptsOneSource,
            on: runner
        ) {
            try await self.plan(reopening: id, &$0)
        }
    }

    /// Returns the return of an account's listing that was reserved with a sale, as a move that its
    /// end has opened; `nil` if the listing stays as it is.
    ///
    /// A seller who ended the sale before, withdrew the listing or gave it another price has decided
    /// otherwise.
    func reopening(
        after sale: Market.Sale,
        for account: Address,
        at time: ChainTime
    ) throws -> DueMove? {
        guard sale.seller == account, sale.buyer == nil,
            let end = sale.state.offer?.offer.reservation?.until,
            end <= time, time < end.advanced(by: Self.reopeningWindow),
            sale.stage != .over || sale.since >= end, let slot = sale.state.slot,
            try store.listing(ListingID(author: account, slot: slot))?.listing.sale
                == sale.reference,
            saleIndexes[sale].sale(before: sale) != nil
        else { return nil }
        return DueMove(Self.reopening, as: .end, since: end, rank: 0)
    }

    private func plan(reopening id: ListingID, _ plan: inout PlannedOperation) async throws {
        try offerPlanner.requireAuthor(plan.account, of: id)
        try await clockWatch.requireUsable()
        let found = try store.found(id)
        let old = found.listing
        let saleIndex = try markets.required(old.chain).saleIndex
        try saleIndex.requireCurrent()
        guard let time = saleIndex.time,
            let sale = old.sale.flatMap({ saleIndex.view(of: $0) })?.sale, sale.buyer == nil,
            let reservation = sale.state.offer?.offer.reservation,
            let first = saleIndex.sale(before: sale)
        else { throw Refusal(.moveNotOpen, Sentence("refusal.notReserved")) }
        guard reservation.until <= time || sale.stage == .over else { throw reservation.refusal }
        var content = ListingContent(old)
        content.price.amount = first.price.decimal
        try await piecePlanner.plan(repricing: found, content, &plan)
    }
}

/// The content of a request to list something again, for comparing requests.
private struct Reopening: Encodable {
    let reopen: String
}
