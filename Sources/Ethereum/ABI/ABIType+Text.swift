extension ABIType {
    /// Parses a type as written in signatures: `uint256`, `bytes32[4][]`, `(address,string)`.
    ///
    /// `uint` and `int` mean 256 bits; `tuple(…)` means `(…)`.
    ///
    /// - Throws: ``ABITypeError``; fixed-point numbers have their own case, because no compiler in
    ///   use supports them.
    package init(text: some StringProtocol) throws(ABITypeError) {
        guard text.utf8.count <= ABILimits.typeTextMax else { throw .tooLong }
        var parser = ABITypeParser(text: text)
        self = try parser.parseAll()
        guard depth <= ABILimits.depthMax, largestPart <= ABILimits.typeBytesMax
        else { throw .tooLarge }
    }

    /// Parses the types of a signature such as `transfer(address,uint256)`.
    package static func parameters(
        ofSignature signature: some StringProtocol
    ) throws(ABITypeError) -> [ABIType] {
        guard let open = signature.firstIndex(of: "("), open != signature.startIndex
        else { throw .malformed(String(signature)) }
        let list = signature[open...]
        if list == "()" { return [] }
        guard case .tuple(let types) = try ABIType(text: list)
        else { throw .malformed(String(signature)) }
        return types
    }

    /// The nesting depth of arrays and tuples, including this one.
    var depth: Int {
        switch self {
        case .array(let element), .fixedArray(let element, _): 1 + element.depth
        case .tuple(let parts): 1 + (parts.map(\.depth).max() ?? 0)
        default: 0
        }
    }

    /// The maximum number of bytes in the head of this type or a type within it.
    private var largestPart: Int {
        switch self {
        case .array(let element): element.largestPart
        case .fixedArray(let element, _): max(flatByteCount, element.largestPart)
        case .tuple(let parts): max(flatByteCount, parts.map(\.largestPart).max() ?? 0)
        default: 32
        }
    }

    private var flatByteCount: Int {
        switch self {
        case .fixedArray(let element, let count) where element.isDynamic:
            count > ABILimits.typeBytesMax / 32 ? ABILimits.typeBytesMax + 1 : count * 32
        default: headByteCount
        }
    }
}

/// Why a text is not a type, or is a type that Stoa does not support.
package enum ABITypeError: Error, Equatable, Sendable {
    case malformed(String)
    /// The specification has no type of this name.
    case unknown(String)
    /// A size that does not exist, such as in `uint12` or `bytes33`.
    case size(String)
    /// `fixed` and `ufixed` exist in the specification, but in no compiler.
    case fixedPoint(String)
    case tooLong
    /// Nested deeper, or with a larger head, than ``ABILimits`` allow.
    case tooLarge
}
