/// Why values cannot be encoded, or bytes cannot be decoded.
///
/// Offsets count from the first byte of the encoding.
package enum ABIError: Error, Equatable, Sendable {
    /// The value does not match the type, or is out of its range.
    case mismatch(type: ABIType)
    /// The number of values differs from the number of types, or of the array's elements.
    case count(expected: Int, found: Int)
    case tooDeep(maximum: Int)
    case tooLong(maximum: Int)
    case tooManyValues(maximum: Int)
    /// The encoding ends before the value at `offset` is complete.
    case truncated(offset: Int)
    /// Bytes follow the last value.
    case trailingBytes(offset: Int)
    /// A tail leaves a gap, overlaps the previous one, or lies beyond the end.
    case offset(at: Int)
    /// A word is not a value of its type: a number out of range, a boolean of 2, nonzero padding.
    case word(offset: Int, type: ABIType)
    /// A string is not UTF-8.
    case text(offset: Int)
    /// The call data or error begins with another selector.
    case selector
    /// The log belongs to another event, or to another contract.
    case topic
    /// The encoding is valid, but the contract never writes such a value; the text names it.
    case meaningless(String)
    /// There is no function, event or error of this name, or there are several.
    case unknown(String)
}
