import AccountAccess
import Answers
package import Client
import Concurrency
package import Keys
import Market
import MediaFiles
import Records
import Setup
import Storage

/// Plans new listings, and what changes and withdraws them.
package struct ListingPlanner: Sendable {
    let markets: Markets
    let accounts: Accounts
    let runner: OperationRunner
    let store: Store
    /// `nil` in a market whose listings show no files.
    private let files: MediaService?
    let clock: any WallClock
    let clockWatch: ClockWatch

    var saleIndexes: SaleIndexes { markets.saleIndexes }
    var time: ListingTimes { saleIndexes.time(wall: Timestamp(clock.now)) }

    init(
        markets: Markets,
        accounts: Accounts,
        runner: OperationRunner,
        store: Store,
        files: MediaService?,
        clock: any WallClock,
        clockWatch: ClockWatch
    ) {
        (self.markets, self.accounts) = (markets, accounts)
        (self.runner, self.store, self.files) = (runner, store, files)
        (self.clock, self.clockWatch) = (clock, clockWatch)
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
        let id = try ListingID(text)
        let edit = Edit(listing: text, content: content)
        return ProposedOperation(
            .edit,
            edit,
            by: account,
            acceptsOneSource: acceptsOneSource,
            on: runner
        ) {
            try await self.plan(editing: id, content, &$0)
        }
    }

    /// Returns the files that a listing's content names; `nil` if it does not say.
    func media(of content: ListingContent, keeping old: [Media] = []) async throws -> [Media]? {
        guard let named = content.media else { return nil }
        guard let files else {
            guard named.isEmpty else {
                throw Refusal(.badListing, Sentence("refusal.noFilesForListings"), field: "media")
            }
            return []
        }
        return try await files.media(named, keeping: old)
    }

    /// Refuses a digital work if the account has no file to deliver.
    func requireWork(_ content: ListingContent, by account: Address) throws {
        guard content.type == Market.Listing.Form.digital.rawValue else { return }
        let digits = content.identifier.lowercased()
        let file = Bytes32(hex: digits.hasPrefix("0x") ? digits : "0x" + digits)
        let hasWork = try file.map { file in
            try store.read { try $0.contains(Works.self, CompositeKey(account, file)) }
        }
        guard hasWork == true else {
            throw Refusal(
                .badListing,
                Sentence("refusal.noSuchWork", ["identifier": content.identifier.quoted]),
                field: "identifier"
            )
        }
    }

    func requireAuthor(_ account: Address, of id: ListingID) throws(Refusal) {
        guard id.author == account else {
            throw Refusal(.notAllowed, Sentence("refusal.onlyAuthor"))
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
        let id = try ListingID(text)
        return ProposedOperation(
            .withdraw,
            [text],
            by: account,
            acceptsOneSource: acceptsOneSource,
            on: runner
        ) {
            try await self.plan(withdrawing: id, &$0)
        }
    }
}

/// The content of an edit, for comparing requests.
private struct Edit: Encodable {
    let listing: String
    let content: ListingContent
}
