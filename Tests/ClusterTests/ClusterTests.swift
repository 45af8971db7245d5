import Client
import Cluster
import Foundation
import Logging
import Setup
import Support
import Testing

/// Real processes: the development chain, which Scripts/setup prepares, and nodes of the program
/// beside these tests.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ClusterTests {
    /// - From commands: `cluster fund --tokens`, or `cluster up --test-token` again, if the market
    ///   has no test token → exit 2
    @Test func `starts, loses a node, restarts it and stops without a trace`() async throws {
        let folder = try TemporaryFolder()
        let cluster = try await Cluster(
            folder: folder.path("market"),
            nodes: 2,
            executable: Self.program,
            chain: .command([Self.python, Self.chain, "--block-time", "0.2"]),
            logger: quiet
        )
        do {
            try await cluster.up(agree: { _ in }, tell: { _ in })
            let up = await cluster.report()
            #expect(up.isChainUp)
            #expect(up.members.allSatisfy { $0.status?.peers == 1 })
            #expect(up.members.allSatisfy { $0.status?.chains.first?.health == "ready" })

            #expect(try await cluster.stop(2))
            #expect(try await !cluster.stop(2))
            #expect(await cluster.report().members.map { $0.process != nil } == [true, false])

            // Another process of the command finds the same cluster, and starts what is missing.
            let found = try Self.found(folder.path("market"))
            try await found.up(agree: { _ in }, tell: { _ in })
            let again = await found.report()
            #expect(again.members[0].process == up.members[0].process)
            #expect(again.members[1].process != nil)
            #expect(again.members[1].status?.peer == up.members[1].status?.peer)
            try await grow(cluster, in: folder.path("market"))
        } catch {
            try await cluster.down()
            throw error
        }
        try await cluster.down()
        let down = await cluster.report()
        #expect(!down.isChainUp)
        #expect(down.members.allSatisfy { $0.process == nil })
    }

    /// It gets a node, finds an account there by its name, and loses the node again.
    private func grow(_ cluster: Cluster, in folder: String) async throws {
        let three = try await Cluster(
            folder: folder,
            nodes: 3,
            executable: Self.program,
            chain: nil,
            logger: quiet
        )
        try await three.up(agree: { _ in }, tell: { _ in })
        let members = await three.report().members
        #expect(members.map { $0.status?.peers } == [2, 2, 2])
        #expect(members.dropLast().map(\.api) == cluster.plan.members.map(\.api))

        let node = try NodeAddress(text: members[2].api)
        let address = try await StoaClient.scoped(node) { client in
            let creation = AccountCreation(name: "Anna", password: "correct horse")
            return try await client.createAccount(creation).account.address
        }
        #expect(try await three.fund("anna", ether: 1) == address)
        await #expect(throws: ClusterError.badAddress("bob")) {
            try await three.fund("bob", ether: 1)
        }
        let two = try await Cluster(
            folder: folder,
            nodes: 2,
            executable: Self.program,
            chain: nil,
            logger: quiet
        )
        await #expect(throws: ClusterError.noTestToken(folder: folder)) {
            try await two.fund(address, tokens: 1)
        }
        #expect(two.plan.members == cluster.plan.members)
        #expect(await three.report().members.map { $0.process != nil } == [true, true, false])
    }

    /// - From commands: a cluster on a chain that mines only when it is sent transactions → exit 7
    @Test func `reports a chain that mines only on demand, and leaves nothing`() async throws {
        let folder = try TemporaryFolder()
        let market = folder.path("market")
        let cluster = try await Cluster(
            folder: market,
            nodes: 1,
            executable: Self.program,
            chain: .command([Self.python, Self.chain]),
            logger: quiet
        )
        let endpoint = cluster.plan.chain.endpoint
        let patience = Duration.seconds(2)
        await #expect(throws: ClusterError.noBlocks(endpoint: endpoint, patience: patience)) {
            try await cluster.up(patience: patience, agree: { _ in }, tell: { _ in })
        }
        #expect(throws: ClusterError.none(folder: market)) { try Self.found(market) }
        #expect(await !cluster.report().isChainUp)
    }

    @Test func `reports a folder without a cluster, a bad size and no chain`() async throws {
        let folder = try TemporaryFolder()
        #expect(throws: ClusterError.none(folder: folder.path)) {
            try Self.found(folder.path)
        }
        _ = await #expect(throws: ClusterError.noChain) {
            try await planned(folder, nodes: 2, chain: nil)
        }
        _ = await #expect(throws: ClusterError.badSize(max: 32)) {
            try await planned(folder, nodes: 33, chain: .command(["none"]))
        }
        _ = try await planned(folder, nodes: 2, chain: .command(["none"]))
        _ = await #expect(throws: ClusterError.badSize(max: 32)) {
            try await planned(folder, nodes: 0, chain: .command(["none"]))
        }
        let grown = try await planned(folder, nodes: 3, chain: .command(["none"]))
        #expect(grown.plan.members.count == 3)
        let ports = grown.plan.members.flatMap { [$0.listenPort, $0.apiPort, $0.healthPort] }
        #expect(Set(ports).count == 9)
        #expect(try Self.found(folder.path).plan == grown.plan)
    }

    @Test func `signs nothing with a key file that others may read`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("key")
        let isMade = FileManager.default.createFile(
            atPath: path,
            contents: Data(String(repeating: "1", count: 64).utf8),
            attributes: [.posixPermissions: 0o644]
        )
        #expect(isMade)
        let deploy = ChainDeploy(
            chain: 1,
            endpoints: ["http://127.0.0.1:1"],
            keyFile: path,
            output: folder.path("deployment.json")
        )
        let reason = "others can read it; run 'chmod 600' on it"
        _ = await #expect(throws: ClusterError.badKeyFile(path: path, reason: reason)) {
            try await deploy.run(logger: quiet, agree: { _ in })
        }
    }

    /// - From commands: a cluster's folder or plan that other users may write → exit 4
    @Test(arguments: [0o770, 0o707, 0o777])
    func `does not use a folder or plan that others may write`(mode: Int) async throws {
        let folder = try TemporaryFolder()
        _ = try await planned(folder, nodes: 1, chain: .command(["none"]))
        for (path, good) in [(folder.path, 0o700), (folder.path("cluster.json"), 0o600)] {
            try Self.set(mode, of: path)
            let error = #expect(throws: ClusterError.self) { try Self.found(folder.path) }
            #expect("\(try #require(error))".hasPrefix(path + " is not used: others can write it"))
            await #expect(throws: ClusterError.self) {
                try await planned(folder, nodes: 1, chain: .command(["none"]))
            }
            try Self.set(good, of: path)
        }
        #expect(try Self.found(folder.path).plan.members.count == 1)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"),
            withDestinationPath: folder.path
        )
        #expect(throws: ClusterError.self) { try Self.found(folder.path("link")) }
    }

    /// - From commands: a cluster's folder or plan of another user → exit 4
    @Test(.enabled(if: geteuid() == 0, "only root can give a folder to another"))
    func `does not use a folder of another user`() async throws {
        let folder = try TemporaryFolder()
        _ = try await planned(folder, nodes: 1, chain: .command(["none"]))
        for path in [folder.path("cluster.json"), folder.path] {
            #expect(unsafe chown(path, 65_534, 65_534) == 0)
            #expect(throws: ClusterError.notOwn(path: path, reason: "it belongs to another user")) {
                try Self.found(folder.path)
            }
            #expect(unsafe chown(path, 0, 0) == 0)
        }
    }

    /// - From commands: a cluster whose chain does not run, without a command to start it → exit 2
    /// - From commands: a plan that names folders outside its own → exit 4
    @Test func `neither touches nor runs anything outside the plan's folder`() async throws {
        let folder = try TemporaryFolder()
        let script = folder.path("script")
        let mark = folder.path("ran")
        let text = "#!/bin/sh\necho \"$@\" >> \(mark)\nexit 1\n"
        let isMade = FileManager.default.createFile(
            atPath: script,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o700]
        )
        #expect(isMade)
        _ = try await planned(folder, nodes: 1, chain: .command([script]))
        let file = folder.url.appending(path: "cluster.json")
        let plan = try String(contentsOf: file, encoding: .utf8)
        // A plan of an earlier version named its program.
        try PrivateFile.write(
            (plan.dropLast() + #","executable":"\#(script)"}"#).utf8,
            to: file.path
        )
        let cluster = try Self.found(folder.path)
        await #expect(throws: ClusterError.chainStopped(folder: folder.path)) {
            try await cluster.up(agree: { _ in }, tell: { _ in })
        }
        #expect(!FileManager.default.fileExists(atPath: mark))

        let escaped = folder.path.replacing("/", with: "\\/")
        for (own, other) in [("node-1", "..\\/node-1"), ("chain.sqlite", "..\\/chain.sqlite")] {
            let other = plan.replacing(escaped + "\\/" + own, with: escaped + "\\/" + other)
            #expect(other != plan)
            try PrivateFile.write(other.utf8, to: file.path)
            #expect(throws: ClusterError.damaged(path: file.path)) { try Self.found(folder.path) }
        }
    }

    private static func found(_ folder: String) throws -> Cluster {
        try Cluster(folder: folder, executable: program, logger: quiet)
    }

    private static func set(_ mode: Int, of path: String) throws {
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func planned(
        _ folder: TemporaryFolder,
        nodes: Int,
        chain: Cluster.ChainSource?
    ) async throws -> Cluster {
        try await Cluster(
            folder: folder.path,
            nodes: nodes,
            executable: Self.program,
            chain: chain,
            logger: quiet
        )
    }

    private static let python = projectRoot.appending(path: ".venv/bin/python").path
    private static let chain = projectRoot.appending(path: "Scripts/devchain/main.py").path
    private static let program = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
        .deletingLastPathComponent().appending(path: "stoa").path
}
