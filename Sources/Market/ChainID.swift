/// The id of an EVM chain, as returned by `eth_chainId`.
///
/// Source: EIP-155.
package struct ChainID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    /// Whether chains with this id are for tests on one machine, with a time that people can set.
    package var isOfDevelopment: Bool { number == 1_337 || number == 31_337 }
}

extension ChainID: CustomStringConvertible {
    package var description: String { String(number) }
}
