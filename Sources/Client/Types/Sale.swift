public import Foundation
public import Texts

/// A sale of a listing through the contract, as this node's own chain connection shows it.
public struct Sale: Codable, Hashable, Sendable, DescribedType {
    /// The contract's sale id.
    public var id: String
    /// The way in which it is sold, such as `escrow`.
    public var kind: String
    public var chain: UInt64
    public var contract: String
    /// The listing that names this sale, if this node knows it.
    public var listing: String?
    /// The title that its seller promised, else that of the listing; `nil` if this node knows
    /// neither.
    public var title: String?
    /// The first picture of the listing; `nil` if it has none, or this node does not know it.
    public var picture: ListingMedia?
    /// The other side: for the seller the buyer, for everybody else the seller; `nil` as long as
    /// nobody has bought, and for a seller with several buyers.
    public var other: ProfileSummary?
    /// The signed-in account's part in it; `nil` for none.
    public var own: String?
    /// The side whose turn it is, and its task, in words.
    public var turn: Sentence
    /// Whether it is the signed-in account's turn.
    public var isOwnTurn: Bool
    /// The steps that the signed-in account can take next, the likeliest first.
    public var nextSteps: [NextStep]
    /// The seller's promise, if this node knows it; also after the listing was withdrawn.
    public var promised: Commitment?
    /// The sale that the listing names instead, if its seller has changed the price.
    public var listedAgain: Offer?
    /// Its phase, in the words of its kind.
    ///
    /// For an escrow: `listed`, `paid`, `transferred`, `disputed`, `complete`, `declined`,
    /// `refunded`, `settled` or `aborted`. For an auction: `ready`, `bid`, `sold`, `unsold` or
    /// `aborted`. For a direct sale: `ready`, `sold` or `aborted`. For a
    /// course, by its last round: `open`, `begun`, `cancelled` or `settled`.
    public var phase: String
    /// The phase in a shop's words, with the highest bid, or until when something is due.
    public var status: Sentence
    /// How far it is, for every kind: `offered`, `running` or `over`.
    public var stage: String
    public var seller: String
    /// The account that bought; in an auction the highest bidder.
    public var buyer: String?
    /// The ERC-721 token on sale, in decimal; `nil` if it sells none.
    public var item: String?
    /// The account that made the token, and gets the royalty; `nil` if it sells none.
    public var maker: String?
    /// Whether the token is sold again: another account made it, or it was bought before; `nil` if
    /// it sells none.
    public var isResale: Bool?
    public var price: Money
    /// When it entered its phase, on the chain's clock.
    public var since: Date?
    /// The moves so far, oldest first.
    public var history: [Step]
    /// The amounts that the parties are credited; `nil` while the sale runs.
    public var payouts: [Payout]?
    /// The moves that the signed-in account can make now.
    public var actions: [SaleAction]
    /// The next deadline, and what happens when it passes.
    public var deadline: Deadline?
    /// The node's plan if the buyer of an accepted offer does not pay, in words; `nil` if it has none,
    /// and for others than the seller.
    public var ifUnpaid: [Sentence]?
    /// Confirmations of the last event, and how many make it final.
    public var confirmations: UInt64
    public var confirmationsNeeded: UInt64
    /// How many endpoints have all events of the sale: 1 or 2.
    public var confirmedBy: Int
    /// Whether no second endpoint answers: a move then needs ``SaleMove/acceptsOneSource``.
    public var restsOnOneSource: Bool
    /// The warnings for a person who relies on it.
    public var warnings: [Sentence]
    /// Where to send the item: the address that the signed-in account sent to the seller, or, if it
    /// is the seller and has yet to send the item, the buyer's.
    public var deliveryAddress: String?
    /// Whether the item of a sale that ended with its payment is still to be sent: its seller has
    /// not said, by ``StoaClient/tellSent(_:forSale:)``, that it was; for seller and buyer, for 30
    /// days.
    public var isToBeSent: Bool?
    /// The chain's time when this was answered, from which a client counts down.
    public var asOf: Date?
    /// The fields of an escrow sale; `nil` for another kind.
    public var escrow: Escrow?
    /// The fields of an auction; `nil` for another kind.
    public var auction: Auction?
    /// The fields of a direct sale; `nil` for another kind.
    public var direct: DirectSale?
    /// The fields of a course; `nil` for another kind.
    public var course: Course?

