/// A type that contracts can take and give.
///
/// The parser (``init(text:)``) makes only types within ``ABILimits``; codecs hold any to them.
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

    /// The name that signatures, and thus selectors and topics, are made of.
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

    /// Whether its size depends on the value, so that it lies in the tail behind an offset.
    package var isDynamic: Bool {
        switch self {
        case .bytes, .string, .array: true
        case .fixedArray(let element, let count): count > 0 && element.isDynamic
        case .tuple(let parts): parts.contains(where: \.isDynamic)
        case .uint, .int, .address, .bool, .fixedBytes, .function: false
        }
    }

    /// Whether it is one word, and so stands in a topic as itself.
    package var isElementary: Bool {
        switch self {
        case .uint, .int, .address, .bool, .fixedBytes, .function: true
        case .bytes, .string, .array, .fixedArray, .tuple: false
        }
    }

    /// The bytes it takes in a head: an offset's where it is dynamic.
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
    /// The bytes before the first tail, all heads together.
    var headByteCount: Int { reduce(0) { $0 + $1.headByteCount } }
}
