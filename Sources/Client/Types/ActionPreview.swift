public import Foundation
public import Texts

/// A preview of the signatures that a call would need, and of its effect on the account's money.
///
/// The node computes it from the same request as the call, and signs nothing.
public struct ActionPreview: Codable, Hashable, Sendable, DescribedType {
    /// The name of the action.
    ///
    /// One of `list`, `edit`, `withdraw`, `buy`, `bid`, a move of a sale, `collect`, `arbitrate`,
    /// `send`, `give`, `offer_price`, `review`, `publish_list`, `speed_up` and `cancel`.
    public var action: String
    /// The id of the chain on which it happens, whose currencies the amounts are in.
    public var chain: UInt64?
    /// The sale, listing or operation that it is about.
    ///
    /// For a purchase it is the sale, whose id is the hash of the contract, the seller and all
    /// terms. If it is sold in rounds, ``round`` fixes the terms.
    public var subject: String?
    /// For sales in rounds: the round, which with ``subject`` fixes the price and all terms.
    public var round: UInt64?
    /// The sale of a purchase, a move or a review, as a person knows it.
    public var sale: PreviewedSale?
    /// The content to be signed.
    public var summary: [Sentence]
    /// The arbiter of a dispute about the item that is listed or bought; `nil` if there is none.
    public var arbiter: Arbiter?
    /// The account that gets the money, if it is sent to somebody.
    public var receiver: Receiver?
    /// The amounts that leave the account now.
    public var leaves: [Outgoing]
    /// All that leaves, by currency.
    public var total: [Money]
    /// The account's balances now, in the chain's currency and in each that leaves it.
    ///
    /// Empty if no transaction is sent, or if an obstacle comes before its cost.
    public var balances: [Money]
    /// The amounts that return to the account, and when.
    public var comesBack: [Incoming]
    /// The next deadline once it is done, and what happens when it passes.
    public var deadline: Sale.Deadline?
    /// The maximum fees of all transactions together, in wei.
    ///
    /// `nil` if none is sent, or if an obstacle makes the fees unknown.
    public var feeMax: String?
    /// The maximum gas of all transactions together; `nil` as ``feeMax``.
    public var gas: UInt64?
    /// The maximum price of one unit of gas, in wei: ``feeMax`` for all of ``gas``.
    public var gasPrice: String?
    /// Other facts to know.
    public var explanation: [Sentence]
    /// Reasons for the account's owner to think twice; it can still be signed.
    public var warnings: [Sentence]
    /// Whether no second endpoint answers.
    ///
    /// The call then needs ``Purchase/acceptsOneSource``, ``SaleMove/acceptsOneSource`` or, for a
    /// withdrawal, the query `acceptsOneSource=true`.
    public var restsOnOneSource: Bool
    /// Why it cannot be signed now: the problems that the call would end with, the most important
    /// one first; empty if it can.
    public var problems: [Problem]

    package static let fields: [String: FieldFacts] = [
        "action": FieldFacts("buy").oneOf(.actions), "chain": .chain, "subject": .anyID,
        "round": .round,
        "total": .about("The maximum that leaves the account, in each currency."),
        "balances": .about("What the account has now."),
        "feeMax": .feeMax, "gas": 21_000,
        "gasPrice": .bareAmount.about("The maximum price of one unit of gas, in wei."),
        "warnings": .warnings,
        "restsOnOneSource": .restsOnOneSource,
        "problems": .about("The obstacles to the call: the problems that it would end with."),
    ]

    public init(
        action: String,
        chain: UInt64? = nil,
        subject: String? = nil,
        round: UInt64? = nil,
        sale: PreviewedSale? = nil,
        summary: [Sentence],
        arbiter: Arbiter? = nil,
        receiver: Receiver? = nil,
        leaves: [Outgoing] = [],
        total: [Money] = [],
        balances: [Money] = [],
        comesBack: [Incoming] = [],
        deadline: Sale.Deadline? = nil,
        feeMax: String? = nil,
        gas: UInt64? = nil,
        gasPrice: String? = nil,
        explanation: [Sentence] = [],
        warnings: [Sentence] = [],
        restsOnOneSource: Bool = false,
        problems: [Problem] = []
    ) {
        self.action = action
        self.chain = chain
        self.subject = subject
        self.round = round
        self.sale = sale
        self.summary = summary
        self.arbiter = arbiter
        self.receiver = receiver
        self.leaves = leaves
        self.total = total
        self.balances = balances
        self.comesBack = comesBack
        self.deadline = deadline
        self.feeMax = feeMax
        self.gas = gas
        self.gasPrice = gasPrice
        self.explanation = explanation
        self.warnings = warnings
        self.restsOnOneSource = restsOnOneSource
        self.problems = problems
    }

