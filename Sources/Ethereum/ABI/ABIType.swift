/// A type of the contract ABI.
///
/// The parser (``init(text:)``) returns only types within ``ABILimits``; the codecs check all types
/// against them.
///
/// Source: Solidity documentation 0.8, "Contract ABI Specification", section "Types".
package enum ABIType: Hashable, Sendable {
    /// Unsigned, of 8, 16, … 256 bits.
    case uint(bits: Int)
    /// Two's complement, of 8, 16, … 256 bits.
    case int(bits: Int)
    case address
    case bool
    /// 1 to 32 bytes.
    case fixedBytes(count: Int)
    /// An address and a selector, 24 bytes.
    case function
    case bytes
    case string
    indirect case array(of: ABIType)
    indirect case fixedArray(of: ABIType, count: Int)
    case tuple([ABIType])

    package static let uint256 = ABIType.uint(bits: 256)
    package static let bytes32 = ABIType.fixedBytes(count: 32)

    /// The name in signatures, and so in the hashes of selectors and topics.
    package var canonicalName: String {
        switch self {
        case .uint(let bits): "uint\(bits)"
        case .int(let bits): "int\(bits)"
        case .address: "address"
        case .bool: "bool"
        case .fixedBytes(let count): "bytes\(count)"
        case .function: "function"
        case .bytes: "bytes"
        case .string: "string"
        case .array(let element): element.canonicalName + "[]"
        case .fixedArray(let element, let count): element.canonicalName + "[\(count)]"
        case .tuple(let parts): "(" + parts.map(\.canonicalName).joined(separator: ",") + ")"
        }
    }

    /// Whether its size depends on the value, so that the value is in the tail, behind an offset.
    package var isDynamic: Bool {
        switch self {
        case .bytes, .string, .array: true
        case .fixedArray(let element, let count): count > 0 && element.isDynamic
        case .tuple(let parts): parts.contains(where: \.isDynamic)
        case .uint, .int, .address, .bool, .fixedBytes, .function: false
        }
    }

    /// Whether it takes one word, so that a topic holds the value itself.
    package var isElementary: Bool {
        switch self {
        case .uint, .int, .address, .bool, .fixedBytes, .function: true
        case .bytes, .string, .array, .fixedArray, .tuple: false
        }
    }

    /// The bytes that it takes in a head: those of an offset if it is dynamic.
    var headByteCount: Int { isDynamic ? 32 : staticByteCount }

    private var staticByteCount: Int {
        switch self {
        case .uint, .int, .address, .bool, .fixedBytes, .function: 32
        case .fixedArray(let element, let count): saturated(element.staticByteCount, times: count)
        case .tuple(let parts):
            parts.reduce(0) { min($0 + $1.staticByteCount, ABILimits.typeBytesMax + 1) }
        case .bytes, .string, .array: 32
        }
    }

    private func saturated(_ byteCount: Int, times count: Int) -> Int {
        let (product, overflow) = byteCount.multipliedReportingOverflow(by: count)
        return overflow ? ABILimits.typeBytesMax + 1 : min(product, ABILimits.typeBytesMax + 1)
    }
}

extension ABIType: CustomStringConvertible {
    package var description: String { canonicalName }
}

extension [ABIType] {
    /// The bytes of all heads together, which precede the first tail.
    var headByteCount: Int { reduce(0) { $0 + $1.headByteCount } }
}
