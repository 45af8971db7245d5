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

    /// Lists an item again by itself, as its seller has agreed to.
    ///
    /// Its obstacles: as ``reopen(_:by:acceptsOneSource:)``, and `move_not_open` too if the sale is
    /// over or anything else is not as it was agreed to.
    func reopen(_ consent: ReopeningConsent, by account: Address) -> ProposedOperation {
        let id = ListingID(author: account, slot: consent.slot)
        let asked = AgreedReopening(listing: id.description, sale: consent.sale.id.description)
        return ProposedOperation(.edit, asked, by: account, on: runner) {
            try await self.plan(reopening: id, as: consent, &$0)
        }
    }

    private func plan(
        reopening id: ListingID,
        as consent: ReopeningConsent? = nil,
        _ plan: inout PlannedOperation
    ) async throws {
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
        if let consent {
            guard sale.reference == consent.sale, sale.stage == .offered,
                reservation.until == consent.until, first.id == consent.first
            else { throw OperationPlan.Reopening.refusal }
            plan.reopening = .automatic(consent.sale.id)
        }
        var content = ListingContent(old)
        content.price.amount = first.price.decimal
        try await piecePlanner.plan(repricing: found, content, &plan)
    }
}

/// The content of a request to list something again, for comparing requests.
private struct Reopening: Encodable {
    let reopen: String
}

/// The same for what the node lists again by itself.
private struct AgreedReopening: Encodable {
    let listing: String
    let sale: String
}
