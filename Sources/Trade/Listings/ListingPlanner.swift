import Answers
package import Client
package import Keys
import Market
import Records
import Setup
import Storage

/// Plans new listings, and what changes and withdraws them.
package struct ListingPlanner: OfferPlanning {
    let offerPlanner: OfferPlanner
    let piecePlanner: PiecePlanner
    /// For which accounts the node lists an item again by itself, if they agree to that.
    let deadlines: DeadlineSettings

    init(
        _ offerPlanner: OfferPlanner,
        _ piecePlanner: PiecePlanner,
        deadlines: DeadlineSettings
    ) {
        (self.offerPlanner, self.piecePlanner) = (offerPlanner, piecePlanner)
        self.deadlines = deadlines
    }

    /// Creates a listing.
    ///
    /// Mints the item, locks the deposit, puts the commitment on the chain, and publishes the
    /// listing once that is final. The sale's id is known in advance, so that no other sale can be
    /// taken for it.
    ///
    /// Its obstacles: `bad_listing`, `bad_amount`, `bad_terms`, `bad_address`, `unknown_chain`,
    /// `ambiguous_chain`, `insufficient_balance`, `contract_refused`, `wrong_market`, `in_progress`,
    /// `clock_wrong`, or the chain's health.
    package func create(
        _ content: ListingContent,
        by account: Address
    ) -> ProposedOperation {
        ProposedOperation(.list, content, by: account, on: runner) { plan in
            let form = ListingForm(content: content, action: "list", model: passing)
            try await plan.fill(form) { try await self.plan(creating: $0, &$1) }
        }
    }

    /// Returns content of the same type and payment that passes; `nil` if that cannot be known.
    private func passing(_ content: ListingContent) -> ListingContent? {
        // The checks themselves refuse what is wrong with these.
        guard var model = content.passing(), let chain = try? markets.chain(of: model),
            let time = chain.saleIndex.time,
            let service = try? chain.saleIndex.service(forPayment: content.payment)
        else { return nil }
        type(of: service).addPassingTerms(to: &model, at: time)
        return model
    }

    /// Changes the account's own listing; the promise on the chain is kept in it too.
    ///
    /// Another price withdraws the sale and lists the same token again, for the same listing.
    ///
    /// Its obstacles: `unknown_listing`, `not_allowed`, `bad_listing`, `bad_terms`, `clock_wrong`,
    /// `move_not_open` once somebody has bought; for another price also `insufficient_balance`,
    /// `contract_refused`, or the chain's health.
    package func edit(
        _ text: String,
        _ content: ListingContent,
        by account: Address,
        acceptsOneSource: Bool = false
    ) throws -> ProposedOperation {
        try proposal(
            .edit,
            on: text,
            asking: Edit(listing: text, content: content),
            by: account,
            acceptsOneSource: acceptsOneSource
        ) { id, plan in
            let form = ListingForm(content: content, action: "edit") { _ in
                // A listing that is not here is refused by its plan.
                (try? store.found(id)).map { ListingContent($0.listing) }
            }
            try await plan.fill(form) { try await self.plan(editing: id, $0, &$1) }
        }
    }

    /// Withdraws the account's own listing.
    ///
    /// A sale that nobody bought is aborted first, so that deposit and item come back.
    ///
    /// Its obstacles: `unknown_listing`, `not_allowed`, `clock_wrong`, `move_not_open` while somebody
    /// has bought, or the chain's health.
    package func withdraw(
        _ text: String,
        by account: Address,
        acceptsOneSource: Bool = false
    ) throws -> ProposedOperation {
        try proposal(
            .withdraw,
            on: text,
            asking: [text],
            by: account,
            acceptsOneSource: acceptsOneSource
        ) {
            try await piecePlanner.plan(withdrawing: $0, &$1)
        }
    }
}

/// The content of an edit, for comparing requests.
private struct Edit: Encodable {
    let listing: String
    let content: ListingContent
}
