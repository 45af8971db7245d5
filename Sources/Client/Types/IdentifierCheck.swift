public import Foundation
public import Texts

/// A node's knowledge of an identifier, to check before an item is listed or bought.
///
/// Anybody can list any identifier. If several accounts do, only the owner of a token that was made
/// for it can show more than words.
public struct IdentifierCheck: Codable, Hashable, Sendable, DescribedType {
    /// A listing that states the identifier, also one that is over.
    public struct Use: Codable, Hashable, Sendable, DescribedType {
        public var listing: String
        public var title: String
        public var author: String
        /// As ``Listing/state``.
        public var state: String
        /// The state in a shop's words.
        public var status: Sentence
        /// How many sales of its author ended as complete, sold or settled.
        public var authorsSales: Int
        /// When its token was first listed, by its chain's clock; `nil` without a token, or a sale
        /// that this node sees.
        public var tokenSince: Date?

        package static let fields: [String: FieldFacts] = [
            "listing": .listing, "title": .title, "author": .address, "state": .listingState,
            "status": .status.example(Sentence("state.open")),
            "authorsSales": 2, "tokenSince": .tokenSince,
        ]

        public init(
            listing: String,
            title: String,
            author: String,
            state: String,
            status: Sentence? = nil,
            authorsSales: Int,
            tokenSince: Date? = nil
        ) {
            (self.listing, self.title, self.author) = (listing, title, author)
            (self.state, self.authorsSales) = (state, authorsSales)
            self.status = status ?? Sentence("state.\(state)")
            self.tokenSince = tokenSince
        }
    }

    /// In normal form: lower-case letters and digits.
    public var identifier: String
    /// Whether listings that are not over, of more than one account, state it.
    public var isContested: Bool
    /// At most 20 listings.
    public var listings: [Use]
    /// At most 20 tokens that were made for it and sold, the oldest first.
    public var items: [Item]

    package static let fields: [String: FieldFacts] = ["identifier": .identifier]

    public init(identifier: String, isContested: Bool, listings: [Use], items: [Item]) {
        (self.identifier, self.isContested) = (identifier, isContested)
        (self.listings, self.items) = (listings, items)
    }
}

extension IdentifierCheck.Use: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("author", author)
            json.field("authorsSales", authorsSales)
            json.field("listing", listing)
            json.field("state", state)
            json.field("status", status)
            json.field("title", title)
            json.field("tokenSince", tokenSince)
        }
    }
}
