package import AccountAccess
package import Client
import Concurrency
import Foundation
package import Gossip
package import GossipProtocol
package import Keys
import Logging
package import Mail
import Market
package import Records
import Setup
package import Storage
package import Support
import Synchronization

/// One node: all that chat needs, on a real store.
package final class ChatNode: Sendable {
    /// Homes that ask for work, but for little.
    package static var mailLimits: MailLimits {
        var limits = MailLimits()
        (limits.depositWork, limits.leaseWork) = (16, 16)
        return limits
    }

    package static let ports: [String: UInt16] = ["one": 4_001, "two": 4_002, "three": 4_003]

    package let name: String
    package let links: MemoryLinks
    let service: ChatHarness.Service
    package let store: Store
    package let accounts: Accounts
    package let events: AccountEventLog
    package let recordService: RecordService
    package let exchange: MailExchange
    package let mailStore: LMDBMailStore
    package let chat: Chat
    private let tokens = Mutex<[String]>([])

    init(
        _ name: String,
        in folder: TemporaryFolder,
        harness: ChatHarness,
        acceptsHomes: Bool,
        limits: StoreLimits,
        fault: Store.FaultHook?,
        mailLimits: MailLimits,
        settings: ChatSettings,
        lease: Duration
    ) async throws {
        self.name = name
        let identity = testKey("node \(name)")
        let logger = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
        let clock = harness.clock
        let links = harness.network.node(
            NodeKey.peer(of: identity.publicKey),
            port: Self.ports[name] ?? 4_009
        )
        self.links = links
        service = ChatHarness.Service(links: links)
        try await StoreFolder.untilFree(folder.path)
        store = try Store(folder: folder.path, mapBytes: 1 << 28, limits: limits, faultHook: fault)
        accounts = Accounts(
            store: store,
            clock: clock,
            cost: .light,
            idle: .days(400),
            life: .days(400),
            unattendedKeys: UnattendedKeys(in: DataFolder(path: folder.path), under: identity)
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
            uptime: .system,
            logger: logger
        )
        await exchange.register()
    }

    package var address: String { "\(links.address)" }

    /// Makes an account and runs its first pass, so that others know of it.
    package func createAccount(_ name: String, phrase: String? = nil) async throws -> Address {
        let made = try await AccountCreator(for: accounts).create(
            AccountCreation(name: name, password: "a password", phrase: phrase)
        )
        try await signIn(name)
        await chat.runOnce()
        return try Address(text: made.account.address)
    }

    package func signIn(_ name: String) async throws {
        let session = try await accounts.signIn(SignIn(account: name, password: "a password"))
        tokens.withLock { $0.append(session.token) }
    }

    /// Ends all sessions.
    package func signOut() async {
        for token in tokens.withLock({ $0 }) {
            await accounts.signOut(Keccak256.hash(token.utf8))
        }
    }

    /// The account's conversations, the latest changed first, then its request box.
    package func conversations(of account: Address) async throws -> [Conversation] {
        try await chat.conversations(of: account, limit: 100).items + requests(of: account)
    }

    /// What strangers began and the account has not answered.
    package func requests(of account: Address) async throws -> [Conversation] {
        try await chat.conversations(of: account, requests: true, limit: 100).items
    }

    /// What an account sees of the only conversation it has.
    package func messages(of account: Address) async throws -> [Message] {
        guard let conversation = try await conversations(of: account).first else { return [] }
        return try await chat.messages(in: conversation.id, of: account, limit: 100)
    }

    /// Marks all messages of a conversation as read.
    package func readAll(_ talk: String, by account: Address) async throws {
        let all = try await chat.messages(in: talk, of: account, limit: 100)
        guard let last = all.max(by: { ($0.id.count, $0.id) < ($1.id.count, $1.id) }) else {
            return
        }
        try await chat.read(talk, through: last.id, by: account)
    }

    /// Opens a conversation and writes into it.
    @discardableResult
    package func write(_ text: String, to other: Address, by account: Address) async throws
        -> Message
    {
        let talk = try await chat.open(ConversationOpening(with: other.checksummed), by: account)
        return try await write(text, in: talk.id, by: account)
    }

    @discardableResult
    package func write(_ text: String, in talk: String, by account: Address) async throws -> Message
    {
        let key = UUID().uuidString
        return try await chat.write(MessageDraft(text: text), in: talk, by: account, key: key)
    }
}
