package import Keys
package import Market
import Storage

/// The conversations in which buyers make offers.
extension Chat {
    /// Returns the conversations about listings, requests included, with whom each is; not those with
    /// accounts that this one has blocked.
    package func conversationsAboutListings(
        of unlocked: UnlockedAccount
    ) throws -> [(listing: ListingID, with: Address)] {
        try store.read { transaction in
            let all =
                try transaction.conversations(of: unlocked, requests: false)
                + transaction.conversations(of: unlocked, requests: true)
            return try all.compactMap { _, kept in
                let other = try Address(text: kept.with)
                guard let listing = try transaction.listingID(kept, with: unlocked.account),
                    try transaction.contact(other, of: unlocked)?.isBlocked != true
                else { return nil }
                return (listing, other)
            }
        }
    }
}
