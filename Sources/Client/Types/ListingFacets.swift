public import Texts

/// How many of the listings that match a search have each value of a property.
///
/// For each property the 20 most frequent values, the most frequent first.
public struct ListingFacets: Codable, Hashable, Sendable, DescribedType {
    /// A value of a property.
    public struct Count: Codable, Hashable, Sendable, DescribedType {
        public var value: String
        public var count: Int
        /// The value in words for people; `nil` for an address, a number, or a category that only
        /// listings name.
        public var name: Sentence?

        package static let fields: [String: FieldFacts] = [
            "name": .about("The value in words for people, if there are any.")
        ]

        public init(value: String, count: Int, name: Sentence? = nil) {
            (self.value, self.count, self.name) = (value, count, name)
        }
    }

    /// The prices in one currency.
    public struct Prices: Codable, Hashable, Sendable, DescribedType {
        /// `native`, or a token's address.
        public var currency: String
        public var count: Int
        /// In the currency's smallest unit.
        public var least: String
        public var most: String

        package static let fields: [String: FieldFacts] = [
            "currency": .currency, "most": "2", "least": "1",
        ]

        public init(currency: String, count: Int, least: String, most: String) {
            (self.currency, self.count) = (currency, count)
            (self.least, self.most) = (least, most)
        }
    }

    public var categories: [Count]
    /// The kinds of sale.
    public var payments: [Count]
    public var deliveries: [Count]
    /// The values of ``Listing/state``.
    public var states: [Count]
    /// The sellers' addresses.
    public var sellers: [Count]
    public var prices: [Prices]
    /// How many are shipped around a point nearer than 5, 10, 25, 50, 100, 250 and 500 kilometres
    /// from ``SearchTerms/near``; without it, none.
    public var distances: [Count]
    /// How many are of sellers with an average of at least 5, 4, 3, 2 and 1 stars; of the 100
    /// sellers with most of the listings.
    public var stars: [Count]
    /// How many can reach the caller's own delivery address, because they are shipped there, handed
    /// over or delivered online; `nil` if the caller has saved no address, or sellers name too many
    /// different places to count.
    public var reachesMe: Int?

    package static let fields: [String: FieldFacts] = [
        "stars": .about("From 1 to 5."),
        "reachesMe": .about("How many can reach the caller's own delivery address."),
    ]

    public init(
        categories: [Count],
        payments: [Count],
        deliveries: [Count],
        states: [Count],
        sellers: [Count],
        prices: [Prices],
        distances: [Count] = [],
        stars: [Count] = [],
        reachesMe: Int? = nil
    ) {
        (self.categories, self.payments) = (categories, payments)
        (self.deliveries, self.states) = (deliveries, states)
        (self.sellers, self.prices) = (sellers, prices)
        (self.distances, self.stars) = (distances, stars)
        self.reachesMe = reachesMe
    }
}

/// A text that continues the typed one.
public struct ListingSuggestion: Codable, Hashable, Sendable, DescribedType {
    public var text: String
    /// How many of the listings that were looked at have it in their title.
    public var listings: Int

    package static let fields: [String: FieldFacts] = ["text": "red bicycle"]

    public init(text: String, listings: Int) { (self.text, self.listings) = (text, listings) }
}

/// A category that a listing can have.
public struct ListingCategory: Codable, Hashable, Sendable, DescribedType {
    /// As listings and searches name it.
    public var id: String
    /// The name for people; `nil` for one that only listings name.
    public var name: Sentence?
    /// How many of the newest 10,000 listings that are not over are in it.
    public var listings: Int

    package static let fields: [String: FieldFacts] = [
        "id": "books",
        "name": .about("The name for people; absent for one that only listings name."),
    ]

    public init(id: String, name: Sentence?, listings: Int) {
        (self.id, self.name, self.listings) = (id, name, listings)
    }
}
