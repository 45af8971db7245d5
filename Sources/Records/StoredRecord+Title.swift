import Market
import Storage

extension StoredRecord {
    /// The title of a listing, or of a listing with a sale that was withdrawn; `nil` for any other
    /// record.
    package var listingTitle: String? {
        switch readable()?.content {
        case .listing(let listing): listing.title
        case .withdrawal(.anchoredListing(let withdrawal)): withdrawal.promise.title
        default: nil
        }
    }
}
