public import Foundation

/// A movement of an account's money that is final, as this node's own connection to the chain
/// shows it.
public struct WalletMovement: Codable, Hashable, Sendable, DescribedType {
    /// The cause of the movement.
    public enum Kind: ExtensibleEnumeration {
        /// The account sent money, or called a contract with it.
        case sent
        /// Somebody sent money to the account.
        case received
        /// The account only paid for a transaction: a call without money, or one that failed.
        case fee
        /// The balance changed otherwise: a contract paid the account, or the node could not read
        /// the blocks in between.
        case changed
        case other(String)

        public static let known: [Kind] = [.sent, .received, .fee, .changed]

        public var rawValue: String {
            switch self {
            case .sent: "sent"
            case .received: "received"
            case .fee: "fee"
            case .changed: "changed"
            case .other(let text): text
            }
        }
    }

    /// The id of the chain.
    public var chain: UInt64
    public var kind: Kind
    /// Whether the account received the money.
    public var isIncoming: Bool
    public var money: Money
    /// The other side; `nil` if no transaction or event names it.
    public var with: String?
    /// The purpose of the account's own transaction, such as `buy`; `nil` if this node did not sign
    /// it.
    public var purpose: String?
    /// The fee that the account paid for the transaction, in wei, in addition to ``money``.
    public var fee: String?
    /// The sale in which the transaction is a move; `nil` for none that this node sees.
    public var sale: String?
    /// The title that its seller promised; `nil` if no listing here proves it.
    public var title: String?
    /// The hash of the transaction, if one is known.
    public var transaction: String?
    /// The page of the transaction, if the node knows an explorer.
    public var link: String?
    public var block: UInt64
    public var at: Date

    package static let fields: [String: FieldFacts] = [
        "chain": .chain, "with": .address, "purpose": "send", "fee": .bareAmount,
        "sale": .hash.about("The sale in which the transaction is a move."),
        "title": .title, "transaction": .hash,
        "link": "https://…", "block": 7,
    ]

    public init(
        chain: UInt64,
        kind: Kind,
        isIncoming: Bool,
        money: Money,
        with: String? = nil,
        purpose: String? = nil,
        fee: String? = nil,
        sale: String? = nil,
        title: String? = nil,
        transaction: String? = nil,
        link: String? = nil,
        block: UInt64,
        at: Date
    ) {
        self.chain = chain
        (self.kind, self.isIncoming, self.money) = (kind, isIncoming, money)
        (self.with, self.purpose, self.fee) = (with, purpose, fee)
        (self.sale, self.title) = (sale, title)
        (self.transaction, self.link) = (transaction, link)
        (self.block, self.at) = (block, at)
    }
}
