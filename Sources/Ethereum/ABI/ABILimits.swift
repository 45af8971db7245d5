/// The limits of the ABI codec.
///
/// A contract, or an endpoint that forges its answers, can return anything. The limits keep memory
/// within a small multiple of the bytes received, and the stack within `depthMax` frames.
package enum ABILimits {
    /// How deep arrays and tuples may be nested.
    package static let depthMax = 16
    /// The maximum number of bytes in the head of one type.
    package static let typeBytesMax = 1 << 20
    /// The maximum number of characters in the text of a type.
    package static let typeTextMax = 4_096
    /// The maximum number of bytes of an encoding that is decoded.
    package static let bytesMax = 1 << 24
    /// The maximum number of values in one encoding.
    package static let valuesMax = 1 << 19
}