    package static let fields: [String: FieldFacts] = [
        "id": .hash, "kind": .kind.oneOf(.payments), "chain": .chain, "contract": .address,
        "listing": .listing, "title": .title,
        "other": .about("The other side: for the seller the buyer, for all others the seller."),
        "own": FieldFacts("buyer").oneOf([
            "seller", "buyer", "highest_bidder", "outbid", "lost", "arbiter", "teacher", "student",
        ]).about("The caller's part in it; an outbid account has lost once the auction is over."),
        "turn": FieldFacts(Sentence("turn.yours", ["task": "turn.toConfirm"])).about(
            "Whose turn it is, and for what; until the time of 'deadline'."
        ),
        "isOwnTurn": FieldFacts(true).about("Whether it is the caller's turn."),
        "nextSteps": .about("What the caller can do next, the likeliest first."),
        "promised": .about(
            "The text whose hash the sale has on the chain; also after a withdrawal."
        ),
        "listedAgain": .about("The sale that replaced it when the seller changed the price."),
        "phase": FieldFacts("listed").oneOf(.phases),
        "status": .status.example(Sentence("phase.listed")),
        "stage": FieldFacts("offered").oneOf(["offered", "running", "over"]).about(
            "Its progress, for every way to sell."
        ),
        "seller": .address, "buyer": .address, "item": .token, "maker": .maker,
        "isResale": .isResale,
        "since": .about("When the sale entered its phase, on the chain's clock."),
        "ifUnpaid": .ifUnpaid,
        "confirmations": .about("Of the last event of the sale."),
        "confirmationsNeeded": FieldFacts(3).about("How many make it final."),
        "confirmedBy": .about("How many endpoints have all events of the sale."),
        "restsOnOneSource": .restsOnOneSource, "warnings": .warnings,
        "deliveryAddress": .about(
            "Where to send the item, if the account has said it or needs it now."
        ),
        "isToBeSent": FieldFacts(false).about(
            "For the two sides of an auction or a direct sale that sold: whether its seller has not "
                + "said yet that the item was sent."
        ),
        "asOf": .about("The chain's time at the answer."),
    ]

    public init(
        id: String,
        kind: String,
        chain: UInt64,
        contract: String,
        listing: String?,
        promised: Commitment? = nil,
        listedAgain: Offer? = nil,
        phase: String,
        status: Sentence? = nil,
        stage: String,
        seller: String,
        buyer: String?,
        item: String?,
        maker: String? = nil,
        isResale: Bool? = nil,
        price: Money,
        since: Date? = nil,
        history: [Step] = [],
        payouts: [Payout]?,
        actions: [SaleAction],
        deadline: Deadline?,
        ifUnpaid: [Sentence]? = nil,
        confirmations: UInt64,
        confirmationsNeeded: UInt64,
        confirmedBy: Int = 1,
        restsOnOneSource: Bool = false,
        warnings: [Sentence] = [],
        deliveryAddress: String? = nil,
        isToBeSent: Bool? = nil,
        asOf: Date? = nil,
        escrow: Escrow? = nil,
        auction: Auction? = nil,
        direct: DirectSale? = nil,
        course: Course? = nil,
        own: String? = nil,
        turn: Sentence? = nil,
        isOwnTurn: Bool = false,
        nextSteps: [NextStep] = []
    ) {
        self.id = id
        self.kind = kind
        self.chain = chain
        self.contract = contract
        self.listing = listing
        self.promised = promised
        self.listedAgain = listedAgain
        self.phase = phase
        self.status = status ?? Sentence("phase.\(phase)")
        self.stage = stage
        self.seller = seller
        self.buyer = buyer
        self.item = item
        (self.maker, self.isResale) = (maker, isResale)
        self.price = price
        self.since = since
        self.history = history
        self.payouts = payouts
        self.actions = actions
        (self.deadline, self.ifUnpaid) = (deadline, ifUnpaid)
        self.confirmations = confirmations
        self.confirmationsNeeded = confirmationsNeeded
        self.confirmedBy = confirmedBy
        self.restsOnOneSource = restsOnOneSource
        self.warnings = warnings
        (self.deliveryAddress, self.isToBeSent) = (deliveryAddress, isToBeSent)
        self.asOf = asOf
        self.escrow = escrow
        self.auction = auction
        self.direct = direct
        self.course = course
        (self.own, self.isOwnTurn, self.nextSteps) = (own, isOwnTurn, nextSteps)
        self.turn = turn ?? Sentence("turn.nobodys", ["task": "turn.over"])
    }

