import Keys

/// The four bytes that identify a function in call data, or an error in a failed call's data.
///
/// Source: Solidity documentation 0.8, "Contract ABI Specification", "Function Selector".
package struct FunctionSelector: Hashable, Sendable {
    private let number: UInt32

    /// Computes the selector of a canonical signature such as `transfer(address,uint256)`.
    package init(signature: String) {
        number = Keccak256.hash(signature.utf8).bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Takes the first four bytes of call data or of an error; `nil` if there are fewer.
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
