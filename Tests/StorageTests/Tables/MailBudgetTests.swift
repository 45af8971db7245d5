import Keys
import Market
import Storage
import Support
import Testing

/// How all mail that is kept here shares the store.
struct MailBudgetTests {
    private static let page: UInt64 = 4_096
    private let device = Bytes32(repeating: 1)
    private let own = SampleRecords.key(200).address

    /// Of 1,024 pages each half has 512, of which 256 are common, 16 of them one origin's, and of
    /// the rest each of 64 accounts is sure of 4; so it is with the node's own accounts.
    private var limits: StoreLimits {
        var limits = StoreLimits()
        limits.contactsBytesMax = 1_024 * Self.page
        limits.allStrangersBytesMax = 1_024 * Self.page
        (limits.accountsMax, limits.homedAccountsMax) = (64, 64)
        limits.originEnvelopesMax = 1_000
        return limits
    }

    private func address(_ number: UInt8) -> Address { SampleRecords.key(number).address }

    private func source(_ isContact: Bool, _ number: UInt8) -> MailSource {
        let name = Bytes32(repeating: number)
        return isContact ? .contact(grant: name) : .stranger(origin: name)
    }

    /// Deposits envelopes of a page until one is refused, at most `max`; answers how many it took.
    private func fill(
        _ account: Address,
        _ isContact: Bool,
        max: Int = 1_000,
        in store: Store
    ) async throws -> Int {
        try await store.write { transaction in
            for count in 0..<max {
                let name = "\(account) \(isContact) \(count)"
                let envelope = StoredEnvelope(
                    hash: Keccak256.hash(name.utf8),
                    source: source(isContact, UInt8(count % 200)),
                    expiresAt: .sample(1_000),
                    bytes: [1]
                )
                let outcome = try transaction.deposit(
                    envelope,
                    for: account,
                    device: device,
                    at: .sample()
                )
                guard case .stored = outcome else { return count }
            }
            return max
        }
    }

    private func lease(_ account: UInt8, from origin: UInt8, in store: Store) async throws {
        let isRoom = try await store.write {
            try $0.addHomed(
                address(account),
                from: Bytes32(repeating: origin)
            )
        }
        #expect(isRoom)
    }

