public import Texts

/// Asks to collect credits; without any field, all of them, to the account itself.
public struct CreditCollection: Codable, Hashable, Sendable, DescribedType {
    /// Only credits in this currency: `native`, or the token's address.
    public var currency: String?
    /// The amount to collect, in the currency's smallest unit; `nil` collects all.
    ///
    /// It needs ``currency``. A token that limits its transfers is collected in parts.
    public var amount: String?
    /// The address that receives the money; `nil` is the account's own.
    public var to: String?
    /// The id of the chain whose contracts pay; `nil` is the node's only one.
    public var chain: UInt64?

    package static let fields: [String: FieldFacts] = [
        "currency": .currency, "amount": .amount, "to": .address, "chain": .chain,
    ]

    public init(
        currency: String? = nil,
        amount: String? = nil,
        to: String? = nil,
        chain: UInt64? = nil
    ) {
        (self.currency, self.amount, self.to) = (currency, amount, to)
        self.chain = chain
    }
}

/// The money of an account on one chain, as this node's own connection shows it.
public struct Wallet: Codable, Hashable, Sendable, DescribedType {
    /// The account's address, to which others send money.
    public var account: String
    public var chain: UInt64
    public var balances: [Money]
    /// The amounts that contracts hold ready for the account; `collect` pays them to the balance.
    public var credits: [Credit]
    /// The account's payments into sales that have not ended, by sale.
    public var locked: [Locked]
    /// How the amounts are written for people.
    public var currencies: [CurrencyUnit]

    package static let fields: [String: FieldFacts] = ["account": .address, "chain": .chain]

    public init(
        account: String,
        chain: UInt64,
        balances: [Money],
        credits: [Credit],
        locked: [Locked] = [],
        currencies: [CurrencyUnit] = []
    ) {
        self.account = account
        self.chain = chain
        self.balances = balances
        self.credits = credits
        self.locked = locked
        self.currencies = currencies
    }

    /// An amount that a contract owes the account.
    public struct Credit: Codable, Hashable, Sendable, DescribedType {
        public var contract: String
        /// The way to sell that the contract carries out, as ``Sale/kind``.
        public var kind: String
        public var money: Money
        /// The sales behind it, oldest first; only the latest 100 if there are more.
        public var sales: [Part]

        package static let fields: [String: FieldFacts] = ["contract": .address, "kind": .kind]

        public init(contract: String, kind: String, money: Money, sales: [Part] = []) {
            (self.contract, self.kind) = (contract, kind)
            (self.money, self.sales) = (money, sales)
        }
    }

    /// The part of a credit from one sale.
    public struct Part: Codable, Hashable, Sendable, DescribedType {
        public var sale: String
        public var amount: String

        package static let fields: [String: FieldFacts] = ["sale": .hash, "amount": .amount]

        public init(sale: String, amount: String) { (self.sale, self.amount) = (sale, amount) }
    }

    /// The account's payments into one sale that has not ended.
    public struct Locked: Codable, Hashable, Sendable, DescribedType {
        public var sale: String
        /// The way in which it is sold, as ``Sale/kind``.
        public var kind: String
        /// The sale's phase, in the words of its kind.
        public var phase: String
        /// The phase in a shop's words.
        public var status: Sentence
        public var money: Money

        package static let fields: [String: FieldFacts] = [
            "sale": .hash, "kind": .kind, "phase": FieldFacts("paid").oneOf(.phases),
            "status": .status.example(Sentence("phase.paid")),
        ]

        public init(
            sale: String,
            kind: String,
            phase: String,
            status: Sentence? = nil,
            money: Money
        ) {
            (self.sale, self.kind) = (sale, kind)
            (self.phase, self.money) = (phase, money)
            self.status = status ?? Sentence("phase.\(phase)")
        }
    }
}
