import BigInt
import Contracts
import Keys
import Market
import Support

@testable import Ethereum

/// The seeds of what endpoints of a chain answer.
///
/// Contracts is imported as testable, because the forms of data are its own.
enum ChainSeeds {
    private static let hash = Bytes32(repeating: 3)

    static func rlp() throws -> [[UInt8]] {
        let entry = AccessListEntry(address: testKey(3).address, storageKeys: [hash])
        let price = Amount(small: 20_000_000_000)
        let pricings: [TransactionPricing] = [
            .legacy(gasPrice: price), .accessList(gasPrice: price, [entry]),
            .dynamic(priorityFee: Amount(small: 1), feeCap: price, [entry]),
        ]
        let transactions = try pricings.map { pricing in
            try Transaction(
                chain: ChainID(1),
                nonce: 9,
                to: testKey(3).address,
                value: price,
                data: [1, 2, 3],
                gasLimit: 100_000,
                pricing: pricing
            ).signed(by: testKey(1)).encoded
        }
        let nested = RLPItem.list([.empty, .list([.small(300)]), .bytes(hash.bytes + hash.bytes)])
        return transactions + [RLP.encode(nested)]
    }

    /// One of each form.
    static func abi() throws -> [[UInt8]] {
        try ABIForm.all.enumerated().map { number, form in
            [UInt8(number)] + (try example(of: form))
        }
    }

    private static func example(of form: ABIForm) throws -> [UInt8] {
        switch form {
        case .parameters(let types): return try ABI.encode(types.map(value), as: types)
        case .event(let event, _):
            let indexed = event.inputs.filter(\.isIndexed).map(\.type)
            let plain = event.inputs.filter { !$0.isIndexed }.map(\.type)
            return try ABI.encode(indexed.map(value), as: indexed)
                + ABI.encode(plain.map(value), as: plain)
        case .call(let contract):
            let calls = try ABIForm.interface(of: contract).functions.map { function in
                try function.encodeCall(function.inputs.map { value(of: $0.type) })
            }
            return try calls.first { try form.takes($0) } ?? []
        case .revertReason:
            let error = ABICustomError(name: "Error", inputs: [ABIParameter(type: .string)])
            return try error.encode([.string("not the seller")])
        case .typeText: return Array("tuple(uint8,(bytes32,string[])[2])[]".utf8)
        }
    }

    /// The number one in each type.
    private static func value(of type: ABIType) -> ABIValue {
        switch type {
        case .uint: .small(1)
        case .int: .int(-1)
        case .address: .address(testKey(3).address)
        case .bool: .bool(true)
        case .fixedBytes(let count): .fixedBytes([UInt8](repeating: 3, count: count))
        case .function: .fixedBytes([UInt8](repeating: 3, count: 24))
        case .bytes: .bytes([1, 2, 3])
        case .string: .string("one")
        case .array(let element): .array([value(of: element)])
        case .fixedArray(let element, let count):
            .array([ABIValue](repeating: value(of: element), count: count))
        case .tuple(let types): .tuple(types.map(value))
        }
    }

    static func answers() -> [[UInt8]] {
        let (hash, address) = (hash.hex, testKey(3).address.checksummed)
        let log = """
            {"address":"\(address)","topics":["\(hash)"],"data":"0x0102","blockNumber":"0x7",\
            "blockHash":"\(hash)","transactionHash":"\(hash)","transactionIndex":"0x0",\
            "logIndex":"0x1","removed":false}
            """
        let header = """
            "number":"0x7","hash":"\(hash)","parentHash":"\(hash)","timestamp":"0x64",\
            "baseFeePerGas":"0x9","logsBloom":"0x00"
            """
        let results = [
            #""0x7a69""#, #""0x010203""#, "null", "[\(log)]", "{\(header)}",
            #"{\#(header),"transactions":[{"hash":"\#(hash)","from":"\#(address)","to":null,"value":"0x1"}]}"#,
            """
            {"transactionHash":"\(hash)","blockNumber":"0x7","blockHash":"\(hash)","status":"0x1",\
            "gasUsed":"0x5208","effectiveGasPrice":"0x9","contractAddress":null,"logs":[\(log)]}
            """,
            #"{"baseFeePerGas":["0x1","0x2"],"reward":[["0x1"]]}"#,
        ].map { #"{"jsonrpc":"2.0","id":0,"result":\#($0)}"# }
        let others = [
            #"[{"jsonrpc":"2.0","id":1,"result":"0x1"},{"jsonrpc":"2.0","id":0,"result":"0x2"}]"#,
            #"{"jsonrpc":"2.0","id":0,"error":{"code":3,"message":"reverted","data":"0x08c379a0"}}"#,
            #"{"jsonrpc":"2.0","id":null,"error":{"code":"-32000","message":"no","data":["a",{"b":"c"}]}}"#,
            #"{"error":"range too large"}"#, #"[{"error":{"message":"ten blocks, please"}}]"#,
            #"{"method":"eth_subscription","params":{"subscription":"0x1","result":{\#(header)}}}"#,
        ]
        return (results + others).map { Array($0.utf8) }
    }
}
