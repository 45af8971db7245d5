import Keys
import Market
import Storage
import Support
import Testing

struct MailTests {
    private let ana = SampleRecords.key(1).address
    private let phone = Bytes32(repeating: 1)
    private let laptop = Bytes32(repeating: 2)

    /// A store of the node that has Ana's account.
    private func store(
        in folder: TemporaryFolder,
        _ limits: StoreLimits = StoreLimits()
    ) async throws -> Store {
        let store = try Store(folder: folder.path, limits: limits)
        try await store.write { try $0.put(AccountEntries.self, ana, [1]) }
        return store
    }

    private func envelope(
        _ number: UInt8,
        from depositor: UInt8 = 9,
        byteCount: Int = 100,
        expiresAt: Timestamp = .sample(1_000)
    ) -> StoredEnvelope {
        StoredEnvelope(
            hash: Bytes32(repeating: number),
            source: .contact(grant: Bytes32(repeating: depositor)),
            expiresAt: expiresAt,
            bytes: [UInt8](repeating: number, count: byteCount)
        )
    }

    @Test func `a device collects its mail in order until it acknowledges it`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        try await store.write { transaction in
            for number in 1...3 as ClosedRange<UInt8> {
                _ = try transaction.deposit(
                    envelope(number),
                    for: ana,
                    device: phone,
                    at: .sample()
                )
            }
            _ = try transaction.deposit(envelope(4), for: ana, device: laptop, at: .sample())
        }

        let page = try store.read { try $0.envelopes(for: ana, device: phone, limit: 2) }
        #expect(page.map(\.envelope) == [envelope(1), envelope(2)])
        let rest = try store.read {
            try $0.envelopes(for: ana, device: phone, after: page[1].key.number, limit: 9)
        }
        #expect(rest.map(\.envelope) == [envelope(3)])

