/// The money of an account on the chain, as this node's own connection shows it.
public struct Wallet: Codable, Hashable, Sendable {
    /// The account's address, to which others send money.
    public var account: String
    public var chain: UInt64
    public var balances: [Money]
    /// The amounts that contracts hold ready for the account; `collect` pays them to the balance.
    public var credits: [Credit]

    public init(account: String, chain: UInt64, balances: [Money], credits: [Credit]) {
        self.account = account
        self.chain = chain
        self.balances = balances
        self.credits = credits
    }

    /// An amount that a contract owes the account.
    public struct Credit: Codable, Hashable, Sendable {
        public var contract: String
        public var money: Money

        public init(contract: String, money: Money) {
            self.contract = contract
            self.money = money
        }
    }
}
