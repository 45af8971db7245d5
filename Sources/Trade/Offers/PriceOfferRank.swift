import Foundation

/// The group in which an offer has room in a list, so that strangers' offers hide no others.
enum PriceOfferRank: CaseIterable {
    /// Made or accepted by the account itself.
    case own
    /// Of an account that it knows.
    case contact
    /// In the request box.
    case request

    /// The maximum number of offers that are listed, the newest.
    var shownMax: Int { self == .own ? 128 : 64 }

    /// Returns the offers that are listed, newest first.
    static func select<Offer>(
        _ offers: [Offer],
        _ rank: (Offer) -> PriceOfferRank,
        sentAt: (Offer) -> Date
    ) -> [Offer] {
        var room = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.shownMax) })
        return offers.sorted { sentAt($0) > sentAt($1) }.filter { offer in
            let rank = rank(offer)
            room[rank, default: 0] -= 1
            return room[rank, default: 0] >= 0
        }
    }
}
