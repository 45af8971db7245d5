import Contracts
import Foundation

/// Asks a chain's endpoint what no subsystem of a node asks: how it is, and for play money.
struct DevChainCall: Sendable {
    let endpoint: String

    /// Whether it answers.
    func isUp() async -> Bool {
        do {
            _ = try await call("eth_chainId", "[]")
            return true
        } catch {
            return false
        }
    }

    /// Has the development chain's faucet send an account some ether.
    func fund(_ address: String, ether: UInt64) async throws {
        let wei = try Self.wei(ether: ether)
        let answer = try await call("dev_fund", #"["\#(address)","\#(wei)"]"#)
        guard let hash = answer.firstMatch(of: /"(0x[0-9a-fA-F]{64})"/)?.output.1 else {
            throw ClusterError.chainRefused(answer)
        }
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            let receipt = try await call("eth_getTransactionReceipt", #"["\#(hash)"]"#)
            if receipt.contains("blockNumber") { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw ClusterError.chainRefused("the faucet's transaction \(hash) is not mined")
    }

    /// 10^18 wei make an ether; the number is written in hexadecimal.
    private static func wei(ether: UInt64) throws(ClusterError) -> String {
        guard ether <= 1_000_000 else { throw .chainRefused("a million ether at most") }
        let product = ether.multipliedFullWidth(by: 1_000_000_000_000_000_000)
        let low = String(product.low, radix: 16)
        guard product.high > 0 else { return "0x" + low }
        let padding = String(repeating: "0", count: 16 - low.count)
        return "0x" + String(product.high, radix: 16) + padding + low
    }

    private func call(_ method: String, _ parameters: String) async throws -> String {
        let body = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
        let url = endpoint
        let answer = try await HTTPTransport.scoped { transport in
            try await transport.post(
                [UInt8](body.utf8),
                to: try Endpoint(url: url),
                bytesMax: 1 << 20,
                timeout: .seconds(10)
            )
        }
        let text = String(decoding: answer, as: UTF8.self)
        guard !text.contains(#""error""#) else { throw ClusterError.chainRefused(text) }
        return text
    }
}
