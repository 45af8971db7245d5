package import Client
package import Market

/// The maximum that the node pays for a move that nobody asked it to make.
///
/// Source: Docs/api.md, section 4.7.
package enum AutomaticFee: Equatable, Sendable {
    /// The part of what a move brings that its maximum fee may be: a tenth.
    package static let share: UInt64 = 10
    /// How many times its present maximum the fee may become, if what the move brings cannot be
    /// compared with it.
    package static let riseMax: UInt64 = 4

    /// The maximum fee, in wei; 0 if the preview shows none.
    case atMost(Amount)
    /// The present maximum fee is above a tenth of what comes back at once; both in wei.
    case tooHigh(fee: Amount, gain: Amount)

    package init(_ preview: ActionPreview) {
        // A move whose fee is not known must not become one whose fee has no limit.
        guard let fee = preview.feeMax.flatMap(Amount.init(decimal:)) else {
            self = .atMost(.zero)
            return
        }
        guard !preview.comesBack.isEmpty,
            preview.comesBack.allSatisfy({ $0.currency == Currency.native.name })
        else {
            self = .atMost(fee.multiplied(by: Self.riseMax) ?? fee)
            return
        }
        let gain = preview.comesBack.reduce(Amount.zero) { sum, part in
            sum.adding(Amount(decimal: part.amount) ?? .zero) ?? .max
        }
        let most = gain.quotientAndRemainder(dividingBy: Self.share).0
        self = fee <= most ? .atMost(most) : .tooHigh(fee: fee, gain: gain)
    }
}
