import Client

extension APISchemas {
    /// Examples of the types of calls about the account's own money.
    static var wallet: [any Codable] {
        let unit = CurrencyUnit(currency: "native", name: "Ether", symbol: "ETH", decimals: 18)
        return [
            Wallet(
                account: address,
                chain: 1,
                balances: [money],
                credits: [Wallet.Credit(contract: address, money: money)],
                currencies: [unit]
            ),
            WalletMovement(
                kind: .sent,
                isIncoming: false,
                money: money,
                with: address,
                purpose: "send",
                fee: "1",
                transaction: hash,
                link: "https://…",
                block: 7,
                at: time
            ),
            unit, Transfer(to: address, amount: "1", currency: "native"),
        ]
    }
}