    /// The words whose hash the sale carries on the chain, whatever the listing says now.
    public struct Commitment: Codable, Hashable, Sendable, DescribedType {
        public var title: String
        public var description: String
        /// In normal form, lower-case letters and digits; a course has a generated one.
        public var identifier: String
        /// The sessions of a course; `nil` if it promised none.
        public var curriculum: [CurriculumSession]?

        package static let fields: [String: FieldFacts] = [
            "title": .title, "description": "Ridden for two summers.",
            "identifier": .identifier.example("wtu123456"),
            "curriculum": FieldFacts().counts(0...40).notInExample,
        ]

        public init(
            title: String,
            description: String,
            identifier: String,
            curriculum: [CurriculumSession]? = nil
        ) {
            (self.title, self.description, self.identifier) = (title, description, identifier)
            self.curriculum = curriculum
        }
    }

    /// A sale with its price.
    public struct Offer: Codable, Hashable, Sendable, DescribedType {
        public var sale: String
        public var price: Money

        package static let fields: [String: FieldFacts] = ["sale": .hash]

        public init(sale: String, price: Money) { (self.sale, self.price) = (sale, price) }
    }

    /// A move that was made.
    public struct Step: Codable, Hashable, Sendable, DescribedType {
        /// The name of the move, such as `buy`; `list` is the first one.
        public var move: String
        /// The account that made it.
        public var by: String
        /// The time of its block.
        public var at: Date
        /// The hash of its transaction.
        public var transaction: String
        /// The address of a page that shows the transaction, if the node's operator has set one.
        public var link: String?
        /// The note that came with it, if the signed-in account has written or received it.
        public var note: String?
        /// The ids of the note's pictures in this sale; `nil` if it has none.
        public var pictures: [String]?

        package static let fields: [String: FieldFacts] = [
            "move": "list", "by": .address,
            "at": .about("The time of the block."),
            "transaction": .hash, "link": "https://…",
            "note": .note.about("The note that came with it, for those who may read it."),
            "pictures": .hash.counts(1...6).about(
                "The ids of the note's pictures, each at /v1/sales/{id}/picture?picture=…"
            ),
        ]

        public init(
            move: String,
            by: String,
            at: Date,
            transaction: String,
            link: String? = nil,
            note: String? = nil,
            pictures: [String]? = nil
        ) {
            (self.move, self.by) = (move, by)
            (self.at, self.transaction, self.link) = (at, transaction, link)
            (self.note, self.pictures) = (note, pictures)
        }
    }

    /// The amount that one party is credited at the end.
    public struct Payout: Codable, Hashable, Sendable, DescribedType {
        /// `seller`, `buyer`, `platform`, `maker`, `arbiter`, `teacher` or `nobody`.
        public var role: String
        public var account: String
        public var amount: String

        package static let fields: [String: FieldFacts] = [
            "role": FieldFacts("seller").oneOf([
                "seller", "buyer", "platform", "maker", "arbiter", "teacher", "nobody",
            ]),
            "account": .address, "amount": .amount,
        ]

        public init(role: String, account: String, amount: String) {
            self.role = role
            self.account = account
            self.amount = amount
        }
    }

    /// A point in chain time after which something else can happen.
    public struct Deadline: Codable, Hashable, Sendable, DescribedType {
        public var at: Date
        /// The change once it passes.
        public var consequence: [Sentence]

        package static let fields: [String: FieldFacts] = [
            "at": .about("On the chain's clock."),
            "consequence": .consequence,
        ]

        public init(at: Date, consequence: [Sentence]) {
            self.at = at
            self.consequence = consequence
        }
    }
}
