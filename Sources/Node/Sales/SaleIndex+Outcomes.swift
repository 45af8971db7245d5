import Keys
import Market

extension SaleIndex {
    /// Describes how an account's final sales have ended, for a possible buyer.
    ///
    /// A declined sale cannot be reviewed, so this count is all that shows it.
    ///
    /// - Returns: Such as `2 complete, 1 declined`; `nil` if no sale with a buyer has ended.
    func outcomes(ofSeller seller: Address) -> String? {
        var counts: [String: Int] = [:]
        for view in views(of: seller) where view.isFinal && view.sale.seller == seller {
            for ending in view.sale.state.endings { counts[ending, default: 0] += 1 }
        }
        guard !counts.isEmpty else { return nil }
        return counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            .joined(separator: ", ")
    }
}
