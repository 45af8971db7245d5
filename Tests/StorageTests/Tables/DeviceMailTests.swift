import Keys
import Market
import Storage
import Support
import Testing

/// What a home keeps for a device: as long as the device is certified, and no longer.
struct DeviceMailTests {
    private let ana = SampleRecords.key(1).address
    private let phone = SampleRecords.slot(31)
    private let laptop = SampleRecords.slot(32)
    private let one = Bytes32(repeating: 8)
    private let two = Bytes32(repeating: 9)

    private func store(in folder: TemporaryFolder, devices: [UInt8] = [31, 32]) async throws
        -> Store
    {
        var limits = StoreLimits()
        limits.endedGrantsMax = 2
        let store = try Store(folder: folder.path, limits: limits)
        let ana = ana
        try await store.write { _ = try $0.addHomed(ana, from: .zero) }
        for device in devices {
            _ = try await store.ingest([SampleRecords.device(device)], at: .sample())
        }
        return store
    }

    private func put(_ byte: UInt8, of device: Bytes32, in store: Store) async throws -> Bool {
        try await store.write {
            try $0.putPrekeyBundle(
                [byte],
                of: ana,
                device: device,
                createdAt: .sample(UInt64(byte)),
                newestMax: .sample(1_000)
            )
        }
    }

    private func bundles(in store: Store) throws -> [[UInt8]] {
        try store.read { try $0.prekeyBundles(of: ana).map(\.bytes) }
    }

    private func putGrants(
        _ ended: [Bytes32],
        by device: Bytes32,
        in store: Store
    ) async throws -> GrantsOutcome {
        try await store.write {
            try $0.putGrants(.zero, ended: ended, of: ana, device: device)
        }
    }

    private func devices(_ id: Bytes32, in store: Store) throws -> Set<Bytes32> {
        try store.read { Set(try $0.grantSecrets(for: id, of: ana).map(\.device)) }
    }

    @Test func `a device's mail is removed with its certificate`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        #expect(try await put(1, of: phone, in: store))
        #expect(try await put(2, of: laptop, in: store))
        #expect(try await putGrants([], by: phone, in: store) == .kept)
        // Renewed, it is the same device.
        _ = try await store.ingest([SampleRecords.device(31, at: .sample(5))], at: .sample(5))
        #expect(try bundles(in: store) == [[1], [2]])

        let end = try SampleRecords.device(31, isWithdrawn: true, at: .sample(6))
        _ = try await store.ingest([end], at: .sample(6))
        #expect(try bundles(in: store) == [[2]])
        #expect(try devices(one, in: store).isEmpty)
        // And nothing is kept for one that is not certified.
        #expect(try await !put(7, of: phone, in: store))
        #expect(try await putGrants([], by: phone, in: store) == .unknownDevice)
        #expect(try await !put(7, of: SampleRecords.slot(40), in: store))
    }

    /// - From peers: bundles and grants of many new devices → they are removed with the certificate
    ///   of the device
    @Test func `shows current devices, however many an account has had`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder, devices: [])
        for device in 31...90 as ClosedRange<UInt8> {
            let certificate = try SampleRecords.device(device, at: .sample(UInt64(device)))
            _ = try await store.ingest([certificate], at: .sample(UInt64(device)))
            #expect(try await put(device, of: SampleRecords.slot(device), in: store))
            _ = try await putGrants([], by: SampleRecords.slot(device), in: store)
        }
        let last = (75...90 as ClosedRange<UInt8>).reversed().map { [$0] }
        #expect(try bundles(in: store) == last)
        #expect(try devices(one, in: store).count == last.count)
    }

    @Test func `a device keeps its mail when it moves to the anchored lane`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        #expect(try await put(1, of: phone, in: store))
        let id = try SampleRecords.device(31).version.id
        #expect(try await store.write { try $0.anchor(id, at: .sample(9)) })
        #expect(try bundles(in: store) == [[1]])
    }

    @Test func `a grant is valid until one of the account's devices ends it`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        #expect(try await putGrants([], by: phone, in: store) == .kept)
        #expect(try await putGrants([one], by: laptop, in: store) == .kept)
        #expect(try devices(one, in: store).isEmpty)
        #expect(try devices(two, in: store) == [phone, laptop])
        #expect(try await putGrants([one, two], by: phone, in: store) == .tooManyEnded)
        #expect(try devices(two, in: store) == [phone, laptop])
        #expect(try await putGrants([], by: laptop, in: store) == .kept)
        #expect(try devices(one, in: store) == [phone, laptop])
    }

    /// - From peers: a stolen device that names as many ended grants as allowed → they count until
    ///   it is revoked
    @Test func `a stolen device can end grants only until it is revoked`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        #expect(try await putGrants([], by: laptop, in: store) == .kept)
        #expect(try await putGrants([one, two], by: phone, in: store) == .kept)
        #expect(try await putGrants([one], by: laptop, in: store) == .tooManyEnded)
        let end = try SampleRecords.device(31, isWithdrawn: true, at: .sample(6))
        _ = try await store.ingest([end], at: .sample(6))
        #expect(try devices(one, in: store) == [laptop])
        #expect(try await putGrants([one], by: laptop, in: store) == .kept)
        #expect(try devices(two, in: store) == [laptop])
    }

    @Test func `keeps the newest prekey bundle of a device`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        var kept: [Bool] = []
        for byte in [5, 4, 6] as [UInt8] { kept.append(try await put(byte, of: phone, in: store)) }
        #expect(kept == [true, false, true])
        #expect(try bundles(in: store) == [[6]])
    }

    @Test func `drops a bundle from the future and replaces a stored one`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        let kept = try await store.write { transaction in
            try [(1, 90, 50), (2, 90, 100), (3, 40, 50), (4, 39, 50)].map { (byte, time, max) in
                try transaction.putPrekeyBundle(
                    [byte],
                    of: ana,
                    device: phone,
                    createdAt: .sample(time),
                    newestMax: .sample(max)
                )
            }
        }
        #expect(kept == [false, true, true, false])
        #expect(try bundles(in: store) == [[3]])
    }
}
