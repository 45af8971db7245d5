import Keys
import Market

@testable import Contracts
@testable import Ethereum

/// A form of data of contracts that a node decodes.
///
/// Contracts is imported as testable, because only its clients know the forms of its bindings.
enum ABIForm: Sendable {
    case parameters([ABIType])
    /// A log: its indexed arguments, then its data, which ends with the time of its block.
    case event(ABIEvent, of: any SaleContract)
    /// A call that names a sale.
    case call(to: any SaleContract)
    case revertReason
    /// The text of a type.
    case typeText

    /// All forms; their order is a part of the corpus.
    static let all: [ABIForm] =
        signatures.map { .parameters(types(of: $0)) } + contracts.flatMap(events)
        + contracts.map { .call(to: $0) } + [.revertReason, .typeText]

    private static let signatures = [
        "f(uint256,int256,address,bool)", "f(bytes,string)", "f(uint8,int16,bytes4,function)",
        "f(uint256[],address[3])", "f(bytes[],string[2][])", "f((uint256,(bytes,bool)[])[])",
        "f((address,uint64)[2][])",
    ]

    private static let contracts: [any SaleContract] = [
        EscrowContract(address: .zero), AuctionContract(address: .zero),
        DirectSaleContract(address: .zero), CoursesContract(address: .zero),
    ]

    /// The events of a contract that a node follows.
    private static func events(of contract: any SaleContract) -> [ABIForm] {
        let followed = type(of: contract).topics
        return interface(of: contract).events.filter { followed.contains($0.topic) }
            .map { .event($0, of: contract) }
    }

    static func interface(of contract: any SaleContract) -> ContractInterface {
        type(of: contract).artifact.interface
    }

    private static func types(of signature: String) -> [ABIType] {
        guard let types = try? ABIType.parameters(ofSignature: signature) else {
            preconditionFailure("\(signature) is not a signature")
        }
        return types
    }

    /// Decodes data of this form, and returns whether it is some.
    func takes(_ data: [UInt8]) throws -> Bool {
        switch self {
        case .parameters(let types):
            guard let values = try? ABI.decode(data, as: types) else { return false }
            try hold(try ABI.encode(values, as: types) == data, "values have one encoding")
            return true
        case .event(let event, let contract):
            guard let log = Self.log(of: event, data) else { return false }
            return (try? contract.decode(log, at: Self.position(of: log))) != nil
        case .call(let contract): return contract.sale(in: data, on: ChainID(1)) != nil
        case .revertReason:
            let declared = Self.contracts.flatMap { Self.interface(of: $0).errors }
            let reason = RevertReason(data: data, declared: declared)
            try holdSafe(reason.description, charactersMax: UntrustedText.charactersMax)
            if case .unknown = reason { return false }
            return true
        case .typeText:
            let text = String(decoding: data, as: UTF8.self)
            guard let type = try? ABIType(text: text) else { return false }
            try hold(try ABIType(text: type.canonicalName) == type, "a type reads its own name")
            return true
        }
    }

    private static func log(of event: ABIEvent, _ bytes: [UInt8]) -> ContractLog? {
        let byteCount = event.inputs.count { $0.isIndexed } * 32
        guard bytes.count >= byteCount else { return nil }
        let topics = stride(from: 0, to: byteCount, by: 32).compactMap {
            Bytes32(bytes[$0..<$0 + 32])
        }
        return ContractLog(
            address: .zero,
            topics: [event.topic] + topics,
            data: Array(bytes.dropFirst(byteCount))
        )
    }

    private static func position(of log: ContractLog) -> EventPosition {
        EventPosition(
            blockNumber: 1,
            blockHash: .zero,
            logIndex: 0,
            time: ChainTime(seconds: log.data.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }),
            transaction: .zero
        )
    }
}
