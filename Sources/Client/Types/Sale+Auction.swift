public import Foundation

extension Sale {
    /// The fields of an auction; ``Sale/price`` is the highest bid, or the minimum first bid if
    /// nobody has bid.
    public struct Auction: Codable, Hashable, Sendable, DescribedType {
        public var terms: AuctionTerms
        /// The minimum first bid, in the price's smallest unit.
        public var startingBid: String
        /// When the bidding ends, on the chain's clock; a late bid moves it.
        public var endsAt: Date
        /// The latest time to which bids can move the end.
        public var endsAtMost: Date
        /// Whether bids are accepted now.
        public var isOpen: Bool
        /// The highest bid; `nil` if nobody has bid.
        public var highestBid: Bid?
        /// The minimum bid that is accepted now; `nil` if none is.
        public var minimalBid: String?
        /// The number of accounts that have bid.
        public var bidders: Int
        /// The last bid of the signed-in account; `nil` if it has not bid.
        public var ownBid: String?

        package static let fields: [String: FieldFacts] = [
            "startingBid": .amount(as: "The minimum first bid."),
            "endsAtMost": .about("The latest end, however late the bids are."),
            "isOpen": true,
            "minimalBid": .amount(as: "The minimum bid that is accepted now.").example("3"),
            "ownBid": .amount(as: "The highest bid of the account that asks.").example("2"),
        ]

        public init(
            terms: AuctionTerms,
            startingBid: String,
            endsAt: Date,
            endsAtMost: Date,
            isOpen: Bool,
            highestBid: Bid? = nil,
            minimalBid: String? = nil,
            bidders: Int = 0,
            ownBid: String? = nil
        ) {
            (self.terms, self.startingBid) = (terms, startingBid)
            (self.endsAt, self.endsAtMost, self.isOpen) = (endsAt, endsAtMost, isOpen)
            (self.highestBid, self.minimalBid) = (highestBid, minimalBid)
            (self.bidders, self.ownBid) = (bidders, ownBid)
        }
    }

    /// A bid in an auction, which its bidder has paid in full.
    public struct Bid: Codable, Hashable, Sendable, DescribedType {
        public var bidder: String
        /// In the price's smallest unit.
        public var amount: String

        package static let fields: [String: FieldFacts] = [
            "bidder": .address, "amount": .amount.example("2"),
        ]

        public init(bidder: String, amount: String) {
            (self.bidder, self.amount) = (bidder, amount)
        }
    }
}
