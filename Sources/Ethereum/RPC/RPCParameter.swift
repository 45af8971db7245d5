import Keys
import Market

/// A value in the parameters of a call, encoded as the specification says.
///
/// Source: Ethereum JSON-RPC specification, "Hex value encoding".
indirect enum RPCParameter: Equatable, Sendable {
    case address(Address)
    case bytes([UInt8])
    case quantity(UInt64)
    case amount(Amount)
    /// A JSON number, for percentiles only.
    case integer(Int)
    case flag(Bool)
    case name(String)
    case block(BlockTag)
    case call(CallRequest)
    case list([RPCParameter])
    case object([String: RPCParameter])
    /// Matches anything, in a list of topics.
    case any
}

extension RPCParameter: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .address(let address): try container.encode("0x" + Hex.encode(address.bytes))
        case .bytes(let bytes): try container.encode("0x" + Hex.encode(bytes))
        case .quantity(let number): try container.encode("0x" + String(number, radix: 16))
        case .amount(let amount): try container.encode("0x" + String(amount.units, radix: 16))
        case .integer(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .name(let name): try container.encode(name)
        case .block(let tag): try container.encode(Self.notation(of: tag))
        case .call(let request): try container.encode(Self.notation(of: request))
        case .list(let list): try container.encode(list)
        case .object(let fields): try container.encode(fields)
        case .any: try container.encodeNil()
        }
    }

    private static func notation(of tag: BlockTag) -> BlockTagNotation {
        switch tag {
        case .latest: .name("latest")
        case .pending: .name("pending")
        case .number(let number): .name("0x" + String(number, radix: 16))
        case .hash(let hash): .object(["blockHash": .bytes(hash.bytes)])
        }
    }

    private static func notation(of request: CallRequest) -> [String: RPCParameter] {
        var fields: [String: RPCParameter] = ["data": .bytes(request.data)]
        if let from = request.from { fields["from"] = .address(from) }
        if let to = request.to { fields["to"] = .address(to) }
        if !request.value.isZero { fields["value"] = .amount(request.value) }
        if let gas = request.gas { fields["gas"] = .quantity(gas) }
        return fields
    }
}

/// The encoding of a block tag: a name or number, or an object with the hash.
private enum BlockTagNotation: Encodable {
    case name(String)
    case object([String: RPCParameter])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .name(let name): try container.encode(name)
        case .object(let fields): try container.encode(fields)
        }
    }
}
