import Keys
import Market
import Storage
import Support
import Testing

struct HomedAccountsTests {
    private func address(_ number: UInt8) -> Address { SampleRecords.key(number).address }

    @Test func `limits leases per origin and in total, and frees them`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        (limits.leasesPerOriginMax, limits.homedAccountsMax) = (2, 3)
        let store = try Store(folder: folder.path, limits: limits)
        let added = try await store.write { transaction in
            try [(1, 1), (2, 1), (3, 1), (1, 2), (4, 2), (5, 3)].map { account, origin in
                try transaction.addHomed(
                    address(account),
                    from: Bytes32(repeating: origin)
                )
            }
        }
        #expect(added == [true, true, false, true, true, false])
        try await store.write { try $0.removeHomed(address(1)) }
        #expect(try store.read { try $0.homedCount() } == 2)
        #expect(try store.read { try $0.homedCount(from: Bytes32(repeating: 1)) } == 1)
        #expect(try store.read { try $0.homedCount(from: Bytes32(repeating: 2)) } == 1)
        try await store.write { transaction in
            for number in 1...5 as ClosedRange<UInt8> {
                try transaction.removeHomed(address(number))
            }
        }
        #expect(try store.read { try $0.homedCount() } == 0)
        #expect(try store.read { try $0.homedCount(from: Bytes32(repeating: 2)) } == 0)
    }

    @Test func `removes mail with an ended lease and keeps it with a renewed one`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.sweepEntriesMax = 2
        let store = try Store(folder: folder.path, limits: limits)
        let home = NodeKey.peer(of: SampleRecords.key(9).publicKey)
        @Sendable func lease(of account: UInt8, until end: UInt64) throws -> HomeLease {
            try HomeLease(
                peer: home,
                addresses: [],
                quotaByteCount: 1,
                until: .sample(end),
                account: address(account),
                key: SampleRecords.key(9)
            )
        }
        try await store.write { transaction in
            for account in [1, 2] as [UInt8] {
                _ = try transaction.addHomed(address(account), from: .zero)
                let lease = try lease(of: account, until: account == 1 ? 10 : 30)
                try transaction.put(
                    HomeLeases.self,
                    CompositeKey(address(account), home),
                    lease.bytes
                )
                for number in 1...3 as ClosedRange<UInt8> {
                    _ = try transaction.deposit(
                        StoredEnvelope(
                            hash: Bytes32(repeating: account * 10 + number),
                            source: .contact(grant: .zero),
                            expiresAt: .sample(1_000),
                            bytes: [number]
                        ),
                        for: address(account),
                        device: SampleRecords.slot(5),
                        at: .sample()
                    )
                }
            }
        }
        func remove(_ account: UInt8) async throws -> Bool {
            try await store.write {
                try $0.removeLease(
                    of: address(account),
                    at: home,
                    home: home,
                    endedAt: .sample(20)
                )
            }
        }
        #expect(try await remove(1) == false)
        #expect(try await remove(1))
        #expect(try await remove(2))
        let (count, loads) = try store.read { (try $0.homedCount(), try $0.mailLoads()) }
        #expect(count == 1 && loads.contacts.envelopes == 3)
        #expect(try store.read { try $0.mailLoads(of: address(2)).contacts.envelopes } == 3)
    }
}
