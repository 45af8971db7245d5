extension Listing {
    /// Who sells a listing, as far as the node knows.
    public struct Seller: Codable, Hashable, Sendable, DescribedType {
        /// The name in the account's profile, which anybody can choose; `nil` without a profile.
        public var name: String?
        /// The picture in the account's profile.
        public var avatar: ListingMedia?
        /// The average of all reviewers' stars, in hundredths, up to a minute old; `nil` without
        /// reviews.
        public var rating: Int?
        /// How many accounts have reviewed it.
        public var reviewers: Int

        package static let fields: [String: FieldFacts] = [
            "name": "Ana",
            "rating": FieldFacts(450).about("The average, in hundredths of a star."),
            "reviewers": FieldFacts(3).about("How many accounts have reviewed the seller."),
        ]

        public init(
            name: String? = nil,
            avatar: ListingMedia? = nil,
            rating: Int? = nil,
            reviewers: Int = 0
        ) {
            (self.name, self.avatar) = (name, avatar)
            (self.rating, self.reviewers) = (rating, reviewers)
        }
    }
}

extension Listing.Seller: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("avatar", avatar)
            json.field("name", name)
            json.field("rating", rating)
            json.field("reviewers", reviewers)
        }
    }
}
