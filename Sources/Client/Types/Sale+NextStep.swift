public import Foundation
public import Texts

extension Sale {
    /// Something that the signed-in account can do next in a sale.
    public struct NextStep: Codable, Hashable, Sendable, DescribedType {
        /// The step in words; its code names it, such as `next.confirm`.
        public var words: Sentence
        /// Until when it is possible, on the chain's clock; `nil` without a deadline.
        public var until: Date?
        /// For `next.agree`: the seller's share that the other side proposes, in basis points.
        public var share: UInt64?
        /// For `next.leaveRound`: the number of the round.
        public var round: UInt64?
        /// For `next.raise`: the minimum bid that is accepted now.
        public var bid: Money?
        /// For `next.sending`: the operation that sends the address to the seller.
        public var operation: String?

        private static let sample = "next.address"

        package static let fields: [String: FieldFacts] = [
            "words": FieldFacts(Sentence(sample)).about("The step in words; its code names it."),
            "until": .about("Until when it is possible, on the chain's clock."),
            "share": .share, "round": .round,
            "bid": .about("The minimum bid that is accepted now, to bid more."),
            "operation": .hash.about("The operation that sends the buyer's address."),
        ]

        public init(
            words: Sentence,
            until: Date? = nil,
            share: UInt64? = nil,
            round: UInt64? = nil,
            bid: Money? = nil,
            operation: String? = nil
        ) {
            (self.words, self.until, self.share) = (words, until, share)
            (self.round, self.bid, self.operation) = (round, bid, operation)
        }
    }
}
