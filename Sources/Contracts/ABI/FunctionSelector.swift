import Keys

/// The four bytes by which call data names a function, and an error's data the error.
///
/// Source: Solidity documentation 0.8, "Contract ABI Specification", "Function Selector".
package struct FunctionSelector: Hashable, Sendable {
    private let number: UInt32

    /// Of a canonical signature such as `transfer(address,uint256)`.
    package init(signature: String) {
        number = Keccak256.hash(signature.utf8).bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The first four bytes of call data or of an error; fewer are `nil`.
    package init?(startOf bytes: some Collection<UInt8>) {
        let start = bytes.prefix(4)
        guard start.count == 4 else { return nil }
        number = start.reduce(0) { $0 << 8 | UInt32($1) }
    }

    package var bytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> ($0 as UInt32)) }
    }
}

extension FunctionSelector: CustomStringConvertible {
    package var description: String { "0x" + Hex.encode(bytes) }
}
