/// The id of an EVM chain, as returned by `eth_chainId`.
///
/// Source: EIP-155.
package struct ChainID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

extension ChainID: CustomStringConvertible {
    package var description: String { String(number) }
}
