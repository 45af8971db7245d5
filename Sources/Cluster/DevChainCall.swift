import Concurrency
import Ethereum
import Foundation
import Keys

/// Calls of a chain's endpoint that no part of a node makes: whether it is up, and for play money.
struct DevChainCall: Sendable {
    let endpoint: String

    /// Returns whether it answers.
    func isUp() async -> Bool {
        do {
            _ = try await call("eth_chainId", "[]")
            return true
        } catch {
            return false
        }
    }

    /// Returns the answer with the newest block's number, as it is written.
    func head() async throws -> String { try await call("eth_blockNumber", "[]") }

    /// Has the development chain's faucet send an account some ether.
    func fund(_ address: String, ether: UInt64) async throws {
        guard let account = try? Address(text: address) else {
            throw ClusterError.badAddress(address)
        }
        let wei = try Self.wei(ether: ether)
        try await mine("dev_fund", #"["\#(account.checksummed)","\#(wei)"]"#)
    }

    /// Has the development chain's faucet make units of a test token for an account.
    func mint(_ units: UInt64, of token: Address, to receiver: String) async throws {
        guard let account = try? Address(text: receiver) else {
            throw ClusterError.badAddress(receiver)
        }
        let amount = "0x" + String(units, radix: 16)
        try await mine(
            "dev_fund",
            #"["\#(account.checksummed)","\#(amount)","\#(token.checksummed)"]"#
        )
    }

    /// Has the faucet send a transaction, and waits until it is mined.
    private func mine(_ method: String, _ parameters: String) async throws {
        let answer = try await call(method, parameters)
        guard let hash = answer.firstMatch(of: /"(0x[0-9a-fA-F]{64})"/)?.output.1 else {
            throw ClusterError.chainRefused(UntrustedText.line(answer))
        }
        let deadline = Deadline(after: .seconds(30), on: .system)
        while !deadline.hasPassed {
            let receipt = try await call("eth_getTransactionReceipt", #"["\#(hash)"]"#)
            if receipt.contains("blockNumber") { return }
            try await SystemMonotonicClock().wait(.milliseconds(100))
        }
        throw ClusterError.chainRefused("the faucet's transaction \(hash) is not mined")
    }

    /// Returns an amount of ether as wei, in hexadecimal; 10^18 wei make an ether.
    private static func wei(ether: UInt64) throws(ClusterError) -> String {
        guard (1...1_000_000).contains(ether) else { throw .badEther }
        let product = ether.multipliedFullWidth(by: 1_000_000_000_000_000_000)
        let low = String(product.low, radix: 16)
        guard product.high > 0 else { return "0x" + low }
        let padding = String(repeating: "0", count: 16 - low.count)
        return "0x" + String(product.high, radix: 16) + padding + low
    }

    private func call(_ method: String, _ parameters: String) async throws -> String {
        let body = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
        let url = endpoint
        let answer: [UInt8]
        do {
            answer = try await EndpointTransport.scoped { transport in
                try await transport.post(
                    [UInt8](body.utf8),
                    to: try Endpoint(url: url),
                    bytesMax: 1 << 20,
                    timeout: .seconds(10)
                )
            }
        } catch let error as RPCTransportError {
            throw ClusterError.chainAway(endpoint: url, reason: "\(error)")
        }
        if let failure = try? JSONDecoder().decode(Failure.self, from: Data(answer)) {
            throw ClusterError.chainRefused(UntrustedText.line(failure.error.message))
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// An answer that reports an error.
    private struct Failure: Decodable {
        let error: Reason

        struct Reason: Decodable {
            let message: String
        }
    }
}
