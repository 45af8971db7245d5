/// Why values cannot be written as types, or bytes cannot be read as them.
///
/// Offsets count from the first byte of the encoding.
package enum ABIError: Error, Equatable, Sendable {
    /// The value is not of the type's kind, or not in its range.
    case mismatch(type: ABIType)
    /// There are not as many values as types, or as elements as the type has.
    case count(expected: Int, found: Int)
    case tooDeep(maximum: Int)
    case tooLong(maximum: Int)
    case tooManyValues(maximum: Int)
    /// The encoding ends before what stands at `offset` is complete.
    case truncated(offset: Int)
    /// Bytes follow the last value.
    case trailingBytes(offset: Int)
    /// A tail does not begin where the one before ended: a gap, an overlap or a way out.
    case offset(at: Int)
    /// A word is no value of its type: a number out of range, a boolean of 2, padding not zero.
    case word(offset: Int, type: ABIType)
    /// A string is not UTF-8.
    case text(offset: Int)
    /// The call data or error begins with another selector.
    case selector
    /// The log is of another event, or of another contract.
    case topic
    /// It is written as it should be, but says what the contract never says; the words name it.
    case meaningless(String)
    /// There is no function, event or error of this name.
    case unknown(String)
}
