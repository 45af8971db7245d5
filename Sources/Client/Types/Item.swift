public import Foundation

/// A token of the market with its history, as this node's own chain connection shows it.
public struct Item: Codable, Hashable, Sendable, DescribedType {
    /// The id of its chain.
    public var chain: UInt64
    /// Its number on that chain, in decimal.
    public var token: String
    /// The hash of the identifier that it was made for.
    public var contentHash: String
    /// The identifier, if a listing on this node states it.
    public var identifier: String?
    /// The account that made it, and receives the royalty of each sale.
    public var maker: String
    /// The current owner's account; during a sale, the contract of the sale.
    public var owner: String
    /// When it was first listed, by its chain's clock.
    public var since: Date?
    /// Its sales, oldest first; if they are more than 50, the newest 50.
    public var sales: [Sale]

    package static let fields: [String: FieldFacts] = [
        "chain": .chain, "token": .token.example("7"), "contentHash": .hash,
        "identifier": .identifier, "maker": .address, "owner": .address,
        "since": .about("When it was first listed, on the chain's clock."),
    ]

    public init(
        chain: UInt64,
        token: String,
        contentHash: String,
        identifier: String?,
        maker: String,
        owner: String,
        since: Date? = nil,
        sales: [Sale]
    ) {
        self.chain = chain
        (self.token, self.contentHash, self.identifier) = (token, contentHash, identifier)
        (self.maker, self.owner, self.sales) = (maker, owner, sales)
        self.since = since
    }
}
