package import BigInt
package import Keys

/// A value of EIP-712 typed data that is not checked against a type yet.
package indirect enum TypedValue: Equatable, Sendable {
    case address(Address)
    case bool(Bool)
    /// For `intN` and `uintN`, which limit its range.
    case integer(BigInt)
    /// For `bytes`, and for `bytesN` with exactly N.
    case bytes([UInt8])
    case string(String)
    /// For `T[]`, and for `T[n]` with exactly n.
    case array([TypedValue])
    /// Exactly the members of a struct, by name.
    case structure([String: TypedValue])
    /// The absent struct that ends a recursive type. Hashed as 32 zero bytes.
    case none
}
