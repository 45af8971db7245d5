import Answers
package import Client
package import Keys
package import Mail
import Market
import Setup

/// The listings that an account has saved, in its vault.
package struct Favourites: Sendable {
    /// The maximum number of an account; half of the section is left for removed ones.
    package static let countMax = 2_000

    private let vault: Vault
    private let saved: SavedListings

    package init(vault: Vault, listings: Listings?) {
        self.vault = vault
        saved = SavedListings(store: vault.store, listings: listings)
    }

    /// Saves a listing.
    ///
    /// If it is saved already, nothing changes.
    ///
    /// - Throws: ``Refusal`` with `unknown_listing`, `not_allowed` if there are too many,
    ///   `needs_unlock`.
    package func add(_ text: String, by account: Address) async throws -> SavedListing {
        let (id, known) = try saved.known(text)
        let name = id.vaultName
        let contents = try await vault.write(of: account) { contents in
            guard contents.value(name, in: .favourites) == nil else { return [] }
            guard contents.present(in: .favourites).count < Self.countMax else {
                throw Refusal(
                    .notAllowed,
                    Sentence("refusal.favouritesFull", ["most": "\(Self.countMax)"])
                )
            }
            let title = SavedListings.vaultTitle(of: known)
            return [Vault.Change(section: .favourites, name: name, value: title)]
        }
        let time = contents.entry(name, in: .favourites)?.time
        return try saved.shown(id, since: time ?? Timestamp(milliseconds: 0))
    }

    /// Removes a listing from those that are saved.
    ///
    /// - Parameters:
    ///   - text: Its id, the first digits of the id's own part, or words of its title.
    ///   - account: The account.
    /// - Throws: ``Refusal`` with `not_found` if it is not among them, `ambiguous_id`,
    ///   `needs_unlock`.
    package func remove(_ text: String, by account: Address) async throws {
        let all = try await vault.contents(of: account).listings(in: .favourites)
        guard let name = try saved.id(text, among: all)?.vaultName else {
            throw Refusal(.notFound, Sentence("refusal.notAFavourite", ["text": text.quoted]))
        }
        try await vault.write(of: account, isAddition: false) { contents in
            guard contents.value(name, in: .favourites) != nil else {
                throw Refusal(.notFound, Sentence("refusal.notAFavourite", ["text": text.quoted]))
            }
            return [Vault.Change(section: .favourites, name: name, value: nil)]
        }
    }

    /// Returns one page of the saved listings, the last saved first.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`, `needs_unlock`.
    package func page(
        of account: Address,
        after: String?,
        limit: Int
    ) async throws -> Page<SavedListing> {
        let place = try after.map { try PageCursor(entered: $0) }
        let all = try await vault.contents(of: account).listings(in: .favourites)
        let (items, next) = all.page(after: place, limit: limit) { entry in
            // The author is part of the order, as two authors can have the same slot.
            PageCursor(entry.time.milliseconds, entry.id.author.words.0, id: entry.id.slot)
        }
        return Page(items: try items.map { try saved.shown($0) }, next: next?.text)
    }
}
