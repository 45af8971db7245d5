package import Client
package import Market

/// The cost of a move for its account beyond its proceeds.
///
/// Source: Docs/api.md, section 4.7.
package struct PredictedLoss: Equatable, Sendable {
    /// The maximum fee, in wei.
    package let fee: Amount
    /// The amount that returns at once, in wei; less than the fee.
    package let gain: Amount

    /// - Returns: `nil` if the move's proceeds are at least its fee, are none or in another
    ///   currency, which cannot be compared, or if it cannot be made anyway.
    package init?(_ preview: ActionPreview) {
        guard preview.problems.isEmpty, !preview.comesBack.isEmpty,
            preview.comesBack.allSatisfy({ $0.currency == Currency.native.name }),
            let fee = preview.feeMax.flatMap(Amount.init(decimal:))
        else { return nil }
        let gain = preview.comesBack.reduce(Amount.zero) { sum, part in
            sum.adding(Amount(decimal: part.amount) ?? .zero) ?? .max
        }
        guard gain < fee else { return nil }
        (self.fee, self.gain) = (fee, gain)
    }
}
