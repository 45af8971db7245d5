import Concurrency
package import Foundation
package import GossipProtocol
package import Keys
package import Mail
package import Market
import Records
package import Storage
package import Support
import Synchronization
import Testing

/// Nodes that chat over links in memory, by a clock that the test turns.
///
/// Records reach every node that is up when they are published; one that comes up later gets what
/// it missed, as if they were of accounts with a sale, unless a test says otherwise.
package final class ChatHarness: Sendable {
    /// A node's links while it is up.
    struct Service: Sendable {
        let links: MemoryLinks
        /// Finished to end it, and when it has ended.
        let stop = BoundedQueue<Void>(elementsMax: 1)
        let ended = BoundedQueue<Void>(elementsMax: 1)

        /// Serves until told to stop.
        func run() async {
            await withTaskGroup { group in
                group.addTask {
                    // Links in memory end by being cancelled and in no other way.
                    try? await links.run()
                }
                group.addTask { _ = await stop.receive() }
                await group.next()
                group.cancelAll()
            }
            ended.finish()
        }
    }

    private struct State {
        var up: [String: ChatNode] = [:]
        var records: [[UInt8]] = []
    }

    package let network = MemoryNetwork()
    package let clock = TurnedClock()
    package let chain = ChatChain()
    private let served = BoundedQueue<Service>(elementsMax: 64)
    private let state = Mutex(State())

    /// Serves the nodes' links while `body` works with them.
    package static func run(_ body: (ChatHarness) async throws -> Void) async throws {
        let harness = ChatHarness()
        try await withThrowingTaskGroup { group in
            group.addTask {
                await withDiscardingTaskGroup { tasks in
                    while let service = await harness.served.receive() {
                        tasks.addTask { await service.run() }
                    }
                    tasks.cancelAll()
                }
            }
            try await body(harness)
            group.cancelAll()
        }
    }

    /// Ana on node one and Bo on node two, who know each other, and accept each other's mail
    /// unless they are `strangers`.
    package static func pair(
        withThird: Bool = false,
        limits: StoreLimits = StoreLimits(),
        fault: Store.FaultHook? = nil,
        settings: ChatSettings = ChatSettings(network: "test", deviceName: "test"),
        acceptsHomes: Bool = true,
        strangers: Bool = false,
        _ body: (ChatHarness, ChatNode, ChatNode, Address, Address) async throws -> Void
    ) async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder()]
        try await run { harness in
            if withThird {
                _ = try await harness.start("three", in: folders[2], acceptsHomes: acceptsHomes)
            }
            let one = try await harness.start(
                "one",
                in: folders[0],
                limits: limits,
                fault: fault,
                settings: settings
            )
            let two = try await harness.start("two", in: folders[1], settings: settings)
            let ana = try await one.createAccount("ana")
            let bo = try await two.createAccount("bo")
            if !strangers {
                try await one.chat.accept(bo, by: ana)
                try await two.chat.accept(ana, by: bo)
            }
            await harness.runAll()
            try await body(harness, one, two, ana, bo)
        }
    }

    /// Settings with which an account that comes with its phrase does not wait for its profile.
    package static let settings = {
        var settings = ChatSettings(network: "test", deviceName: "test")
        (settings.recoveryPatience, settings.recoveryAlone) = (.zero, .zero)
        return settings
    }()

    /// Starts a node; a name's second start finds its folder again where that is handed in.
    package func start(
        _ name: String,
        in folder: TemporaryFolder,
        acceptsHomes: Bool = true,
        getsMissed: Bool = true,
        limits: StoreLimits = StoreLimits(),
        fault: Store.FaultHook? = nil,
        mailLimits: MailLimits = ChatNode.mailLimits,
        settings: ChatSettings = settings,
        lease: Duration = .days(60)
    ) async throws -> ChatNode {
        let node = try await ChatNode(
            name,
            in: folder,
            harness: self,
            acceptsHomes: acceptsHomes,
            limits: limits,
            fault: fault,
            mailLimits: mailLimits,
            settings: settings,
            lease: lease
        )
        let missed = state.withLock { state in
            state.up[name] = node
            return getsMissed ? state.records : []
        }
        for record in missed { _ = await node.recordService.validate(record) }
        await served.send(node.service)
        return node
    }

    /// Cuts a node off; let go of it to close its store.
    package func stop(_ node: ChatNode) async {
        let others = state.withLock { state in
            state.up[node.name] = nil
            return state.up.values.map(\.links)
        }
        for other in others {
            await node.links.disconnect(other.localPeer, reason: .stopped)
        }
        network.forget(node.links)
        node.service.stop.finish()
        _ = await node.service.ended.receive()
    }

    /// A node that is up.
    package func node(_ name: String) throws -> ChatNode {
        try #require(state.withLock { $0.up[name] })
    }

    /// The time by which the nodes go.
    package var now: Timestamp {
        Timestamp(milliseconds: UInt64(clock.now.timeIntervalSince1970 * 1_000))
    }

    /// Keeps records that are published in `body` from a node that is up.
    package func keepingRecords(from name: String, _ body: () async throws -> Void) async throws {
        let node = state.withLock { $0.up.removeValue(forKey: name) }
        defer { state.withLock { $0.up[name] = node } }
        try await body()
    }

    /// How many records have been published.
    package var publishedCount: Int { state.withLock { $0.records.count } }

    /// Runs a pass of every node that is up, some times in turn, and turns the clock after each.
    package func runAll(times: Int = 3, every seconds: TimeInterval = 6) async {
        for _ in 0..<times {
            let nodes = state.withLock { $0.up.values.sorted { $0.name < $1.name } }
            for node in nodes { await node.chat.runOnce() }
            clock.advance(by: seconds)
        }
    }

    /// Keeps two nodes from reaching each other.
    package func disconnect(_ one: ChatNode, _ other: ChatNode) async {
        network.block(one.links.localPeer, other.links.localPeer)
        await one.links.disconnect(other.links.localPeer, reason: .lost)
    }

    /// Lets two nodes reach each other again.
    package func reconnect(_ one: ChatNode, _ other: ChatNode) {
        network.block(one.links.localPeer, other.links.localPeer, false)
    }

    /// Makes every node's chain show that the account is a party to a sale.
    package func joinSale(_ account: Address) {
        _ = chain.parties.withLock { $0.insert(account) }
    }

    func spread(_ record: [UInt8], from name: String) async {
        let others = state.withLock { state in
            state.records.append(record)
            return state.up.values.filter { $0.name != name }
        }
        for other in others { _ = await other.recordService.validate(record) }
    }
}
