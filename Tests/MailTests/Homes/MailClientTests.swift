import Client
import Concurrency
import Foundation
import Gossip
import GossipProtocol
import Keys
import Logging
import Mail
import MailSupport
import Market
import Records
import Storage
import Support
import Testing

/// Chats among nodes that do not answer, and accounts that the others have not heard of.
@Suite(.timeLimit(.minutes(2)))
struct MailClientTests {
    /// Makes a node take mail questions and never answer.
    ///
    /// - Returns: What receives each of the streams on which it is asked.
    @discardableResult
    static func silence(_ node: ChatNode) async -> BoundedQueue<Int> {
        let asked = BoundedQueue<Int>(elementsMax: 1_024)
        await node.links.handle(protocol: MailExchange.protocolID) { _ in
            _ = asked.offer(1)
            let (never, entry) = AsyncStream.makeStream(
                of: Void.self,
                bufferingPolicy: .bufferingOldest(1)
            )
            defer { entry.finish() }
            for await _ in never {}
        }
        return asked
    }

    private static func timestamp(_ date: Date) -> Timestamp {
        Timestamp(milliseconds: UInt64(date.timeIntervalSince1970 * 1_000))
    }

    @Test func `a silent home delays no other home and no other recipient`() async throws {
        var settings = ChatSettings(network: "test", deviceName: "test")
        settings.requestTimeMax = .seconds(2)
        settings.collectionTimeMax = .seconds(2)
        try await ChatHarness.pair(withThird: true, settings: settings) {
            harness,
            one,
            two,
            ana,
            bo in
            let third = try harness.node("three")
            _ = try await one.chat.homes.add(HomeRequest(address: third.address), for: ana)
            await harness.runAll()
            let eve = try await one.createAccount("eve")
            let asked = await Self.silence(third)
            for number in 1...3 { try await two.write("\(number)", to: ana, by: bo) }
            try await two.write("Hello, Eve", to: eve, by: bo)
            await two.chat.runOnce()
            var questions = 0
            while asked.poll() != nil { questions += 1 }
            // It is asked, and left alone after it was silent, with three messages to go.
            #expect(questions > 0 && questions < 3)
            await harness.runAll()
            #expect(try await one.messages(of: ana).map(\.text) == ["1", "2", "3"])
            #expect(try await one.messages(of: eve).map(\.text) == ["Hello, Eve"])
        }
    }

    /// - From peers: records of other accounts handed over with mail keys → skipped
    @Test func `accepts no records of accounts that the home was not asked about`() async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            let ana = try await one.createAccount("ana")
            let bo = try await Self.createAccount(
                "bo",
                thenStopping: "two",
                in: folders[1],
                harness
            )
            let eve = try await one.createAccount("eve")
            let records = try await one.mailStore.keys(of: eve).records
            #expect(!records.isEmpty)
            await one.links.handle(protocol: MailExchange.protocolID) { stream in
                var frames = stream.messages(bytesMax: 400_000)
                while try await frames.next() != nil {
                    let answer = MailAnswer.keys(bundles: [], records: records)
                    try await stream.writeMessage(answer.bytes)
                }
            }
            let two = try await harness.start("two", in: folders[1], getsMissed: false)
            try await two.signIn("bo")
            try await two.write("Hello", to: ana, by: bo)
            await two.chat.runOnce()
            let taken = try two.store.read { try $0.records(of: .profile, by: eve, limit: 1) }
            #expect(taken.isEmpty)
        }
    }

    @Test func `a node that was down can exchange mail with a newer account`() async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        try await ChatHarness.run { harness in
            let two = try await harness.start("two", in: folders[1])
            let ana = try await Self.createAccount(
                "ana",
                thenStopping: "one",
                in: folders[0],
                harness
            )
            let bo = try await two.createAccount("bo")
            let eve = try await two.createAccount("eve")
            try await two.write("Is it still there?", to: ana, by: bo)

            let one = try await harness.start("one", in: folders[0], getsMissed: false)
            try await one.signIn("ana")
            try await one.chat.accept(bo, by: ana)
            await harness.runAll(times: 8)
            #expect(try await one.messages(of: ana).map(\.text) == ["Is it still there?"])
            #expect(try await two.messages(of: bo).map(\.state) == ["delivered"])
            try await one.write("Yes!", to: bo, by: ana)
            try await one.write("And you?", to: eve, by: ana)
            await harness.runAll(times: 4)
            #expect(try await two.messages(of: bo).map(\.text) == ["Is it still there?", "Yes!"])
            #expect(try await two.messages(of: eve).map(\.text) == ["And you?"])
        }
    }

    /// Makes an account on a node that then goes down, its folder free for its next start.
    private static func createAccount(
        _ account: String,
        thenStopping node: String,
        in folder: TemporaryFolder,
        _ harness: ChatHarness
    ) async throws -> Address {
        let node = try await harness.start(node, in: folder)
        let address = try await node.createAccount(account)
        await harness.stop(node)
        return address
    }

    @Test func `an account locked for a long time can still receive mail`() async throws {
        try await ChatHarness.pair(withThird: true) { harness, one, two, ana, bo in
            await one.signOut()
            let third = try harness.node("three")
            for _ in 0..<20 {
                harness.clock.advance(by: 86_400)
                for node in [one, two, third] {
                    try await node.recordService.renewKept()
                    let now = Self.timestamp(harness.clock.now)
                    while try await node.store.write({ try $0.sweepRecords(at: now) }) > 0 {}
                }
            }
            let known = try third.store.read { try $0.records(of: .profile, by: ana, limit: 1) }
            #expect(known.count == 1)
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            #expect(try await two.messages(of: bo).map(\.state) == ["sent"])
            try await one.signIn("ana")
            await harness.runAll()
            #expect(try await one.messages(of: ana).map(\.text) == ["Hello"])
        }
    }

    /// - From people: an account of a public node that names a home at a private address, or at one of
    ///   the node's machine → peer_unreachable; nothing is dialled
    @Test func `a public node does not dial a private address in another's lease`() async throws {
        let network = MemoryNetwork()
        let (own, home) = (testKey("own"), testKey("home"))
        let links = network.node(NodeKey.peer(of: own.publicKey), port: 1)
        let other = network.node(NodeKey.peer(of: home.publicKey), port: 2)
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, mapBytes: 1 << 26)
        let node = testKey("desk")
        let exchange = MailExchange(
            links: links,
            mailStore: LMDBMailStore(
                store: store,
                recordService: RecordService(
                    store: store,
                    network: "test",
                    rules: .light,
                    view: ChatChain(),
                    announce: { _ in },
                    logger: .init(label: "test")
                ),
                localPeer: links.localPeer
            ),
            identity: node,
            settings: MailSettings(
                network: "test",
                acceptsHomes: true,
                lease: .days(1),
                quotaByteCount: 1
            ),
            addresses: { [Multiaddr(text: "/ip4/203.0.113.1/tcp/4001")].compactMap { $0 } },
            now: { Self.timestamp(.now) },
            logger: .init(label: "test")
        )
        await #expect(throws: LinkError.notLinked(other.localPeer)) {
            try await exchange.reach(other.localPeer, at: [other.address])
        }
        // An account of this node cannot make it dial there either.
        await #expect(throws: LinkError.notLinked(other.localPeer)) {
            try await exchange.reach(other.localPeer, at: [other.address], own: true)
        }
        #expect(await links.links().isEmpty)
        _ = try await links.dial(other.address)
        try await exchange.reach(other.localPeer, at: [other.address])
    }
}
