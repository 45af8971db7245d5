import Client

/// The bounds of a row's texts, in bytes of JSON: all of them together stay below 1,200.
enum ListingRowLimits {
    static let titleBytesMax = 200
    static let nameBytesMax = 70
    static let placeBytesMax = 48
    /// All tags together.
    static let tagsBytesMax = 64
}

extension ListingRow {
    /// The row of a listing that is shown, without the caller's part in it, its distance and its
    /// seller.
    init(_ listing: Client.Listing) {
        let content = listing.content
        let place = content.pickupPlace ?? content.shipsWithin?.place
        self.init(
            id: listing.id,
            type: content.type,
            title: content.title.cut(toJSONBytes: ListingRowLimits.titleBytesMax),
            picture: content.media?.first { $0.type?.hasPrefix("image/") == true }
                .map { ListingMedia(id: $0.id) },
            chain: content.chain ?? 0,
            payment: content.payment,
            price: listing.price ?? content.price,
            state: listing.state,
            // The phase that the other words name is not in a row.
            status: listing.state == "unknown" ? "state.unknown" : listing.status.code,
            tags: Self.tags(content.tags),
            place: place.map { $0.cut(toJSONBytes: ListingRowLimits.placeBytesMax) }
        )
        (pieces, bids, freeSeats) = (listing.pieces, listing.bids, listing.freeSeats)
        (students, average) = (listing.students, listing.average)
        endsAt = listing.endsAt
    }

    /// Returns as many of the first tags as there is room for.
    private static func tags(_ tags: [String]) -> [String] {
        var left = ListingRowLimits.tagsBytesMax
        return Array(
            tags.prefix { tag in
                left -= tag.jsonByteCount
                return left >= 0
            }
        )
    }
}

extension Client.Listing.Seller {
    /// The seller as a row of a list shows it.
    var short: Self {
        Self(
            name: name.map { $0.cut(toJSONBytes: ListingRowLimits.nameBytesMax) },
            avatar: avatar.map { ListingMedia(id: $0.id) },
            rating: rating,
            reviewers: reviewers
        )
    }
}

extension StringProtocol {
    /// How many bytes it takes in JSON, between quotation marks.
    var jsonByteCount: Int {
        utf8.reduce(0) { count, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): count + 2
            case 0..<0x20: count + 6
            default: count + 1
            }
        }
    }

    /// Returns its beginning, so that it takes at most `bytesMax` bytes in JSON; a text that is cut
    /// ends with an ellipsis.
    func cut(toJSONBytes bytesMax: Int) -> String {
        guard jsonByteCount > bytesMax else { return String(self) }
        let end = "…"
        var left = bytesMax - end.utf8.count
        let kept = prefix { character in
            left -= String(character).jsonByteCount
            return left >= 0
        }
        return String(kept) + end
    }
}
