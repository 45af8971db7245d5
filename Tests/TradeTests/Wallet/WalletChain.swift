import Ethereum
import Foundation
import Keys
import Market
import Support

/// A chain as one endpoint tells it to who reads an account's history.
struct WalletChain: Sendable {
    /// A transfer of a token.
    struct Transfer: Sendable {
        let (block, index): (UInt64, UInt64)
        let token: Address
        let (from, to): (Address, Address)
        let amount: UInt64
    }

    private struct Unknown: Error {}

    /// The balance from a block on.
    var balances: [UInt64: UInt64] = [:]
    /// The transactions of a block that move money.
    var payments: [UInt64: [(from: Address, to: Address, value: UInt64)]] = [:]
    var transfers: [Transfer] = []
    /// The most blocks of one `eth_getLogs`.
    var rangeMax = UInt64.max
    /// The blocks that are not given.
    var missing: Set<UInt64> = []
    /// What all blocks' hashes come from.
    var branch: UInt64 = 1
    var secondsLater: UInt64 = 0

    /// Answers a call, or a batch of calls.
    func answer(_ request: [UInt8]) throws -> [UInt8] {
        let asked = try JSONSerialization.jsonObject(with: Data(request))
        let answers: Any
        if let batch = asked as? [[String: Any]] {
            answers = try batch.map(answer)
        } else {
            answers = try answer(asked as? [String: Any] ?? [:])
        }
        return [UInt8](try JSONSerialization.data(withJSONObject: answers))
    }

    private func answer(_ call: [String: Any]) throws -> [String: Any] {
        let parameters = call["params"] as? [Any] ?? []
        var answer: [String: Any] = ["jsonrpc": "2.0", "id": call["id"] ?? 0]
        func block(_ place: Int) throws -> UInt64 { try Self.number(parameters[place]) }
        switch call["method"] as? String {
        case "eth_chainId": answer["result"] = "0x5"
        case "eth_getBalance": answer["result"] = Self.hex(balance(after: try block(1)))
        case "eth_getTransactionCount": answer["result"] = "0x0"
        case "eth_getBlockByNumber": answer["result"] = shape(ofBlock: try block(0)) ?? NSNull()
        case "eth_getTransactionReceipt":
            answer["result"] = receipt(of: parameters[0] as? String ?? "")
        case "eth_getLogs":
            let filter = parameters[0] as? [String: Any] ?? [:]
            let range = try Self.number(filter["fromBlock"])...Self.number(filter["toBlock"])
            guard UInt64(range.count) <= rangeMax else {
                answer["error"] = ["code": -32_000, "message": "range limit exceeded"]
                return answer
            }
            let isSent = (filter["topics"] as? [Any])?[1] is String
            answer["result"] =
                isSent ? [] : transfers.filter { range.contains($0.block) }.map(shape)
        default: throw Unknown()
        }
        return answer
    }

    private func balance(after block: UInt64) -> UInt64 {
        balances.filter { $0.key <= block }.max { $0.key < $1.key }?.value ?? 0
    }

    private func hash(_ block: UInt64) -> Bytes32 { Bytes32(words: branch, block, 0, 0) }

    private static func hash(of payment: Int, in block: UInt64) -> String {
        Bytes32(words: 9, block, UInt64(payment), 0).hex
    }

    private func shape(ofBlock block: UInt64) -> [String: Any]? {
        guard !missing.contains(block) else { return nil }
        let transactions = (payments[block] ?? []).enumerated().map { index, payment in
            [
                "hash": Self.hash(of: index, in: block), "from": payment.from.checksummed,
                "to": payment.to.checksummed, "value": Self.hex(payment.value),
            ]
        }
        return [
            "number": Self.hex(block), "hash": hash(block).hex,
            "parentHash": hash(block &- 1).hex,
            "timestamp": Self.hex(1_000 + block + secondsLater), "transactions": transactions,
        ]
    }

    private func receipt(of hash: String) -> Any {
        for (block, found) in payments {
            for index in found.indices where Self.hash(of: index, in: block) == hash {
                return [
                    "transactionHash": hash, "blockNumber": Self.hex(block),
                    "blockHash": self.hash(block).hex, "status": "0x1", "gasUsed": "0x1",
                    "effectiveGasPrice": "0x1", "contractAddress": NSNull(), "logs": [],
                ] as [String: Any]
            }
        }
        return NSNull()
    }

    private func shape(_ transfer: Transfer) -> [String: Any] {
        func topic(_ address: Address) -> String {
            "0x" + String(repeating: "0", count: 24) + Hex.encode(address.bytes)
        }
        return [
            "blockNumber": Self.hex(transfer.block), "blockHash": hash(transfer.block).hex,
            "logIndex": Self.hex(transfer.index),
            "transactionHash": Bytes32(words: transfer.block, transfer.index, 1, 1).hex,
            "address": transfer.token.checksummed,
            "topics": [
                TokenEvent.transferTopic.hex, topic(transfer.from), topic(transfer.to),
            ],
            "data": Bytes32(words: 0, 0, 0, transfer.amount).hex, "removed": false,
        ]
    }

    private static func hex(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }

    private static func number(_ value: Any?) throws -> UInt64 {
        guard let text = value as? String, let number = UInt64(text.dropFirst(2), radix: 16) else {
            throw Unknown()
        }
        return number
    }
}
