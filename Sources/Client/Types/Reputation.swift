public import Foundation
public import Texts

/// An account's record as the node's chains show it as final, with other accounts' opinions.
///
/// Anybody can make accounts that trade with each other; each sale costs them fees, and the
/// platform's share.
public struct Reputation: Codable, Hashable, Sendable, DescribedType {
    /// How many sales ended in one way.
    public struct Ending: Codable, Hashable, Sendable, DescribedType {
        /// Such as `complete`, `declined`, `refunded` or `settled`; `open` for a dispute that runs.
        public var phase: String
        /// The phase in a shop's words.
        public var status: Sentence
        public var count: Int

        package static let fields: [String: FieldFacts] = [
            "phase": "complete", "status": .status.example(Sentence("phase.complete")), "count": 2,
        ]

        public init(phase: String, count: Int) {
            (self.phase, self.count) = (phase, count)
            // Two endings are no phases of a sale.
            let area = ["open", "relisted"].contains(phase) ? "ending" : "phase"
            status = Sentence("\(area).\(phase)")
        }
    }

    /// The prices of completed sales in one currency of one chain, those sold and those bought.
    public struct Volume: Codable, Hashable, Sendable, DescribedType {
        public var chain: UInt64
        public var money: Money

        package static let fields: [String: FieldFacts] = ["chain": .chain]

        public init(chain: UInt64, money: Money) { (self.chain, self.money) = (chain, money) }
    }

    public var account: String
    /// How its sales ended, as the seller or teacher.
    public var sold: [Ending]
    /// How its purchases ended, as the buyer or student.
    public var bought: [Ending]
    /// Purchases that it declined, or gave back to offer again (`relisted`), as the seller, if
    /// their buyer had no finished sale: they are not counted in ``sold``.
    public var setAside: [Ending]
    /// How the sales ended in which one side opened a dispute.
    public var disputed: [Ending]
    /// How many of these ended against it: it gave in, the arbiter gave the other side more, or
    /// nobody ended it in time.
    public var disputesLost: Int
    public var traded: [Volume]
    /// With how many accounts it has completed sales.
    public var counterparties: Int
    /// The average of its reviews in hundredths of a star, 100 to 500; `nil` without a review.
    ///
    /// Each reviewer counts once, with the average of its reviews. Contradictory reviews do not
    /// count.
    public var rating: Int?
    /// How many accounts have reviewed it.
    public var reviewers: Int
    /// When it made its first move in a sale, on the chain's clock; `nil` if it made none.
    public var since: Date?

    package static let fields: [String: FieldFacts] = [
        "account": .address, "bought": FieldFacts(Ending(phase: "refunded", count: 1)),
        "setAside": FieldFacts(Ending(phase: "declined", count: 1)).about(
            "How many sales ended otherwise, by phase, or were offered again."
        ),
        "disputed": FieldFacts(Ending(phase: "open", count: 1)),
        "disputesLost": FieldFacts(0).about("How many disputes ended against the account."),
        "traded": .about("The prices of its completed sales, sold and bought."),
        "counterparties": FieldFacts(2).about("With how many accounts it has completed sales."),
        "rating": FieldFacts(450).about("In hundredths of a star; each reviewer counts once."),
        "reviewers": 2,
        "since": .about("Its first move in a sale, on the chain's clock."),
    ]

    public init(
        account: String,
        sold: [Ending] = [],
        bought: [Ending] = [],
        setAside: [Ending] = [],
        disputed: [Ending] = [],
        disputesLost: Int = 0,
        traded: [Volume] = [],
        counterparties: Int = 0,
        rating: Int? = nil,
        reviewers: Int = 0,
        since: Date? = nil
    ) {
        self.account = account
        (self.sold, self.bought, self.disputed) = (sold, bought, disputed)
        (self.setAside, self.disputesLost) = (setAside, disputesLost)
        (self.traded, self.counterparties) = (traded, counterparties)
        (self.rating, self.reviewers, self.since) = (rating, reviewers, since)
    }
}
