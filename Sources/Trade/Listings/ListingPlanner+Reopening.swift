import Answers
import Client
package import Keys
import Market
import Records

/// Items that are listed again because the buyer of an accepted offer has not paid.
///
/// Source: Docs/protocol.md, section 19.5.
extension ListingPlanner {
    /// Lists an item again as before it was reserved for a buyer who has not paid in time.
    ///
    /// Its obstacles: `unknown_listing`, `not_allowed`, `clock_wrong`, `move_not_open` if it is not
    /// reserved or the buyer can still pay, and as for another price of a listing.
    package func reopen(
        _ text: String,
        by account: Address,
        acceptsOneSource: Bool = false
    ) throws -> ProposedOperation {
        try proposal(
            .edit,
            on: text,
            asking: Reopening(reopen: text),
            by: account,
            acceptsOneSource: acceptsOneSource
        ) {
            try await self.plan(reopening: $0, &$1)
        }
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
