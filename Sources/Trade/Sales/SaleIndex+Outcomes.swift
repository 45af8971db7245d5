import Keys
import Market

extension SaleIndex {
    /// Describes the final ends of an account's sales, for a possible buyer.
    ///
    /// A declined sale cannot be reviewed, so only this count shows it. For a sale that begins
    /// again each ending counts, whatever has happened in it since. Refunds to accounts without a
    /// finished sale are counted separately, because anybody can make such accounts.
    ///
    /// - Returns: Such as `2 complete, 1 declined`; `nil` if no sale with a buyer has ended.
    func outcomes(ofSeller seller: Address) -> String? {
        let sales = sales(of: seller).filter { $0.seller == seller }
            .compactMap { sale($0.reference) }
        let outcomes = SellerOutcomes(of: sales) { hasFinished($0) }
        guard !outcomes.counted.isEmpty || !outcomes.setAside.isEmpty else { return nil }
        var parts: [String] = []
        if !outcomes.counted.isEmpty { parts.append(Self.text(outcomes.counted)) }
        if !outcomes.setAside.isEmpty {
            parts.append(
                "not counted, because the buyers have no finished sale: "
                    + Self.text(outcomes.setAside)
            )
        }
        return parts.joined(separator: "; ")
    }

    /// Returns whether an account has a sale that finally ended well.
    private func hasFinished(_ account: Address) -> Bool {
        sales(of: account).contains { newest in
            guard let final = sale(newest.reference) else { return false }
            return final.role(of: account) != .stranger
                && !SellerOutcomes.finished.isDisjoint(with: final.state.endings)
        }
    }

    private static func text(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}
