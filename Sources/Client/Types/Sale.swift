import Concurrency
public import Foundation

/// A sale of a listing through the contract, as this node's own chain connection shows it.
public struct Sale: Codable, Hashable, Sendable {
    /// The contract's sale id.
    public var id: String
    public var chain: UInt64
    public var contract: String
    /// The listing that names this sale, if this node knows it.
    public var listing: String?
    /// `listed`, `paid`, `transferred`, `disputed`, `complete`, `refunded`, `settled` or `aborted`.
    public var phase: String
    public var seller: String
    public var buyer: String?
    /// The ERC-721 token on sale, in decimal.
    public var item: String
    public var price: Money
    public var sellerDeposit: String
    public var buyerDeposit: String
    /// All terms that the contract holds the parties to.
    public var terms: EscrowTerms?
    /// When it entered its phase, on the chain's clock.
    public var since: Date?
    /// The amounts that the parties are credited; `nil` while the sale runs.
    public var payouts: [Payout]?
    /// The moves that the signed-in account can make now.
    public var actions: [SaleAction]
    /// The next deadline, and what happens when it passes.
    public var deadline: Deadline?
    /// Confirmations of the last event, and how many make it final.
    public var confirmations: UInt64
    public var confirmationsNeeded: UInt64
    /// How many endpoints have all events of the sale: 1 or 2.
    public var confirmedBy: Int
    /// Whether no second endpoint answers: a move then needs ``SaleMove/acceptsOneSource``.
    public var restsOnOneSource: Bool
    /// The warnings for a person who relies on it, in words.
    public var warnings: [String]
    /// The offer to settle that can be accepted now; `nil` if there is none.
    public var proposal: Proposal?

    public init(
        id: String,
        chain: UInt64,
        contract: String,
        listing: String?,
        phase: String,
        seller: String,
        buyer: String?,
        item: String,
        price: Money,
        sellerDeposit: String,
        buyerDeposit: String,
        terms: EscrowTerms? = nil,
        since: Date? = nil,
        payouts: [Payout]?,
        actions: [SaleAction],
        deadline: Deadline?,
        confirmations: UInt64,
        confirmationsNeeded: UInt64,
        confirmedBy: Int = 1,
        restsOnOneSource: Bool = false,
        warnings: [String] = [],
        proposal: Proposal? = nil
    ) {
        self.id = id
        self.chain = chain
        self.contract = contract
        self.listing = listing
        self.phase = phase
        self.seller = seller
        self.buyer = buyer
        self.item = item
        self.price = price
        self.sellerDeposit = sellerDeposit
        self.buyerDeposit = buyerDeposit
        self.terms = terms
        self.since = since
        self.payouts = payouts
        self.actions = actions
        self.deadline = deadline
        self.confirmations = confirmations
        self.confirmationsNeeded = confirmationsNeeded
        self.confirmedBy = confirmedBy
        self.restsOnOneSource = restsOnOneSource
        self.warnings = warnings
        self.proposal = proposal
    }

    /// An offer to settle that stands.
    public struct Proposal: Codable, Hashable, Sendable {
        /// The account that made it; the other side can accept it.
        public var by: String
        /// `seller` or `buyer`.
        public var role: String
        /// The seller's share of the price in basis points.
        public var share: UInt64
        /// Until when it can be accepted, unless another proposal or a move replaces it first.
        public var until: Date

        public init(by: String, role: String, share: UInt64, until: Date) {
            (self.by, self.role) = (by, role)
            (self.share, self.until) = (share, until)
        }
    }

    /// The amount that one party is credited at the end.
    public struct Payout: Codable, Hashable, Sendable {
        /// `seller`, `buyer`, `platform`, `maker`, `arbiter` or `nobody`.
        public var role: String
        public var account: String
        public var amount: String

        public init(role: String, account: String, amount: String) {
            self.role = role
            self.account = account
            self.amount = amount
        }
    }

    /// A point in chain time after which something else can happen.
    public struct Deadline: Codable, Hashable, Sendable {
        public var at: Date
        public var consequence: String

        public init(at: Date, consequence: String) {
            self.at = at
            self.consequence = consequence
        }
    }
}

/// A move that is open to the caller.
public struct SaleAction: Codable, Hashable, Sendable {
    /// The name of the move.
    ///
    /// One of `buy`, `transfer`, `confirm`, `abort`, `refund`, `dispute`, `claim`, `settle`, `rule`
    /// and `execute_default`.
    public var move: String
    public var until: Date?
    /// The effect on the caller's money, in words.
    public var consequence: String

    public init(move: String, until: Date?, consequence: String) {
        self.move = move
        self.until = until
        self.consequence = consequence
    }
}

/// Asks to buy.
public struct Purchase: Codable, Hashable, Sendable {
    public var listing: String
    /// The country to send it to, as an ISO 3166 code; needed if the seller limits shipping.
    public var shipTo: String?
    /// The sale as ``ActionPreview/subject`` showed it, which fixes the price and all terms.
    ///
    /// If the listing now belongs to another sale, nothing is bought.
    public var sale: String?
    /// Whether to buy what was promised originally if the seller has changed the listing since.
    public var acceptsChanges: Bool?
    /// Whether one endpoint's answer is enough while no second one answers.
    public var acceptsOneSource: Bool?

    public init(
        listing: String,
        shipTo: String? = nil,
        sale: String? = nil,
        acceptsChanges: Bool? = nil,
        acceptsOneSource: Bool? = nil
    ) {
        self.listing = listing
        self.shipTo = shipTo
        self.sale = sale
        self.acceptsChanges = acceptsChanges
        self.acceptsOneSource = acceptsOneSource
    }
}

/// Asks for a move in a sale.
public struct SaleMove: Codable, Hashable, Sendable {
    public var move: String
    /// The seller's share in basis points, for `settle` and `rule`.
    public var share: UInt64?
    /// For `settle`: `true` only accepts the proposal of this share, `false` only proposes.
    ///
    /// `nil` accepts if there is such a proposal, and otherwise proposes.
    public var accepts: Bool?
    /// Whether one endpoint's answer is enough while no second one answers.
    public var acceptsOneSource: Bool?

    public init(
        move: String,
        share: UInt64? = nil,
        accepts: Bool? = nil,
        acceptsOneSource: Bool? = nil
    ) {
        self.move = move
        self.share = share
        self.accepts = accepts
        self.acceptsOneSource = acceptsOneSource
    }
}
