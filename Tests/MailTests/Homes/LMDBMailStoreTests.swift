import Answers
import Client
import Keys
import Logging
import MailSupport
import Market
import Records
import Storage
import Support
import Synchronization
import Testing

// What is swept, and what an own account keeps, is the chat's to ask for, hence the testable import.
@testable import Mail

struct LMDBMailStoreTests {
    /// Fails one commit, counted from when it is told.
    private final class Fault: Sendable {
        private let left = Mutex<Int?>(nil)

        func fail(_ number: Int) { left.withLock { $0 = number } }

        @Sendable func hook(count: Int) -> StoreFault? {
            left.withLock { left in
                left = left.map { $0 - 1 }
                return left == 0 ? .failure(.diskFull(.commit)) : nil
            }
        }
    }

    private static let now = Timestamp(milliseconds: 1_000_000)
    private static let home = testKey("home")

    private static func mailStore(_ store: Store) -> LMDBMailStore {
        LMDBMailStore(
            store: store,
            recordService: RecordService(
                store: store,
                network: "test",
                rules: .light,
                view: ChatChain(),
                announce: { _ in },
                logger: Logger(label: "test")
            ),
            localPeer: NodeKey.peer(of: home.publicKey)
        )
    }

    private static func lease(of account: Address, until end: Timestamp) throws -> HomeLease {
        try HomeLease(
            peer: NodeKey.peer(of: home.publicKey),
            addresses: [],
            quotaByteCount: 1,
            until: end,
            account: account,
            key: home
        )
    }

    @Test(arguments: 1...5)
    func `a failed step of the sweep does not stop the others`(failing: Int) async throws {
        let folder = try TemporaryFolder()
        let fault = Fault()
        let store = try Store(folder: folder.path, faultHook: { fault.hook(count: $0) })
        let mailStore = Self.mailStore(store)
        let (own, one, other) = (
            testKey("own").address, testKey("one").address, testKey("other").address
        )
        try await store.write { try $0.put(AccountEntries.self, own, [1]) }
        for account in [one, other] {
            let lease = try Self.lease(of: account, until: Self.now)
            #expect(try await mailStore.grant(lease, to: account, from: .zero) == nil)
        }
        try await store.write { transaction in
            let envelope = StoredEnvelope(
                hash: .zero,
                source: .contact(grant: .zero),
                expiresAt: Self.now,
                bytes: [1]
            )
            let before = Timestamp(milliseconds: 0)
            _ = try transaction.deposit(envelope, for: own, device: .zero, at: before)
            try transaction.forgetDeleted(.zero, of: own, at: Self.now)
            try transaction.put(DeletedConversations.self, CompositeKey(own, .zero), [1])
        }

        fault.fail(failing)
        await #expect(throws: StorageError.diskFull(.commit)) {
            try await mailStore.sweep(at: Self.now)
        }
        let left = try store.read { transaction in
            try transaction.homedCount() + Int(transaction.mailLoads(of: own).contacts.envelopes)
                + (transaction.contains(DeletedConversations.self, CompositeKey(own, .zero))
                    ? 1 : 0)
        }
        #expect(left <= 1)
        try await mailStore.sweep(at: Self.now)
        #expect(try store.read { try $0.homedCount() } == 0)
    }

    @Test func `pending work writes nothing for a removed account`()
        async throws
    {
        try await ChatHarness.pair { _, one, _, ana, _ in
            let unlocked = try await one.chat.unlockedAccount(ana)
            try await one.store.write { try $0.removeAccount(ana) }
            try await one.mailStore.keep(
                Self.lease(of: ana, until: Timestamp(milliseconds: 1 << 50)),
                of: ana
            )
            let keys = DeviceKeys(one.chat.context)
            await #expect(throws: Refusal.self) { try await keys.renewPrekeys(unlocked) }
            let rows = try one.store.read { transaction in
                var rows = 0
                try transaction.scanKeys(HomeLeases.self, .prefix(ana)) { _ in
                    rows += 1
                    return true
                }
                try transaction.scanKeys(Prekeys.self, .prefix(ana)) { _ in
                    rows += 1
                    return true
                }
                return rows
            }
            #expect(rows == 0)
        }
    }
}
