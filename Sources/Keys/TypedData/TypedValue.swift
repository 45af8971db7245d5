package import BigInt

/// A value of EIP-712 typed data, before it is known which type it fits.
package indirect enum TypedValue: Equatable, Sendable {
    case address(Address)
    case bool(Bool)
    /// For `intN` and `uintN`, which bound it.
    case integer(BigInt)
    /// For `bytes`, and for `bytesN` with exactly N.
    case bytes([UInt8])
    case string(String)
    /// For `T[]`, and for `T[n]` with exactly n.
    case array([TypedValue])
    /// The members of a struct by name, all of them and no other.
    case structure([String: TypedValue])
    /// No struct: what ends a type that refers to itself. Hashed as 32 zero bytes.
    case none
}
