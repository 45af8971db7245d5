import Keys
import Market
import Storage
import Support
import Testing

struct HomedAccountsTests {
    private func address(_ number: UInt8) -> Address { SampleRecords.key(number).address }

    @Test func `leases are bounded for each origin and in all, and given back`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        var limits = Limits()
        limits.leasesPerOriginMax = 2
        let added = try await store.write { [limits] transaction in
            try [(1, 1), (2, 1), (3, 1), (1, 2), (4, 2), (5, 3)].map { account, origin in
                try transaction.addHomed(
                    address(account),
                    from: Bytes32(repeating: origin),
                    leasesMax: 3,
                    limits: limits
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
}

struct MailGrantsTests {
    private let ana = SampleRecords.key(1).address
    private let phone = Bytes32(repeating: 1)
    private let laptop = Bytes32(repeating: 2)
    private let one = Bytes32(repeating: 8)
    private let two = Bytes32(repeating: 9)

    @Test func `a grant is good until one of the account's devices ends it`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        var limits = Limits()
        limits.endedGrantsMax = 2
        func put(_ ended: [Bytes32], by device: Bytes32) async throws -> Bool {
            try await store.write { [limits] in
                try $0.putGrants(.zero, ended: ended, of: ana, device: device, limits: limits)
            }
        }
        func devices(_ id: Bytes32) throws -> [Bytes32] {
            try store.read { try $0.grantSecrets(for: id, of: ana) }.map(\.device)
        }
        #expect(try await put([], by: phone))
        #expect(try await put([one], by: laptop))
        #expect(try devices(one).isEmpty)
        #expect(try devices(two) == [phone, laptop])
        #expect(try await put([one, two], by: phone) == false)
        #expect(try devices(two) == [phone, laptop])
        #expect(try await put([], by: laptop))
        #expect(try devices(one) == [phone, laptop])
        try await store.write { try $0.removeGrants(of: ana) }
        #expect(try devices(one).isEmpty)
    }
}
