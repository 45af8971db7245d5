import Foundation

/// The market's values in the sentences that people read, as texts of the types of Docs/api.md,
/// section 1.5.
extension Amount {
    /// A value of type `amount`.
    package func value(in currency: Currency, on chain: ChainID) -> String {
        "\(decimal) \(currency.name) \(chain.number)"
    }
}

extension Duration {
    /// A value of type `duration`.
    package var value: String { "\(wholeSeconds)" }
}

extension ChainTime {
    /// A value of type `time`.
    package var value: String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}

extension SellerShare {
    /// A value of type `share`.
    package var value: String { "\(basisPoints)" }
}

extension SaleRole {
    /// A value of type `term`.
    package var value: String { "role.\(name)" }
}
