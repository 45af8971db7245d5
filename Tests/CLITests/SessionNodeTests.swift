import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Which node sees a token: the one that issued it, and no other.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SessionNodeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let wallet =
        #"{"account":"0x1","chain":1,"balances":[],"credits":[],"locked":[],"currencies":[]}"#

    /// Signs ana in at `node`; the folder's own node is at `own`.
    private func program(signedInAt node: NodeAddress, own: NodeAddress) throws -> Program {
        try Program.signedIn(at: node, own: own, in: folder.path("data"))
    }

    /// - From commands: a session used with another node than the one that issued it → exit 9
    @Test func `sends a session's token only to the node that issued it`() async throws {
        try await ScriptedServer.scoped(answer: { _, _ in .json(200, Self.wallet) }) {
            issuer,
            asked in
            try await ScriptedServer.scoped(answer: { _, _ in .json(200, "[]") }) { own, others in
                let stoa = try program(signedInAt: issuer, own: own)
                let balance = try stoa.run("wallet", "balance")
                #expect(balance.code == 0, "\(balance.words)")
                #expect(asked.requests.contains { $0.token?.hasSuffix("secret") == true })
                #expect(others.requests.isEmpty)

                let elsewhere = try stoa.run("wallet", "balance", "--node", own.description)
                #expect(elsewhere.code == 9, "\(elsewhere.words)")
                #expect(elsewhere.words.contains("is signed in at \(issuer), not at \(own)"))
                // What needs no account is asked without a token.
                let chains = try stoa.run("chain", "status", "--node", own.description)
                #expect(chains.code == 0, "\(chains.words)")
                #expect(others.requests.map(\.uri) == ["/v1/currencies", "/v1/chains"])
                #expect(others.requests.allSatisfy { $0.token == nil })
            }
        }
    }

    /// - From commands: a session at an address where no node answers, while the folder's node is
    ///   elsewhere → exit 9
    @Test func `a session at a port without a node must be renewed`() async throws {
        try await ScriptedServer.scoped(answer: { _, _ in .json(200, Self.wallet) }) { own, asked in
            let gone = NodeAddress(host: "127.0.0.1", port: 1)
            let stoa = try program(signedInAt: gone, own: own)
            let balance = try stoa.run("wallet", "balance")
            #expect(balance.code == 9, "\(balance.words)")
            #expect(balance.words.contains("sign in there with 'stoa account sign-in ana'"))
            #expect(asked.requests.isEmpty)
        }
    }

    /// - From commands: events of an unknown type → exit 2
    @Test func `refuses events of an unknown type and reports a missing node`() async throws {
        let gone = NodeAddress(host: "127.0.0.1", port: 1)
        let stoa = try program(signedInAt: gone, own: gone)
        let unknown = try stoa.run("events", "--type", "deadlin")
        #expect(unknown.code == 2, "\(unknown.words)")
        #expect(unknown.words.contains("The types are listing, sale, message"))
        for command in [["events"], ["chat", "watch"]] {
            let away = try stoa.run(all: command)
            #expect(away.code == 7, "\(command): \(away.words)")
            #expect(away.words.contains("No node answers at \(gone)"))
        }
    }
}
