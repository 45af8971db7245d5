import Client

extension APISchemas {
    private static var unit: CurrencyUnit {
        CurrencyUnit(chain: 1, currency: "native", name: "Ether", symbol: "ETH", decimals: 18)
    }

    static var chainStatus: ChainStatus {
        ChainStatus(
            chain: 1,
            native: unit,
            fees: "1559",
            confirmations: 3,
            explorer: "https://…/{transaction}",
            health: "ready",
            detail: "…",
            head: 7,
            headTime: time,
            item: address,
            contracts: [contract],
            arbiters: [ChainStatus.Arbiter(account: address, name: "…")],
            warnings: ["…"]
        )
    }

    /// Examples of the types of calls about the account's own money.
    static var wallet: [any Codable] {
        [
            Wallet(
                account: address,
                chain: 1,
                balances: [money],
                credits: [
                    Wallet.Credit(
                        contract: address,
                        kind: contract.kind,
                        money: money,
                        sales: [Wallet.Part(sale: hash, amount: "1")]
                    )
                ],
                locked: [
                    Wallet.Locked(sale: hash, kind: contract.kind, phase: "paid", money: money)
                ],
                currencies: [unit]
            ),
            WalletMovement(
                chain: 1,
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
            unit, Transfer(to: address, amount: "1", currency: "native", chain: 1),
        ]
    }
}
