import Cluster
import Ethereum
import Foundation
import Keys
import Logging
import Market
import Setup
import Storage
import Support
import Testing
import Trade

/// What a try to make a market leaves behind if it was paid for on a chain of others.
struct ClusterPaymentTests {
    private static let key = testKey(1)
    /// - From commands: `cluster up` with another chain or key while a market is partly paid for →
    ///   exit 2
    @Test func `keeps a plan whose contracts have been paid for`() async throws {
        let folder = try TemporaryFolder()
        let (market, keyFile) = (folder.path("market"), folder.path("key"))
        try PrivateFile.write(Self.key.hexadecimalLine(), to: keyFile)
        // Nothing was signed: what was begun with a wrong endpoint gives way.
        let first = try await planned(market, "http://127.0.0.1:1", keyFile)
        await #expect(throws: (any Error).self) { try await Self.up(first) }
        #expect(throws: ClusterError.none(folder: market)) { try Self.found(market) }

        let second = try await planned(market, "http://127.0.0.1:1", keyFile)
        try await sign(in: market)
        await #expect(throws: (any Error).self) { try await Self.up(second) }
        #expect(try Self.found(market).plan == second.plan)
        let begun = ClusterError.begunElsewhere(folder: market, endpoint: "http://127.0.0.1:1")
        await #expect(throws: begun) { try await planned(market, "http://127.0.0.1:2", keyFile) }
        let again = try await planned(market, "http://127.0.0.1:1", keyFile)
        #expect(again.plan == second.plan)
    }

    /// What an earlier run leaves that was ended after its first transaction.
    private func sign(in market: String) async throws {
        let intent = Intent(
            id: IntentID(Bytes32(repeating: 1)),
            purpose: "deploy",
            steps: [Intent.Step(to: nil, data: [1])]
        )
        let attempt = SignedAttempt(
            kind: .original,
            nonce: 0,
            pricing: .legacy(gasPrice: Amount(small: 1)),
            hash: Bytes32(repeating: 2),
            raw: [1]
        )
        let store = try Store(folder: market + "/deployment.json.journal")
        let journal = LMDBTransactionJournal(store: store)
        let slot = SendSlot(intent: intent.id, step: 0)
        for event in [JournalEntry.Event.intentRecorded(intent), .signed(attempt)] {
            try await journal.append(
                JournalEntry(slot, event),
                account: Self.key.address,
                chain: ChainID(31_337)
            )
        }
    }

    private func planned(
        _ folder: String,
        _ endpoint: String,
        _ keyFile: String
    ) async throws -> Cluster {
        try await Cluster(
            folder: folder,
            nodes: 1,
            executable: "/bin/true",
            chain: .endpoint(endpoint, chain: 31_337, keyFile: keyFile),
            logger: quiet
        )
    }

    private static func up(_ cluster: Cluster) async throws {
        try await cluster.up(patience: .seconds(1), agree: { _ in }, tell: { _ in })
    }

    private static func found(_ folder: String) throws -> Cluster {
        try Cluster(folder: folder, executable: "/bin/true", logger: quiet)
    }
}
