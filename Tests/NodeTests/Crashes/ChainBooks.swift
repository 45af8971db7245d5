import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing
import TradeSupport

/// What a development chain says of all that ever happened on it, read block by block.
struct ChainBooks {
    /// The receipts of every transaction, by sender.
    private var receipts: [Address: [Receipt]] = [:]
    /// How often the escrow logged each of its events.
    private(set) var events: [String: Int] = [:]
    private let client: ChainClient

    init(of harness: MarketHarness) async throws {
        client = ChainClient(
            chain: harness.market.chain,
            endpoints: [harness.dev.endpoint],
            transport: harness.transport,
            logger: quiet
        )
        let head = try #require(try await client.perform(.block(.latest)))
        for number in harness.market.item.firstBlock...head.number {
            for transaction in try await Self.transactions(in: number, of: harness.dev) {
                let receipt = try await client.perform(.receipt(of: transaction.hash))
                receipts[transaction.sender, default: []].append(try #require(receipt))
            }
        }
        let all = harness.market.item.firstBlock...head.number
        let filter = LogFilter(
            addresses: [harness.market.escrow],
            topics: EscrowContract.topics,
            firstBlock: all.lowerBound
        )
        for log in try await client.perform(.logs(filter, in: all)) {
            let topic = try #require(log.topics.first)
            let event = Artifact.escrow.interface.events.first { $0.topic == topic }
            events[try #require(event).name, default: 0] += 1
        }
    }

    /// How many transactions of an account were mined, with success and without.
    func count(of account: Address) -> (good: Int, bad: Int) {
        let all = receipts[account] ?? []
        let good = all.count { $0.isSuccess }
        return (good, all.count - good)
    }

    /// What an account had, with what it has paid in fees.
    func balanceWithoutFees(of account: Address) async throws -> String {
        let balance = try await client.perform(.balance(of: account)).amount
        return try (receipts[account] ?? []).reduce(balance) { sum, receipt in
            try #require(receipt.fee.flatMap(sum.adding))
        }.decimal
    }

    func balance(of token: Address, for account: Address) async throws -> String {
        try await client.ask(TokenContract(address: token).balance(of: account)).decimal
    }

    private static func transactions(
        in block: UInt64,
        of dev: DevChain
    ) async throws -> [(hash: Bytes32, sender: Address)] {
        struct Block: Decodable {
            struct Transaction: Decodable {
                let hash: String
                let from: String
            }
            let transactions: [Transaction]
        }
        struct Answer: Decodable {
            let result: Block
        }
        let number = "0x" + String(block, radix: 16)
        let text = try await dev.control("eth_getBlockByNumber", #"["\#(number)", true]"#)
        let answer = try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
        return try answer.result.transactions.map { transaction in
            let hash = try #require(Hex.decode(transaction.hash).flatMap { Bytes32($0) })
            return (hash, try Address(text: transaction.from))
        }
    }
}
