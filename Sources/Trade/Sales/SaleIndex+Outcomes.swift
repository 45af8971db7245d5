import Client
import Keys
import Market

extension SaleIndex {
    /// Says who made the token on sale, and whether it is sold again; empty for a sale without one.
    func origin(of sale: Market.Sale) -> [Sentence] {
        guard let isResale = isResale(sale), let maker = sale.state.maker else { return [] }
        guard isResale else { return [Sentence("preview.soldFirst")] }
        return [
            maker == sale.seller
                ? Sentence("preview.soldAgain")
                : Sentence("preview.soldOn", ["maker": maker.checksummed])
        ]
    }

    /// Describes the final ends of an account's sales, for a possible buyer.
    ///
    /// A declined sale cannot be reviewed, so only this count shows it. For a sale that begins
    /// again each ending counts, whatever has happened in it since. Refunds to accounts without a
    /// finished sale are counted separately, because anybody can make such accounts.
    ///
    /// - Returns: Such as `2 completed, 1 declined by the seller`; empty if no sale with a buyer
    ///   has ended.
    func outcomes(ofSeller seller: Address) -> [Sentence] {
        let sales = sales(of: seller).filter { $0.seller == seller }
            .compactMap { sale($0.reference) }
        let outcomes = SellerOutcomes(of: sales) { hasFinished($0) }
        var sentences: [Sentence] = []
        if !outcomes.counted.isEmpty {
            sentences.append(Sentence("preview.outcomes", ["counts": Self.value(outcomes.counted)]))
        }
        if !outcomes.setAside.isEmpty {
            sentences.append(
                Sentence("preview.outcomesSetAside", ["counts": Self.value(outcomes.setAside)])
            )
        }
        return sentences
    }

    /// Returns whether an account has a sale that finally ended well.
    private func hasFinished(_ account: Address) -> Bool {
        sales(of: account).contains { newest in
            guard let final = sale(newest.reference) else { return false }
            return final.role(of: account) != .stranger
                && !SellerOutcomes.finished.isDisjoint(with: final.state.endings)
        }
    }

    /// A value of type `counts`.
    private static func value(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { ending, count in
            // One ending is no phase of a sale.
            "\(count) \(ending == "relisted" ? "ending" : "phase").\(ending)"
        }
        .joined(separator: ",")
    }
}