    /// - From peers: dozens of guests leased from one address, filled with mail → they share one
    ///   budget; each account keeps its share
    @Test(arguments: [true, false])
    func `accounts leased from one address share a budget, each with a part`(
        isContact: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: limits)
        for (account, origin) in [(1, 1), (2, 1), (3, 2)] as [(UInt8, UInt8)] {
            try await lease(account, from: origin, in: store)
        }
        #expect(try await fill(address(1), isContact, in: store) == 16)
        #expect(try await fill(address(2), isContact, in: store) == 4)
        #expect(try await fill(address(3), isContact, in: store) == 16)
    }

    /// - From peers: endless mail for guests → it stays in its part of the store; local accounts
    ///   have theirs
    @Test(arguments: [true, false])
    func `a flood at leased accounts stays in the budget and spares local ones`(
        isContact: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: limits)
        let own = own
        try await store.write { try $0.put(AccountEntries.self, own, [1]) }
        var taken: [Int] = []
        for account in 1...64 as ClosedRange<UInt8> {
            try await lease(account, from: account, in: store)
            taken.append(try await fill(address(account), isContact, in: store))
        }
        // Who comes first takes what is common, and who comes last has his share.
        #expect(taken.prefix(16).allSatisfy { $0 == 16 })
        #expect(taken.suffix(48).allSatisfy { $0 == 4 })
        #expect(taken.reduce(0, +) <= 512)
        #expect(try await fill(own, isContact, max: 100, in: store) == 100)
    }

    @Test func `a later account has its share even if others filled theirs`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: limits)
        var taken: [Int] = []
        for account in 1...64 as ClosedRange<UInt8> {
            try await store.write { try $0.put(AccountEntries.self, address(account), [1]) }
            taken.append(try await fill(address(account), true, in: store))
        }
        #expect(taken == [256] + [Int](repeating: 4, count: 63))
    }

    @Test func `accepts mail only for local accounts and accounts with a lease`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: limits)
        #expect(try await fill(address(1), true, in: store) == 0)
        try await lease(1, from: 1, in: store)
        #expect(try await fill(address(1), true, max: 1, in: store) == 1)
        try await store.write { try $0.removeHomed(address(1)) }
        #expect(try await fill(address(1), false, in: store) == 0)
    }

    /// - From peers: thousands of first contacts to guests → the price rises for all guests; each
    ///   keeps a share, and so do the node's own accounts
    @Test func `the price follows the fuller of the account's and the common share`()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: limits)
        let own = own
        try await store.write { try $0.put(AccountEntries.self, own, [1]) }
        for account in 1...20 as ClosedRange<UInt8> {
            try await lease(account, from: account, in: store)
        }
        func percent(_ account: Address) throws -> Int {
            try store.read {
                try $0.strangersPercent(of: account)
            }
        }
        #expect(try percent(address(20)) == 0)
        for account in 1...8 as ClosedRange<UInt8> {
            _ = try await fill(address(account), false, in: store)
        }
        #expect(try percent(address(20)) == 50)
        for account in 9...19 as ClosedRange<UInt8> {
            _ = try await fill(address(account), false, in: store)
        }
        // Never full by that alone, as the account's own share is left.
        #expect(try percent(address(20)) == 99)
        #expect(try percent(own) == 0)
        #expect(try await fill(own, false, in: store) == 256)
        #expect(try percent(own) == 100)
    }

    @Test func `an origin's load is the higher of one account's and the total`()
        async throws
    {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        (limits.originEnvelopesMax, limits.depositorEnvelopesMax) = (4, 10)
        let store = try Store(folder: folder.path, limits: limits)
        for account in 1...5 as ClosedRange<UInt8> {
            try await lease(account, from: account, in: store)
        }
        func percent(_ account: UInt8, from origin: UInt8) throws -> Int {
            try store.read {
                try $0.strangersPercent(of: address(account), from: Bytes32(repeating: origin))
            }
        }
        // Origins 0 to 2 deposit one each at five accounts, and origin 0 one more at the first.
        for account in 1...5 as ClosedRange<UInt8> {
            #expect(try await fill(address(account), false, max: 3, in: store) == 3)
        }
        #expect(try percent(1, from: 0) == 50)
        #expect(try percent(1, from: 9) == 0)
        try await store.write { transaction in
            let envelope = StoredEnvelope(
                hash: Bytes32(repeating: 77),
                source: source(false, 0),
                expiresAt: .sample(1_000),
                bytes: [1]
            )
            let outcome = try transaction.deposit(
                envelope,
                for: address(1),
                device: device,
                at: .sample()
            )
            guard case .stored = outcome else { throw RefusedDeposit() }
        }
        #expect(try percent(1, from: 0) == 60)
        #expect(try percent(2, from: 0) == 60)
        #expect(try percent(2, from: 1) == 50)
    }

    private struct RefusedDeposit: Error {}

    @Test func `counts mail towards its first lease, even after that ends`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: limits)
        try await lease(1, from: 1, in: store)
        #expect(try await fill(address(1), true, in: store) == 16)
        try await store.write { try $0.put(AccountEntries.self, address(1), [1]) }
        try await store.write { try $0.removeHomed(address(1)) }
        while try await store.write({ try $0.sweepMail(at: .sample(1_000)) }) > 0 {}
        #expect(try store.read { try $0.mailLoads().contacts } == MailLoad())
        try await lease(2, from: 1, in: store)
        #expect(try await fill(address(2), true, in: store) == 16)
    }

    @Test(arguments: [1, 2, 64, 4_096])
    func `lanes, mail and leases leave room for the rest in the smallest store`(gibibytes: Int) {
        let mapBytes = gibibytes << 30
        let limits = StoreLimits(mapBytes: mapBytes, openLaneBytesMax: 1 << 40)
        // Short records take more of the disk than they count for.
        let records =
            5 * limits.openLaneBytesMax + 2 * limits.anchoredLaneBytesMax
            + 530 * limits.givenUpRecordsMax
        let mail = Int(limits.contactsBytesMax + limits.allStrangersBytesMax)
        // Bundles of 16 devices, ended grants, and records with their indexes.
        let perLease = 16 * 12_288 + 16_384 + 2 * limits.homedAccountBytesMax
        let leases = limits.homedAccountsMax * perLease
        #expect(records + mail + leases < mapBytes * 9 / 10)
        #expect(limits.leaseBytesMax <= limits.contactsBytesMax / 64)
        #expect(limits.homedAccountsMax >= 256)
    }
}
