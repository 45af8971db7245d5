import Client
import Foundation
import Support
import Testing

@testable import CLI

/// What `stoa status` shows.
struct StatusTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    private static func node(chains: [ChainStatus]) -> NodeStatus {
        NodeStatus(
            version: "1",
            network: "stoa",
            peer: "16U",
            listenAddresses: [],
            peers: 1,
            records: 0,
            chains: chains
        )
    }

    private static func step(_ about: String, until: Date? = nil) -> WaitingStep {
        WaitingStep(
            until: until,
            asOf: time,
            about: about,
            step: "Review it",
            command: "stoa review write 5a --stars 5"
        )
    }

    @Test func `a node without a market says how to join or open one`() {
        let text = StatusText.text(StatusReport(node: Self.node(chains: []), accounts: []))
        #expect(
            text.hasPrefix("node       ready, in no market, one peer\nnext       Join a market:")
        )
        #expect(text.contains("Open a market: stoa chain deploy"))
        #expect(text.hasSuffix("account    none yet: stoa account create NAME"))
    }

    @Test func `names what waits for each account`() {
        let chain = ChainStatus(
            chain: 7,
            health: "stale",
            detail: "No block for an hour.",
            head: 9,
            headTime: nil,
            item: "0x1",
            contracts: []
        )
        let accounts = [
            ("ana", true, [Self.step("Lamp", until: Self.time + 61)]), ("bo", false, []),
        ]
        let report = StatusReport(
            node: Self.node(chains: [chain]),
            accounts: accounts.map { name, isDefault, waiting in
                StatusReport.SignedIn(
                    name: name,
                    address: "0x1",
                    isDefault: isDefault,
                    until: Self.time,
                    waiting: waiting
                )
            }
        )
        #expect(
            StatusText.text(report) == """
                node       chain 7 stale at block 9 (No block for an hour.), one peer
                account    ana (0x1), the default
                           until 2027-01-15 08:01:01Z, 00:01:01 left: Lamp. Review it: stoa review \
                write 5a --stars 5
                account    bo (0x1)
                           Nothing waits.
                """
        )
        let nobody = StatusReport(node: Self.node(chains: [chain]), accounts: [])
        #expect(StatusText.text(nobody, others: ["ana"]).hasSuffix("stoa account sign-in ana"))
    }

    @Test func `stoa alone shows the status, and in a new folder how to begin`() throws {
        let folder = try TemporaryFolder()
        for words in [[], ["status"]] as [[String]] {
            let outcome = try Program(folder: folder.path("none")).run(all: words)
            #expect(outcome.code == 0, "\(outcome.words)")
            #expect(outcome.out.hasPrefix("There is no node in \(folder.path("none")) yet."))
            #expect(outcome.out.contains("stoa init --market FILE"))
        }
    }

    @Test func `asks a node a few times only`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        try await ScriptedServer.scoped(answer: document.good) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let outcome = try stoa.run("status", "--node", node.description)
            #expect(outcome.code == 0, "\(outcome.words)")
            #expect(server.requests.count <= 14, "\(server.requests.map(\.uri))")
        }
    }

    @Test func `a new folder warns of the risk once`() throws {
        let folder = try TemporaryFolder()
        let stoa = Program(folder: folder.path("new"))
        let first = try stoa.run("init")
        #expect(first.code == 0 && first.out.contains(InitCommand.warning), "\(first.out)")
        let again = try stoa.run("init")
        #expect(again.code == 0 && !again.out.contains("afford to lose"), "\(again.out)")
    }
}
