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
        ProposedOperation(.list, content, by: account, on: runner) {
            try await self.plan(creating: content, &$0)
        }
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
        ) {
            try await self.plan(editing: $0, content, &$1)
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
