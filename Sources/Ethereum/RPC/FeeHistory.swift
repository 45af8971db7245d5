package import Market

/// The gas prices of the last blocks, oldest first.
///
/// Source: EIP-1559; Ethereum JSON-RPC specification, `eth_feeHistory`.
package struct FeeHistory: Equatable, Sendable {
    /// The base fee of each block and of the next one; zero if there is no base fee.
    package let baseFees: [Amount]
    /// For each block, its tips at the requested percentiles.
    package let tips: [[Amount]]

    package init(baseFees: [Amount], tips: [[Amount]]) {
        (self.baseFees, self.tips) = (baseFees, tips)
    }

    /// The report of an endpoint that knows no history.
    package static let none = FeeHistory(baseFees: [], tips: [])
}

extension FeeHistory: Decodable {
    private enum Key: String, CodingKey {
        case baseFeePerGas, reward
    }

    /// One that cannot be read counts as none: the price does not depend on it.
    package init(from decoder: any Decoder) throws {
        self = (try? Self(reading: decoder)) ?? .none
    }

    private init(reading decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        let fees = try fields.decodeIfPresent([Quantity].self, forKey: .baseFeePerGas) ?? []
        let rewards = try fields.decodeIfPresent([[Quantity]].self, forKey: .reward) ?? []
        self.init(
            baseFees: fees.map(\.amount),
            tips: rewards.map { $0.map(\.amount) }
        )
    }
}