        let keys = page.map(\.key)
        let byStranger = try await store.write {
            try $0.acknowledge(keys, by: ana, device: laptop)
        }
        let byOwner = try await store.write { try $0.acknowledge(keys, by: ana, device: phone) }
        #expect(byStranger == 0 && byOwner == 2)
        let left = try store.read { try $0.envelopes(for: ana, device: phone, limit: 9) }
        #expect(left.map(\.envelope) == [envelope(3)])
    }

    @Test func `stores an envelope once, and an expired one never`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)

        let outcomes = try await store.write { transaction in
            try [
                transaction.deposit(envelope(1), for: ana, device: phone, at: .sample()),
                transaction.deposit(envelope(1), for: ana, device: phone, at: .sample()),
                transaction.deposit(envelope(2), for: ana, device: phone, at: .sample(1_000)),
            ]
        }

        guard case .stored = outcomes[0] else { Issue.record("\(outcomes)"); return }
        #expect(Array(outcomes.dropFirst()) == [.duplicate, .expired])
    }

    /// - From peers: known senders who fill a mailbox → each can use a quarter of what the others
    ///   leave
    @Test func `a grant's holder can use a quarter of the remaining room`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.recipientEnvelopesMax = 12
        let store = try await store(in: folder, limits)

        // A quarter of twelve, of nine, of seven …: the next one always finds room.
        let outcomes = try await store.write { transaction in
            try [7, 7, 7, 7, 8, 8, 8, 9, 9, 6].enumerated().map { number, depositor in
                try transaction.deposit(
                    envelope(UInt8(number), from: depositor),
                    for: ana,
                    device: phone,
                    at: .sample()
                )
            }
        }

        let refused = outcomes.map { if case .stored = $0 { nil } else { $0 } as DepositOutcome? }
        let full = DepositOutcome.depositorOverQuota
        #expect(refused == [nil, nil, nil, full, nil, nil, full, nil, full, nil])
        let stored = outcomes.compactMap { if case .stored(let key) = $0 { key } else { nil } }
        let next = try await store.write { transaction in
            _ = try transaction.acknowledge(Array(stored.prefix(3)), by: ana, device: phone)
            return try transaction.deposit(
                envelope(11, from: 7),
                for: ana,
                device: phone,
                at: .sample()
            )
        }
        guard case .stored = next else { Issue.record("\(next)"); return }
    }

    @Test func `expired mail is removed and frees its quota`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        try await store.write { transaction in
            let late = envelope(2, expiresAt: .sample(2_000))
            _ = try transaction.deposit(envelope(1), for: ana, device: phone, at: .sample())
            _ = try transaction.deposit(late, for: ana, device: phone, at: .sample())
        }

        #expect(try await store.write { try $0.sweepMail(at: .sample(1_000)) } == 1)
        #expect(try await store.write { try $0.sweepMail(at: .sample(1_000)) } == 0)
        let left = try store.read { try $0.envelopes(for: ana, device: phone, limit: 9) }
        #expect(left.map(\.envelope.hash) == [Bytes32(repeating: 2)])
    }

    @Test func `the outbox returns due messages, the longest due first`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let ids = (1...3).map { Bytes32(repeating: $0) }
        try await store.write { transaction in
            for (index, id) in ids.enumerated() {
                let entry = OutboxEntry(
                    nextAttemptAt: .sample(UInt64(30 - index * 10)),
                    expiresAt: .sample(99),
                    destination: OutboxDestination(recipient: ana, isOfSale: index == 2),
                    bytes: [UInt8(index)]
                )
                try transaction.putOutbox(entry, of: ana, id: id)
            }
        }

        #expect(
            try store.read { try $0.outboxTimes(until: .sample(20)).map(\.name.id) } == [
                ids[2], ids[1],
            ]
        )
        let destinations = try store.read {
            try $0.outboxTimes(until: .sample(20)).map(\.destination)
        }
        #expect(destinations.map(\.isOfSale) == [true, false])
        #expect(destinations.allSatisfy { $0.recipient == ana })
        var later = try #require(try store.read { try $0.outboxEntry(of: ana, id: ids[2]) })
        later.nextAttemptAt = .sample(50)
        later.attempts += 1
        try await store.write { [later] in try $0.putOutbox(later, of: ana, id: ids[2]) }
        try await store.write { try $0.removeOutbox(of: ana, id: ids[1]) }
        #expect(
            try store.read { try $0.outboxTimes(until: .sample(90)).map(\.name.id) } == [
                ids[0], ids[2],
            ]
        )
    }

    @Test func `stores a message once per device and number, in order of arrival`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let talk = Bytes32(repeating: 5)
        @Sendable func number(_ device: Bytes32, _ number: UInt64) -> MessageNumberKey {
            MessageNumberKey(account: ana, conversation: talk, device: device, number: number)
        }

        let places = try await store.write { transaction in
            try [
                transaction.appendMessage([1], as: number(phone, 1)),
                transaction.appendMessage([2], as: number(laptop, 1)),
                transaction.appendMessage([3], as: number(phone, 1)),
                transaction.appendMessage([4], as: number(phone, 2)),
            ].map { $0?.place }
        }
        #expect(places == [1, 2, nil, 3])

        let latest = try store.read { try $0.messages(account: ana, conversation: talk, limit: 2) }
        #expect(latest.map(\.bytes) == [[4], [2]])
        let before = try store.read {
            try $0.messages(account: ana, conversation: talk, before: 2, limit: 9)
        }
        #expect(before.map(\.bytes) == [[1]])
        try await store.write { try $0.replaceMessage([9], at: before[0].key) }
        #expect(try store.read { try $0.message(at: before[0].key) } == [9])
    }

    /// - From peers: more mail from strangers at one address than its share → refused; it waits at
    ///   its sender
    @Test func `strangers have their own room, with a share per origin, for a week`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.strangersEnvelopesMax = 3
        limits.originEnvelopesMax = 2
        limits.recipientEnvelopesMax = 4
        let store = try await store(in: folder, limits)
        func stranger(_ number: UInt8, from origin: UInt8) -> StoredEnvelope {
            StoredEnvelope(
                hash: Bytes32(repeating: number),
                source: .stranger(origin: Bytes32(repeating: origin)),
                expiresAt: Timestamp.sample().advanced(by: .days(30)),
                bytes: [number]
            )
        }
        let all = [
            stranger(1, from: 1), stranger(2, from: 1), stranger(3, from: 1),
            stranger(4, from: 2), stranger(5, from: 3), envelope(6), envelope(7),
        ]
        let outcomes = try await store.write { transaction in
            try all.map {
                try transaction.deposit($0, for: ana, device: phone, at: .sample())
            }
        }
        let refused = outcomes.map { if case .stored = $0 { nil } else { $0 } as DepositOutcome? }
        #expect(
            refused == [
                nil, nil, .depositorOverQuota, nil, nil, nil, .depositorOverQuota,
            ]
        )
        // The fifth came in place of the newest of the origin that had two.
        let waiting = try store.read {
            try $0.envelopes(for: ana, device: phone, limit: 10).map { $0.envelope.bytes[0] }
        }
        #expect(waiting == [1, 4, 5, 6])
        let loads = try store.read { try $0.mailLoads(of: ana) }
        #expect(loads.contacts == MailLoad(envelopes: 1, bytes: 4_096))
        #expect(loads.strangers == MailLoad(envelopes: 3, bytes: 3 * 4_096))
        let week = Timestamp.sample().advanced(by: .days(7))
        #expect(try await store.write { try $0.sweepMail(at: week) } == 4)
        #expect(try store.read { try $0.mailLoads().strangers } == MailLoad())
    }

    @Test func `the strangers' room always has a place for one more origin`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        (limits.strangersEnvelopesMax, limits.originEnvelopesMax) = (8, 4)
        let store = try await store(in: folder, limits)
        func deposit(_ number: UInt8, from origin: UInt8) async throws -> DepositOutcome {
            let envelope = StoredEnvelope(
                hash: Bytes32(repeating: number),
                source: .stranger(origin: Bytes32(repeating: origin)),
                expiresAt: Timestamp.sample().advanced(by: .days(5)),
                bytes: [number]
            )
            return try await store.write {
                try $0.deposit(envelope, for: ana, device: phone, at: .sample())
            }
        }
        func waiting() throws -> [UInt8] {
            try store.read {
                try $0.envelopes(for: ana, device: phone, limit: 20).map { $0.envelope.bytes[0] }
            }
        }
        // Two origins fill it.
        for number in 1...4 as ClosedRange<UInt8> {
            _ = try await deposit(number, from: 1)
            _ = try await deposit(10 + number, from: 2)
        }
        #expect(try await deposit(20, from: 3) != .strangersOverQuota)
        #expect(try waiting() == [1, 11, 2, 12, 3, 13, 4, 20])
        #expect(try await deposit(30, from: 4) != .strangersOverQuota)
        #expect(try waiting() == [1, 11, 2, 12, 3, 13, 20, 30])
        // Those that filled it push out no other, nor each other for long.
        #expect(try await deposit(5, from: 1) == .strangersOverQuota)
        #expect(try await deposit(15, from: 2) == .strangersOverQuota)
        #expect(try waiting() == [1, 11, 2, 12, 3, 13, 20, 30])
        let loads = try store.read { try $0.mailLoads(of: ana) }
        #expect(loads.strangers == MailLoad(envelopes: 8, bytes: 8 * 4_096))
    }
}
