import Answers
package import Client
package import Keys
import Market
import Storage

/// The listings hidden from an account, and the preview of a list.
extension Curations {
    /// Returns the listings that an account does not want to see: of accounts that it has blocked,
    /// and those hidden by lists that it follows.
    package func hidden(from account: Address) async throws -> HiddenListings {
        var hidden = HiddenListings()
        for other in try await blocks.accounts(blockedBy: account) { hidden.hide(other) }
        for (_, list) in try followedLists(of: account) {
            for entry in list.entries where entry.account != account {
                guard let slot = entry.listing else {
                    hidden.hide(entry.account)
                    continue
                }
                let id = ListingID(author: entry.account, slot: slot)
                hidden.hide(id, sale: try store.listing(id)?.listing.sale?.id.hash)
            }
        }
        return hidden
    }

    /// Returns the listings hidden from an account, by whom and why: its own blocks first.
    package func reasons(for account: Address) async throws -> [HiddenEntry] {
        let blocked = try await blocks.accounts(blockedBy: account).map {
            HiddenEntry(account: $0.checksummed, by: account.checksummed)
        }
        let listed = try followedLists(of: account).flatMap { place, list in
            list.entries.filter { $0.account != account }.map { entry in
                HiddenEntry(
                    account: entry.account.checksummed,
                    listing: entry.listing.map {
                        ListingID(author: entry.account, slot: $0).description
                    },
                    list: ListID(place).text,
                    by: place.author.checksummed,
                    reason: entry.reason
                )
            }
        }
        return blocked + listed
    }

    private func followedLists(
        of account: Address
    ) throws -> [(place: RecordKey, list: Market.Curation)] {
        try store.read { transaction in
            try transaction.subscriptions(of: account).compactMap { place in
                try transaction.record(in: place)?.curation.map { (place, $0) }
            }
        }
    }

    /// Reads a draft, with the rules of a list.
    func list(_ draft: CurationDraft, by account: Address) throws -> Market.Curation {
        let entries = try draft.entries.map { try Self.entry($0, by: account) }
        let list: Market.Curation
        do {
            list = try Market.Curation(name: draft.name, about: draft.about ?? "", entries: entries)
        } catch {
            throw error.refusal(.malformedValue)
        }
        let others = try store.read {
            try $0.records(of: .curation, by: account, limit: RecordKind.curation.slotsMax)
        }
        let slot = Market.Curation.slot(of: list.name)
        if others.contains(where: { $0.version.key.slot == slot }) { return list }
        guard others.count(where: { $0.curation != nil }) < Self.ownMax else {
            throw Refusal(.notAllowed, Sentence("refusal.listsFull", ["most": "\(Self.ownMax)"]))
        }
        // A new name would push out the earliest list, which may not be withdrawn.
        guard others.count < RecordKind.curation.slotsMax else {
            throw Refusal(
                .notAllowed,
                Sentence("refusal.listNamesUsed", ["count": "\(others.count)"])
            )
        }
        return list
    }

    private static func entry(
        _ draft: CurationEntry,
        by account: Address
    ) throws -> Market.Curation.Entry {
        let listing = try draft.listing.map { try ListingID($0) }
        let named = try draft.account.map { try Address.entered($0, field: "entries.account") }
        guard let hidden = listing?.author ?? named, named == nil || named == hidden else {
            throw Refusal(.malformedValue, Sentence("refusal.hideOneOf"), field: "entries")
        }
        do {
            return try Market.Curation.Entry(
                account: hidden,
                listing: listing?.slot,
                reason: draft.reason
            )
        } catch .missing, .malformed(.reason) {
            throw Refusal(.malformedValue, Sentence("refusal.hideReason"), field: "entries.reason")
        } catch {
            throw error.refusal(.malformedValue)
        }
    }
}