    /// A sale with the details that distinguish it from others.
    public struct PreviewedSale: Codable, Hashable, Sendable, DescribedType {
        public var id: String
        /// The title that the seller promised on the chain, whatever the listing says now.
        ///
        /// `nil` if no listing here proves it.
        public var title: String?
        /// Seller and buyer, without the account itself.
        public var others: [Party]

        package static let fields: [String: FieldFacts] = ["id": .hash, "title": .title]

        public init(id: String, title: String?, others: [Party]) {
            (self.id, self.title, self.others) = (id, title, others)
        }
    }

    /// A side of a sale.
    public struct Party: Codable, Hashable, Sendable, DescribedType {
        /// `seller` or `buyer`.
        public var role: String
        public var account: String

        package static let fields: [String: FieldFacts] = ["role": .side, "account": .address]

        public init(role: String, account: String) {
            (self.role, self.account) = (role, account)
        }
    }

    /// The arbiter, who decides a dispute alone, and the fee that is due once it is taken.
    public struct Arbiter: Codable, Hashable, Sendable, DescribedType {
        public var account: String
        public var fee: Money

        package static let fields: [String: FieldFacts] = ["account": .address]

        public init(account: String, fee: Money) {
            (self.account, self.fee) = (account, fee)
        }
    }

    /// The account that gets money.
    public struct Receiver: Codable, Hashable, Sendable, DescribedType {
        public var account: String
        /// The name by which the caller knows it; `nil` if it has none.
        public var name: String?
        /// Whether it is an account of this node.
        public var isHere: Bool
        /// Whether the caller has given it the name; otherwise the receiver has chosen it itself.
        public var isNamedByCaller: Bool?

        package static let fields: [String: FieldFacts] = [
            "account": .address, "name": "ana", "isHere": true,
        ]

        public init(
            account: String,
            name: String? = nil,
            isHere: Bool = false,
            isNamedByCaller: Bool? = nil
        ) {
            (self.account, self.name, self.isHere) = (account, name, isHere)
            self.isNamedByCaller = isNamedByCaller
        }
    }

    /// Money that leaves the account's balance.
    public struct Outgoing: Codable, Hashable, Sendable, DescribedType {
        /// `price`, `bid`, `deposit`, `amount` or `fee`; a fee is the maximum that it can be.
        public var purpose: String
        public var amount: String
        public var currency: String

        package static let fields: [String: FieldFacts] = [
            "purpose": FieldFacts("price").about("The purpose of the amount.")
                .oneOf(["price", "bid", "deposit", "amount", "fee"]),
            "amount": .amount, "currency": .currency,
        ]

        public init(purpose: String, amount: String, currency: String) {
            (self.purpose, self.amount, self.currency) = (purpose, amount, currency)
        }
    }

    /// Money that returns to the account.
    public struct Incoming: Codable, Hashable, Sendable, DescribedType {
        public var amount: String
        public var currency: String
        /// Such as `once the buyer confirms`.
        public var when: Sentence
        /// The time after which no other party is needed for it, on the chain's clock.
        ///
        /// `nil` if it comes at once or depends on a move of another party.
        public var from: Date?

        package static let fields: [String: FieldFacts] = [
            "amount": .amount, "currency": .currency,
            "when": .about("When it returns."),
            "from": .about(
                "From when no other party is needed for it, on the chain's clock; none if it "
                    + "comes at once or depends on what another party does."
            ),
        ]

        public init(amount: String, currency: String, when: Sentence, from: Date? = nil) {
            (self.amount, self.currency, self.when) = (amount, currency, when)
            self.from = from
        }
    }
}
