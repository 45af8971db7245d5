import Keys
import Market

extension SaleIndex {
    /// Describes how an account's sales have ended as far as that is final, for a possible buyer.
    ///
    /// A declined sale cannot be reviewed, so this count is all that shows it. Of a sale that begins
    /// again each ending counts, whatever goes on in it since.
    ///
    /// - Returns: Such as `2 complete, 1 declined`; `nil` if no sale with a buyer has ended.
    func outcomes(ofSeller seller: Address) -> String? {
        var counts: [String: Int] = [:]
        for newest in sales(of: seller) where newest.seller == seller {
            for ending in sale(newest.reference)?.state.endings ?? [] {
                counts[ending, default: 0] += 1
            }
        }
        guard !counts.isEmpty else { return nil }
        return counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            .joined(separator: ", ")
    }
}
