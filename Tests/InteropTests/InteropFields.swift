import BigInt
import Ethereum
import Foundation
import Keys
import Market

/// The fields of one JSON object, each as what the format says it is.
struct InteropFields {
    private let json: [String: Any]

    init(_ json: [String: Any]) {
        self.json = json
    }

    func any(_ name: String) throws -> Any {
        guard let value = json[name] else { throw InteropKinds.Fault.malformed(name) }
        return value
    }

    func object(_ name: String) throws -> [String: Any] { try cast(name) }

    func text(_ name: String) throws -> String { try cast(name) }

    func texts(_ name: String) throws -> [String] { try cast(name) }

    func bytes(_ name: String) throws -> [UInt8] {
        guard let bytes = Hex.decode(try text(name)) else {
            throw InteropKinds.Fault.malformed(name)
        }
        return bytes
    }

    func quantity(_ name: String) throws -> Amount {
        guard let units = BigUInt(try text(name).dropFirst(2), radix: 16),
            let amount = Amount(units)
        else { throw InteropKinds.Fault.malformed(name) }
        return amount
    }

    func small(_ name: String) throws -> UInt64 {
        guard let value = UInt64(exactly: try quantity(name).units) else {
            throw InteropKinds.Fault.malformed(name)
        }
        return value
    }

    func key() throws -> PrivateKey {
        guard let key = PrivateKey(SecretBytes(copying: try bytes("privateKey"))) else {
            throw InteropKinds.Fault.malformed("privateKey")
        }
        return key
    }

    func typedValues() throws -> ([ABIType], [ABIValue]) {
        let types = try texts("types").map { try ABIType(text: $0) }
        let values: [Any] = try cast("values")
        guard values.count == types.count else { throw InteropKinds.Fault.malformed("values") }
        return (types, try types.indices.map { try Self.value(values[$0], types[$0]) })
    }

    private func cast<Value>(_ name: String) throws -> Value {
        guard let value = json[name] as? Value else { throw InteropKinds.Fault.malformed(name) }
        return value
    }

    private static func value(_ json: Any, _ type: ABIType) throws -> ABIValue {
        switch (type, json) {
        case (.uint, let text as String):
            if let number = BigUInt(text, radix: 10) { return .uint(number) }
        case (.int, let text as String):
            if let number = BigInt(text, radix: 10) { return .int(number) }
        case (.address, let text as String): return .address(try Address(text: text))
        case (.bool, let isTrue as Bool): return .bool(isTrue)
        case (.string, let text as String): return .string(text)
        case (.bytes, let text as String):
            if let bytes = Hex.decode(text) { return .bytes(bytes) }
        case (.fixedBytes, let text as String):
            if let bytes = Hex.decode(text) { return .fixedBytes(bytes) }
        case (.array(let element), let list as [Any]),
            (.fixedArray(let element, _), let list as [Any]):
            return .array(try list.map { try value($0, element) })
        case (.tuple(let types), let list as [Any]) where list.count == types.count:
            return .tuple(try list.indices.map { try value(list[$0], types[$0]) })
        default: break
        }
        throw InteropKinds.Fault.malformed("\(type)")
    }
}
