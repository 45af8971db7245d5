/// What an account owns on the chain, as this node's own connection shows it.
public struct Wallet: Codable, Hashable, Sendable {
    /// Its address, where others send money to.
    public var account: String
    public var chain: UInt64
    public var balances: [Money]
    /// What contracts hold ready for the account; `collect` brings it to the balance.
    public var credits: [Credit]

    public init(account: String, chain: UInt64, balances: [Money], credits: [Credit]) {
        self.account = account
        self.chain = chain
        self.balances = balances
        self.credits = credits
    }

    /// A contract's debt to the account.
    public struct Credit: Codable, Hashable, Sendable {
        public var contract: String
        public var money: Money

        public init(contract: String, money: Money) {
            self.contract = contract
            self.money = money
        }
    }
}
