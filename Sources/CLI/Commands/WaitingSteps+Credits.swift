import Client

/// The money that an account can collect.
extension WaitingSteps {
    /// Returns the account's credits that remain, in each currency; not those of a chain that the
    /// node cannot ask.
    func sums(_ node: StoaClient) async -> [String] {
        let chains: [UInt64?] = CurrencyUnits.current.chains
        var sums: [String] = []
        for chain in chains.isEmpty ? [nil] : chains {
            guard let wallet = try? await node.wallet(chain: chain) else { continue }
            sums += Self.sums(of: wallet)
        }
        return sums
    }

    private static func sums(of wallet: Wallet) -> [String] {
        let credits = Dictionary(grouping: wallet.credits.map(\.money), by: \.currency)
        return credits.sorted { $0.key < $1.key }.compactMap { currency, credits in
            let sum = MoneyText.sum(credits.map(\.amount))
            guard sum != "0" else { return nil }
            return CurrencyUnits.on(wallet.chain) { MoneyText.gained(sum, currency) }
        }
    }
}
