import Answers
package import Client
package import Keys
package import Mail
import Market

/// The searches that an account has saved, in its vault.
package struct SavedSearches: Sendable {
    /// The maximum number of an account; half of the section is left for removed ones.
    package static let countMax = 32

    private let entries: NamedEntries<SearchTerms>
    private let addresses: DeliveryAddresses
    /// `nil` on a node without a chain.
    private let searcher: ListingSearcher?

    package init(vault: Vault, searcher: ListingSearcher?) {
        entries = NamedEntries(
            vault: vault,
            section: .savedSearches,
            countMax: Self.countMax,
            term: "entry.search"
        )
        addresses = DeliveryAddresses(vault: vault)
        self.searcher = searcher
    }

    /// Returns the account's searches, the last saved first.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`.
    package func all(of account: Address) async throws -> [SavedSearch] {
        try await entries.all(of: account).map(Self.shown)
    }

    /// Saves a search; its account gets an event for each new match.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`, `bad_amount`, `bad_address`, `unknown_chain`,
    ///   `ambiguous_chain`, `not_allowed`, `needs_unlock`, `chain_away` on a node without a market.
    package func put(
        _ terms: SearchTerms,
        as name: String,
        of account: Address
    ) async throws -> SavedSearch {
        var terms = terms
        if terms.reachesMe == false { terms.reachesMe = nil }
        guard !terms.matchEverything else {
            throw Refusal(.malformedValue, Sentence("refusal.emptySearch"))
        }
        guard let searcher else {
            throw Refusal(.chainAway, Sentence("refusal.noMarket"))
        }
        _ = try searcher.query(for: ListingQuery(terms), at: searcher.clock.timestamp)
        if terms.reachesMe == true { _ = try await destination(of: account) }
        let saved = Self.shown(try await entries.put(terms, as: name, of: account))
        try await SearchMark.begin(for: account, in: searcher.store)
        return saved
    }

    /// Returns the account's present delivery address.
    ///
    /// - Throws: As ``DeliveryAddresses/destination(of:field:)``.
    func destination(of account: Address) async throws -> Destination {
        try await addresses.destination(of: account, field: "reachesMe")
    }

    /// Removes a search.
    ///
    /// - Throws: ``Refusal`` with `not_found`, `needs_unlock`.
    package func remove(_ name: String, of account: Address) async throws {
        try await entries.remove(name, of: account)
    }

    private static func shown(_ found: NamedEntries<SearchTerms>.Named) -> SavedSearch {
        SavedSearch(name: found.name, terms: found.value, since: found.time.date)
    }
}

/// Listings that an account has not published yet, in its vault.
package struct Drafts: Sendable {
    /// The maximum number of an account; half of the section is left for removed ones.
    package static let countMax = 32

    private let entries: NamedEntries<ListingContent>

    package init(vault: Vault) {
        entries = NamedEntries(
            vault: vault,
            section: .drafts,
            countMax: Self.countMax,
            term: "entry.draft"
        )
    }

    /// Returns the account's drafts, the last changed first.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`.
    package func all(of account: Address) async throws -> [Draft] {
        try await entries.all(of: account).map(Self.shown)
    }

    /// Returns one draft.
    ///
    /// - Throws: ``Refusal`` with `not_found`, `needs_unlock`.
    package func draft(_ name: String, of account: Address) async throws -> Draft {
        Self.shown(try await entries.one(name, of: account))
    }

    /// Keeps the content of a listing, which is checked when it is published.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`, `not_allowed`, `needs_unlock`.
    package func put(
        _ content: ListingContent,
        as name: String,
        of account: Address
    ) async throws -> Draft {
        Self.shown(try await entries.put(content, as: name, of: account))
    }

    /// Removes a draft.
    ///
    /// - Throws: ``Refusal`` with `not_found`, `needs_unlock`.
    package func remove(_ name: String, of account: Address) async throws {
        try await entries.remove(name, of: account)
    }

    private static func shown(_ found: NamedEntries<ListingContent>.Named) -> Draft {
        Draft(name: found.name, content: found.value, changedAt: found.time.date)
    }
}
