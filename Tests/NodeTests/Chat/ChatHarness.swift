import AccountAccess
import Client
import Concurrency
import Foundation
import Gossip
import Keys
import Logging
import Mail
import Market
import Records
import Storage
import Support
import Synchronization
import Testing

/// Nodes that chat over links in memory, by a clock that the test turns.
///
/// Records reach every node that is up when they are published; one that comes up later gets what
/// it missed, as if they were of accounts with a sale, unless a test says otherwise.
final class ChatHarness: Sendable {
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

    struct State {
        var up: [String: ChatNode] = [:]
        var records: [[UInt8]] = []
    }

    let network = MemoryNetwork()
    let clock = ChatClock()
    let chain = ChatChain()
    let served = BoundedQueue<Service>(elementsMax: 64)
    let state = Mutex(State())

    /// Serves the nodes' links while `body` works with them.
    static func run(_ body: (ChatHarness) async throws -> Void) async throws {
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

    /// Settings with which an account that comes with its phrase does not wait for its profile.
    static let settings = {
        var settings = ChatSettings(network: "test", deviceName: "test")
        (settings.recoveryPatience, settings.recoveryAlone) = (.zero, .zero)
        return settings
    }()

    /// Starts a node; a name's second start finds its folder again where that is handed in.
    func start(
        _ name: String,
        in folder: TemporaryFolder,
        acceptsHomes: Bool = true,
        getsMissed: Bool = true,
        limits: StoreLimits = StoreLimits(),
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
    func stop(_ node: ChatNode) async {
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
    func node(_ name: String) throws -> ChatNode {
        try #require(state.withLock { $0.up[name] })
    }

    /// How many records have been published.
    var publishedCount: Int { state.withLock { $0.records.count } }

    /// Runs a pass of every node that is up, some times in turn, and turns the clock after each.
    func runAll(times: Int = 3, every seconds: TimeInterval = 6) async {
        for _ in 0..<times {
            let nodes = state.withLock { $0.up.values.sorted { $0.name < $1.name } }
            for node in nodes { await node.chat.runOnce() }
            clock.advance(by: seconds)
        }
    }

    /// Keeps two nodes from reaching each other.
    func disconnect(_ one: ChatNode, _ other: ChatNode) async {
        network.block(one.links.localPeer, other.links.localPeer)
        await one.links.disconnect(other.links.localPeer, reason: .lost)
    }

    /// Lets two nodes reach each other again.
    func reconnect(_ one: ChatNode, _ other: ChatNode) {
        network.block(one.links.localPeer, other.links.localPeer, false)
    }

    /// Makes every node's chain show that the account is a party to a sale.
    func joinSale(_ account: Address) {
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

/// A clock that stands until it is turned.
final class ChatClock: WallClock {
    private let time = Mutex(Date(timeIntervalSince1970: 1_763_700_000))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// A chain that shows nothing but who is a party to some sale.
final class ChatChain: ChainView, Sendable {
    let parties = Mutex<Set<Address>>([])

    func role(of contract: ContractReference) -> ContractRole { .foreign }
    func sale(_ sale: SaleReference) -> Market.Sale? { nil }
    func isParty(_ account: Address) -> Bool { parties.withLock { $0.contains(account) } }
}

/// One node: all that chat needs, on a real store.
final class ChatNode: Sendable {
    /// Homes that ask for work, but for little.
    static var mailLimits: MailLimits {
        var limits = MailLimits()
        (limits.depositWork, limits.leaseWork) = (16, 16)
        return limits
    }

    static let ports: [String: UInt16] = ["one": 4_001, "two": 4_002, "three": 4_003]

    let name: String
    let links: MemoryLinks
    let service: ChatHarness.Service
    let store: Store
    let accounts: Accounts
    let events: AccountEventLog
    let recordService: RecordService
    let exchange: MailExchange
    let mailStore: LMDBMailStore
    let chat: Chat
    private let tokens = Mutex<[String]>([])

    init(
        _ name: String,
        in folder: TemporaryFolder,
        harness: ChatHarness,
        acceptsHomes: Bool,
        limits: StoreLimits,
        mailLimits: MailLimits,
        settings: ChatSettings,
        lease: Duration
    ) async throws {
        self.name = name
        let identity = Self.key("node \(name)")
        let logger = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
        let clock = harness.clock
        let links = harness.network.node(
            NodeKey.peer(of: identity.publicKey),
            port: Self.ports[name] ?? 4_009
        )
        self.links = links
        service = ChatHarness.Service(links: links)
        try await StoreFolder.untilFree(folder.path)
        store = try Store(folder: folder.path, mapBytes: 1 << 28, limits: limits)
        accounts = Accounts(
            store: store,
            clock: clock,
            cost: .light,
            idle: .days(400),
            life: .days(400)
        )
        events = AccountEventLog(store: store, clock: clock)
        recordService = RecordService(
            store: store,
            network: "test",
            rules: .light,
            view: harness.chain,
            announce: { [weak harness] bytes in await harness?.spread(bytes, from: name) },
            clock: clock,
            logger: logger
        )
        mailStore = LMDBMailStore(
            store: store,
            recordService: recordService,
            localPeer: links.localPeer
        )
        exchange = MailExchange(
            links: links,
            mailStore: mailStore,
            identity: identity,
            settings: MailSettings(
                network: "test",
                acceptsHomes: acceptsHomes,
                lease: lease,
                quotaByteCount: limits.recipientBytesMax,
                limits: mailLimits
            ),
            addresses: { [links.address] },
            now: { Timestamp(milliseconds: UInt64(clock.now.timeIntervalSince1970 * 1_000)) },
            logger: logger
        )
        chat = Chat(
            store: store,
            accounts: accounts,
            events: events,
            recordService: recordService,
            exchange: exchange,
            mailStore: mailStore,
            view: harness.chain,
            settings: settings,
            clock: clock,
            logger: logger
        )
        await exchange.register()
    }

    var address: String { "\(links.address)" }

    /// Makes an account and runs its first pass, so that others know of it.
    func createAccount(_ name: String, phrase: String? = nil) async throws -> Address {
        let made = try await accounts.create(
            AccountCreation(name: name, password: "a password", phrase: phrase)
        )
        try await signIn(name)
        await chat.runOnce()
        return try Address(text: made.account.address)
    }

    func signIn(_ name: String) async throws {
        let session = try await accounts.signIn(SignIn(account: name, password: "a password"))
        tokens.withLock { $0.append(session.token) }
    }

    /// Ends all sessions.
    func signOut() async {
        for token in tokens.withLock({ $0 }) { await accounts.signOut(token: token) }
    }

    /// The account's conversations, the latest changed first, then its request box.
    func conversations(of account: Address) async throws -> [Conversation] {
        try await chat.conversations(of: account, limit: 100).items + requests(of: account)
    }

    /// What strangers began and the account has not answered.
    func requests(of account: Address) async throws -> [Conversation] {
        try await chat.conversations(of: account, requests: true, limit: 100).items
    }

    /// What an account sees of the only conversation it has.
    func messages(of account: Address) async throws -> [Message] {
        guard let conversation = try await conversations(of: account).first else { return [] }
        return try await chat.messages(in: conversation.id, of: account, limit: 100)
    }

    /// Marks all messages of a conversation as read.
    func readAll(_ talk: String, by account: Address) async throws {
        let all = try await chat.messages(in: talk, of: account, limit: 100)
        guard let last = all.max(by: { ($0.id.count, $0.id) < ($1.id.count, $1.id) }) else {
            return
        }
        try await chat.read(talk, through: last.id, by: account)
    }

    /// Opens a conversation and writes into it.
    @discardableResult
    func write(_ text: String, to other: Address, by account: Address) async throws -> Message {
        let talk = try await chat.open(ConversationOpening(with: other.checksummed), by: account)
        return try await write(text, in: talk.id, by: account)
    }

    @discardableResult
    func write(_ text: String, in talk: String, by account: Address) async throws -> Message {
        let key = UUID().uuidString
        return try await chat.write(MessageDraft(text: text), in: talk, by: account, key: key)
    }

    static func key(_ name: String) -> PrivateKey {
        guard let key = PrivateKey(SecretBytes(copying: Keccak256.hash(name.utf8).bytes)) else {
            preconditionFailure("a hash is a key but once in 2¹²⁸")
        }
        return key
    }
}
