import Client
import Support

extension StoaClient {
    /// Waits until the node shows what its account was given.
    func waitUntilFunded(on chain: UInt64? = nil) async throws {
        try await waitUntil { try await wallet(chain: chain).balances.first?.amount != "0" }
    }
}
