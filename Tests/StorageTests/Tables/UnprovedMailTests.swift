import Keys
import Market
import Storage
import Support
import Testing

/// Mail that an account has opened, while its sender is looked up.
struct UnprovedMailTests {
    private let ana = SampleRecords.key(1).address
    private let device = Bytes32(repeating: 1)

    private func store(in folder: TemporaryFolder) async throws -> Store {
        var limits = StoreLimits()
        (limits.strangersEnvelopesMax, limits.originEnvelopesMax) = (6, 3)
        let store = try Store(folder: folder.path, limits: limits)
        try await store.write { try $0.put(AccountEntries.self, ana, [1]) }
        return store
    }

    private func deposit(
        _ number: Int,
        from source: MailSource,
        in store: Store
    ) async throws -> EnvelopeKey? {
        let envelope = StoredEnvelope(
            hash: Keccak256.hash("envelope \(number)".utf8),
            source: source,
            expiresAt: .sample(1_000),
            bytes: [1]
        )
        return try await store.write { transaction in
            let outcome = try transaction.deposit(
                envelope,
                for: ana,
                device: device,
                at: .sample()
            )
            if case .stored(let key) = outcome { return key }
            return nil
        }
    }

    private func keys(in store: Store) throws -> [EnvelopeKey] {
        try store.read { try $0.envelopeKeys(for: ana, device: device, limit: 100) }
    }

    @Test func `mail set aside frees its room for other strangers and counts once`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        for number in 0..<6 {
            let source = MailSource.stranger(origin: Bytes32(repeating: UInt8(number / 3)))
            let key = try #require(try await deposit(number, from: source, in: store))
            #expect(try await store.write { try $0.setAsideUnproved(key) } == [])
            // Once is enough.
            #expect(try await store.write { try $0.setAsideUnproved(key) } == [])
        }
        #expect(try store.read { try $0.mailLoads(of: ana) }.strangers == MailLoad())
        #expect(try store.read { try $0.strangersPercent(of: ana) } == 0)
        let all = try store.read { try $0.mailLoads() }
        #expect(all.strangers.envelopes == 6)
        let honest = MailSource.stranger(origin: Bytes32(repeating: 9))
        #expect(try await deposit(10, from: honest, in: store) != nil)

        for key in try keys(in: store) {
            _ = try await store.write { try $0.acknowledge([key], by: ana, device: device) }
        }
        #expect(try store.read { try $0.mailLoads() }.strangers == MailLoad())
    }

    @Test func `the largest origin loses its newest mail if too much is unverified`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        var evicted: [EnvelopeKey] = []
        let honest = MailSource.stranger(origin: Bytes32(repeating: 9))
        let first = try #require(try await deposit(0, from: honest, in: store))
        evicted += try await store.write { try $0.setAsideUnproved(first) }
        var floods: [EnvelopeKey] = []
        for number in 1...20 {
            let source = MailSource.stranger(origin: Bytes32(repeating: UInt8(number % 2)))
            let key = try #require(try await deposit(number, from: source, in: store))
            floods.append(key)
            evicted += try await store.write { try $0.setAsideUnproved(key) }
        }
        let left = try keys(in: store)
        #expect(left.count == 6 && left.contains(first))
        #expect(evicted.count == 15 && !evicted.contains(first))
        #expect(Set(left).union(evicted) == Set(floods + [first]))
    }

    /// - From peers: prepared mail of unknown senders from hundreds of addresses, to keep every
    ///   other stranger out → among equal origins the one that has waited longest loses its slot
    @Test func `unverified mail from many addresses does not block later mail`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        for number in 0..<20 {
            let source = MailSource.stranger(origin: Bytes32(repeating: UInt8(number)))
            let key = try #require(try await deposit(number, from: source, in: store))
            _ = try await store.write { try $0.setAsideUnproved(key) }
        }
        let honest = MailSource.stranger(origin: Bytes32(repeating: 99))
        let key = try #require(try await deposit(99, from: honest, in: store))
        let evicted = try await store.write { try $0.setAsideUnproved(key) }
        #expect(evicted.count == 1 && !evicted.contains(key))
        #expect(try keys(in: store).contains(key))
    }

    @Test func `does not set aside mail from contacts`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        let key = try #require(
            try await deposit(0, from: .contact(grant: Bytes32(repeating: 1)), in: store)
        )
        #expect(try await store.write { try $0.setAsideUnproved(key) } == [])
        #expect(try store.read { try $0.mailLoads(of: ana) }.contacts.envelopes == 1)
    }
}
