import Client

/// The money that an account can collect.
extension WaitingSteps {
    /// Returns what sales have credited to the account, in each currency.
    func sums(of sales: [Sale]) -> [String] {
        var sums: [[String]: [String]] = [:]
        for sale in sales {
            sums[["\(sale.chain)", sale.price.currency], default: []] += NextStep.credits(
                of: own,
                in: sale
            )
        }
        return sums.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap {
            place,
            amounts in
            let sum = MoneyText.sum(amounts)
            guard let chain = UInt64(place[0]), sum != "0" else { return nil }
            return CurrencyUnits.on(chain) { MoneyText.text(sum, place[1]) }
        }
    }
}
