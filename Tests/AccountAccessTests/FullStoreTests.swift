import AccountAccess
import Answers
import Client
import Keys
import Market
import Storage
import Support
import Synchronization
import Testing

/// Accounts of a node whose store is full.
@Suite(.timeLimit(.minutes(1)))
struct FullStoreTests {
    private static let mapBytes = 1 << 26

    private static func accounts(_ store: Store) -> Accounts {
        Accounts(store: store, cost: .light, idle: .seconds(900), life: .seconds(3_600))
    }

    /// - From people: a new account on a node with little room in its store → store_full
    @Test func `makes no account while there is little room`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.reservedBytes = Self.mapBytes
        let store = try Store(folder: folder.path, mapBytes: Self.mapBytes, limits: limits)
        await #expect(throws: StorageError.mapFull(.begin)) {
            _ = try await AccountCreator(for: Self.accounts(store)).create(
                AccountCreation(name: "ana", password: "a password"),
                by: .operator
            )
        }
    }

    @Test func `removes an account in parts if there is no room for all at once`() async throws {
        let folder = try TemporaryFolder()
        let fault = Mutex<StoreFault?>(nil)
        let counts = Mutex(0)
        var limits = StoreLimits()
        limits.sweepEntriesMax = 2
        let store = try Store(
            folder: folder.path,
            mapBytes: Self.mapBytes,
            limits: limits,
            faultHook: { _ in
                counts.withLock { $0 += 1 }
                return fault.withLock { fault in
                    defer { fault = nil }
                    return fault
                }
            }
        )
        let accounts = Self.accounts(store)
        let made = try await AccountCreator(for: accounts).create(
            AccountCreation(name: "ana", password: "a password"),
            by: .operator
        )
        let ana = try Address(text: made.account.address)
        for number in 1...9 as ClosedRange<UInt64> {
            let event = AccountEvent(time: Timestamp(milliseconds: number), bytes: [1])
            _ = try await store.write { try $0.appendEvent(event, for: ana) }
        }
        fault.withLock { $0 = .failure(.mapFull(.put)) }
        counts.withLock { $0 = 0 }
        try await accounts.remove(
            "ana",
            AccountRemoval(password: "a password"),
            by: .operator
        ) { _ in UnfinishedWork(sales: 0, operations: 0) }
        #expect(counts.withLock { $0 } > 5)
        let isLeft = try store.read { transaction in
            try transaction.contains(AccountEntries.self, ana)
                || transaction.lastEventNumber(of: ana) > 0
        }
        #expect(!isLeft)
    }
}
