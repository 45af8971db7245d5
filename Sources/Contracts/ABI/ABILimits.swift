/// What the codec takes at most, whoever sent it.
///
/// A contract, or an endpoint that lies for it, can answer anything: memory stays within a small
/// factor of the bytes received, and the stack within `depthMax` frames.
package enum ABILimits {
    /// How deep arrays and tuples may lie in one another.
    package static let depthMax = 16
    /// The greatest head of one static type.
    package static let typeBytesMax = 1 << 20
    /// How long the name of a type may be.
    package static let typeTextMax = 4_096
    /// The longest encoding that is read.
    package static let bytesMax = 1 << 24
    /// How many values one encoding may hold.
    package static let valuesMax = 1 << 19
}
