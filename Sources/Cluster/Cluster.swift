import Client
import Concurrency
import Foundation
import Keys
package import Logging
import Setup
import Trade

/// A whole market on one machine: a chain and some nodes, each in its own process.
///
/// One folder contains all its state, and its processes are found in the process table. So every
/// command can be repeated after any interruption, and continues where it stopped.
package struct Cluster: Sendable {
    /// The chain that the nodes trade on.
    package enum ChainSource: Sendable {
        /// Started by a command that takes `--port` and `--state`, as `Scripts/devchain` does.
        case command([String])
        /// Runs already; the key in the file pays for the contracts.
        case endpoint(String, chain: UInt64, keyFile: String)
    }

    package let folder: String
    package let plan: ClusterPlan
    /// The program `stoa` that runs now, whatever a file may name.
    let executable: String
    /// The source of the chain; `nil` if the caller does not name one.
    let chainSource: ChainSource?
    /// Whether a market that is deployed now accepts a token of play money, too.
    package var hasTestToken = false
    let logger: Logger

    /// Makes the same cluster with another plan.
    init(_ other: Cluster, plan: ClusterPlan) {
        (folder, executable, chainSource) = (other.folder, other.executable, other.chainSource)
        (hasTestToken, logger) = (other.hasTestToken, other.logger)
        self.plan = plan
    }

    static func planFile(_ folder: String) -> String { folder + "/cluster.json" }
    package var deploymentFile: String { folder + "/deployment.json" }
    /// The settings with which a user's own node starts to join.
    package var marketFile: String { folder + "/market.yaml" }
    var deployerFile: String { folder + "/deployer.key" }
    private var chainLog: String { folder + "/chain.log" }

    /// Loads the cluster of a folder.
    ///
    /// - Throws: ``ClusterError/none(folder:)`` if there is none, and
    ///   ``ClusterError/notOwn(path:reason:)`` for one that somebody else made or can change.
    package init(folder: String, executable: String, logger: Logger) throws(ClusterError) {
        try self.init(folder: folder, executable: executable, source: nil, logger: logger)
    }

    private init(
        folder: String,
        executable: String,
        source: ChainSource?,
        logger: Logger
    ) throws(ClusterError) {
        let path = Self.planFile(folder)
        guard unsafe access(path, F_OK) == 0 else {
            guard errno != EACCES else {
                throw .notOwn(path: folder, reason: "this user may not read it")
            }
            throw .none(folder: folder)
        }
        try OwnPath.check(folder)
        try OwnPath.check(path)
        do {
            plan = try JSONDecoder().decode(ClusterPlan.self, from: try ClusterFile.read(path))
        } catch {
            throw .damaged(path: path)
        }
        guard plan.isWithin(folder) else { throw .damaged(path: path) }
        for member in plan.members where FileManager.default.fileExists(atPath: member.folder) {
            try OwnPath.check(member.folder)
        }
        (self.folder, self.executable, self.chainSource) = (folder, executable, source)
        self.logger = logger
    }

    /// Loads the cluster of a folder, or plans one there; starts nothing.
    ///
    /// - Parameters:
    ///   - folder: The folder of the cluster.
    ///   - wanted: The number of nodes. An existing cluster gets more, or loses those with the
    ///     highest numbers, which are stopped; `nil` leaves it as it is.
    ///   - executable: The program `stoa`.
    ///   - source: The chain.
    ///   - logger: Records failures.
    /// - Throws: ``ClusterError``
    package init(
        folder: String,
        nodes wanted: Int?,
        executable: String,
        chain source: ChainSource?,
        logger: Logger
    ) async throws {
        if let wanted, !(1...ClusterPlan.nodesMax).contains(wanted) {
            throw ClusterError.badSize(max: ClusterPlan.nodesMax)
        }
        if FileManager.default.fileExists(atPath: Self.planFile(folder)) {
            let known = try Cluster(
                folder: folder,
                executable: executable,
                source: source,
                logger: logger
            )
            if try known.fits(source) {
                self = try await known.resized(to: wanted ?? known.plan.members.count)
                return
            }
            guard await !known.hasSignedForMarket else {
                let endpoint = known.plan.chain.endpoint
                throw ClusterError.begunElsewhere(folder: folder, endpoint: endpoint)
            }
            try await known.forget()
        }
        let nodes = wanted ?? ClusterPlan.nodesStandard
        guard let source else { throw ClusterError.noChain }
        try source.check()
        try ClusterFile.makeFolder(folder)
        try OwnPath.check(folder)
        let ports = try await FreePorts.find(3 * nodes + 1)
        (self.folder, self.executable, self.chainSource) = (folder, executable, source)
        self.logger = logger
        plan = ClusterPlan(
            chain: Self.chain(source, folder: folder, port: ports[3 * nodes]),
            members: Self.members(nodes, in: folder, on: ports)
        )
        if case .endpoint(_, _, let keyFile) = source {
            let text = try ClusterFile.read(keyFile)
            try ClusterFile.write(text, to: deployerFile)
        }
        try ClusterFile.write(try JSONEncoder().encode(plan), to: Self.planFile(folder))
    }

    /// Returns new nodes, numbered after `last`, with three ports each.
    static func members(
        _ count: Int,
        after last: Int = 0,
        in folder: String,
        on ports: [Int]
    ) -> [ClusterPlan.Member] {
        (0..<count).map { index in
            ClusterPlan.Member(
                number: last + index + 1,
                folder: ClusterPlan.folder(ofNode: last + index + 1, in: folder),
                listenPort: ports[3 * index],
                apiPort: ports[3 * index + 1],
                healthPort: ports[3 * index + 2]
            )
        }
    }

    private static func chain(
        _ source: ChainSource,
        folder: String,
        port: Int
    ) -> ClusterPlan.Chain {
        switch source {
        case .command(let command):
            let state = ["--port", "\(port)", "--state", ClusterPlan.chainState(in: folder)]
            return ClusterPlan.Chain(
                id: 31_337,
                endpoint: "http://127.0.0.1:\(port)",
                command: command + state
            )
        case .endpoint(let endpoint, let chain, _):
            return ClusterPlan.Chain(id: chain, endpoint: endpoint, command: nil)
        }
    }

    /// Starts the missing parts: chain, contracts, nodes; returns when all nodes see each other.
    ///
    /// If it fails before there is a market, it stops the processes that it started and removes
    /// their files, except those needed to finish a partly paid market.
    ///
    /// - Parameters:
    ///   - patience: How long a chain can take for a block before it counts as one that mines only
    ///     what it is sent.
    ///   - agree: Called with what a key with money of its own would sign, in words, before it
    ///     signs; throws to sign nothing. Not called on a development chain.
    ///   - tell: Called with progress messages for people.
    /// - Throws: ``ClusterError``, and what `agree` throws.
    package func up(
        patience: Duration = .seconds(30),
        agree: @escaping @Sendable (String) throws -> Void,
        tell: @Sendable (String) -> Void
    ) async throws {
        do {
            try await startChain(tell: tell)
            try await deploy(patience: patience, agree: agree, tell: tell)
        } catch {
            // Without a source, it was another call that began it.
            if !isDeployed, chainSource != nil, await !hasSignedForMarket { try await forget() }
            throw error
        }
        for member in plan.members {
            try prepare(member)
            try await start(member.number)
            tell("node \(member.number) answers at \(member.api)")
        }
        let others = plan.members.count - 1
        for member in plan.members {
            try await wait(for: member, until: "it sees \(others) peers") { $0.peers >= others }
        }
        if others > 0 { tell("all \(plan.members.count) nodes see each other") }
        let settings = try plan.settingsToJoin(deployment: deploymentFile)
        try ClusterFile.write(Data(settings.utf8), to: marketFile)
        tell("a node of your own joins with: stoa init --market \(marketFile)")
    }

    /// Starts one node, or finds it running, and waits until its API and its chain are ready.
    package func start(_ number: Int) async throws {
        let member = try member(number)
        if try find(member).isEmpty {
            try DetachedProcess.start([executable] + member.arguments, log: member.log)
        }
        try await wait(for: member, until: "its chain is ready") { status in
            status.chains.contains { $0.health == "ready" }
        }
    }

    /// Stops one node.
    ///
    /// - Returns: Whether it was running.
    @discardableResult
    package func stop(_ number: Int) async throws -> Bool {
        let processes = try find(try member(number))
        return try await DetachedProcess.end(processes, patience: .seconds(15))
    }

    /// Returns the processes that run a node.
    ///
    /// - Throws: ``ClusterError/otherProgram(process:path:)`` if one of them runs another program.
    func find(_ member: ClusterPlan.Member) throws(ClusterError) -> [DetachedProcess.Found] {
        let found = DetachedProcess.find(endingWith: member.arguments)
        for process in found {
            if let other = process.program(otherThan: executable) {
                throw .otherProgram(process: process.number, path: other)
            }
        }
        return found
    }

    /// Stops every node, and the chain if the cluster started it.
    package func down() async throws {
        for member in plan.members.reversed() { try await stop(member.number) }
        if let command = plan.chain.command {
            let processes = DetachedProcess.find(endingWith: Array(command.suffix(4)))
            try await DetachedProcess.end(processes, patience: .seconds(10))
        }
    }

    private func startChain(tell: @Sendable (String) -> Void) async throws {
        let chain = DevChainCall(endpoint: plan.chain.endpoint)
        guard let command = plan.chain.command else { return }
        let state = Array(command.suffix(4))
        if DetachedProcess.find(endingWith: state).isEmpty {
            guard case .command(let words) = chainSource else {
                throw ClusterError.chainStopped(folder: folder)
            }
            try DetachedProcess.start(words + state, log: chainLog)
        }
        let deadline = Deadline(after: .seconds(120), on: .system)
        while await !chain.isUp() {
            guard !DetachedProcess.find(endingWith: state).isEmpty else {
                throw ClusterError.ended(
                    name: "The chain",
                    log: chainLog,
                    tail: ClusterFile.tail(chainLog)
                )
            }
            guard !deadline.hasPassed else {
                let reason = "it does not answer"
                throw ClusterError.notReady(name: "The chain", reason: reason, log: chainLog)
            }
            try await SystemMonotonicClock().wait(.milliseconds(100))
        }
        tell("chain \(plan.chain.id) answers at \(plan.chain.endpoint)")
    }

    private func deploy(
        patience: Duration,
        agree: @escaping @Sendable (String) throws -> Void,
        tell: @Sendable (String) -> Void
    ) async throws {
        guard !isDeployed else {
            if hasTestToken { _ = try testToken() }
            return
        }
        try await requireBlocks(within: patience, tell: tell)
        let deployer = SecretKeyFile(path: deployerFile)
        if plan.chain.command != nil {
            try deployer.make()
            try await fund(try deployer.key().address.checksummed, ether: 100)
        }
        var deploy = ChainDeploy(
            chain: plan.chain.id,
            endpoints: [plan.chain.endpoint],
            keyFile: deployerFile,
            output: deploymentFile
        )
        deploy.pollInterval = .milliseconds(250)
        if hasTestToken { deploy.testTokens = [Self.playMoney] }
        let isPlay = plan.chain.command != nil
        let market = try await deploy.run(logger: logger, agree: { if !isPlay { try agree($0) } })
        tell(
            "contracts deployed: "
                + market.contractNames.map { "\($0.name) \($0.address)" }.joined(separator: ", ")
        )
    }

    private func prepare(_ member: ClusterPlan.Member) throws {
        let folder = DataFolder(path: member.folder)
        try folder.initialise()
        let bootstrap =
            member.number == 1 ? [] : [try plan.members[0].multiaddr()]
        let settings = member.settings(
            chain: plan.chain,
            deployment: deploymentFile,
            bootstrap: bootstrap
        )
        try ClusterFile.write(Data(settings.utf8), to: folder.configurationFile)
    }

    private func member(_ number: Int) throws(ClusterError) -> ClusterPlan.Member {
        guard plan.members.indices.contains(number - 1) else {
            throw .noNode(number, nodes: plan.members.count)
        }
        return plan.members[number - 1]
    }
}
