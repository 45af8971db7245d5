import Client
import Setup
import Support
import Testing

/// The calls about peers, homes and recovery, on two whole nodes without a chain.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct HomeCallTests {
    @Test func `an account can add a home for its mail and remove it`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path, flags: ["homes.accept": "anyone"]) { home in
            let (peer, address) = (home.running.peer, try #require(home.running.addresses.first))
            try await TestNode.run { node in
                let linked = try await node.asOperator {
                    try await $0.connect(PeerAddress(address: address))
                }
                #expect(linked.id == peer)
                let ana = try await node.signIn("ana")
                try await node.asking(ana) { client in
                    func others() async throws -> [String] {
                        try await client.recovery().homes.filter { $0.vault != "own" }.map(\.peer)
                    }
                    // The profile, which names the homes, is made by the node's next pass.
                    let report = try await waitFor {
                        let report = try await client.recovery()
                        return report.profile == nil ? nil : report
                    }
                    #expect(report.homes.map(\.vault) == ["own"] && !report.isLooking)
                    let added = try await client.addHome(HomeRequest(address: address))
                    #expect(added.peer == peer && !added.isThisNode)
                    #expect(try await client.homes().filter { !$0.isThisNode } == [added])
                    #expect(try await others() == [peer])

                    try await client.removeHome(peer)
                    #expect(try await client.homes().allSatisfy(\.isThisNode))
                    #expect(try await others().isEmpty)
                }
            }
        }
    }
}
