package import Market

/// What the last blocks charged for gas, oldest first.
///
/// Source: EIP-1559; Ethereum JSON-RPC specification, `eth_feeHistory`.
package struct FeeHistory: Equatable, Sendable {
    /// One more than blocks, the last being the next block's; zero where there is no base fee.
    package let baseFees: [Amount]
    /// For each block the tips at the percentiles asked for.
    package let tips: [[Amount]]

    package init(baseFees: [Amount], tips: [[Amount]]) {
        (self.baseFees, self.tips) = (baseFees, tips)
    }
}

extension FeeHistory: Decodable {
    private enum Key: String, CodingKey {
        case baseFeePerGas, reward
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        let fees = try fields.decodeIfPresent([Quantity].self, forKey: .baseFeePerGas) ?? []
        let rewards = try fields.decodeIfPresent([[Quantity]].self, forKey: .reward) ?? []
        self.init(
            baseFees: fees.map(\.amount),
            tips: rewards.map { $0.map(\.amount) }
        )
    }
}
