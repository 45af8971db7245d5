/// Why typed data cannot be hashed and so must not be signed.
///
/// A `path` names the member from the root, such as `message.to[2].wallet`.
package enum TypedDataError: Error, Equatable, Sendable {
    /// The text is not JSON, or not an object with the parts that EIP-712 names.
    case malformed(part: String)
    /// A type that is neither Solidity's nor defined by the message.
    case unknownType(String)
    /// A struct name that hides a simple type, or a name with characters of `encodeType`.
    case invalidName(String)
    /// Two members of one struct have the same name.
    case repeatedField(String, of: String)
    /// A member of the domain that EIP-712 does not define, or with another type.
    case invalidDomainField(String)
    /// The value lacks this member of the type.
    case missingField(path: String)
    /// The type lacks this member of the value.
    case unknownField(path: String)
    /// The value does not fit the type.
    case mismatch(path: String, type: String)
    /// An array of fixed length, or `bytesN`, with another number of elements.
    case wrongCount(path: String, expected: Int, found: Int)
    /// A number that is out of the type's range, or that JSON cannot represent exactly.
    case outOfRange(path: String, type: String)
}

extension TypedDataError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let part):
            "The \(part) of the typed data cannot be read; send the form of eth_signTypedData_v4."
        case .unknownType(let type): "The type '\(type)' is not defined; add it to 'types'."
        case .invalidName(let name): "'\(name)' cannot be a name of typed data; choose another."
        case .repeatedField(let name, let type):
            "The type '\(type)' has two members '\(name)'; remove one."
        case .invalidDomainField(let name):
            "The domain cannot have a member '\(name)' of that type; see EIP-712."
        case .missingField(let path): "'\(path)' is missing; give it a value."
        case .unknownField(let path): "'\(path)' is in no type; remove it or add it to one."
        case .mismatch(let path, let type): "'\(path)' is not of type '\(type)'."
        case .wrongCount(let path, let expected, let found):
            "'\(path)' needs \(expected) elements but has \(found)."
        case .outOfRange(let path, let type):
            "'\(path)' does not fit '\(type)'; write large numbers as decimal text."
        }
    }
}
