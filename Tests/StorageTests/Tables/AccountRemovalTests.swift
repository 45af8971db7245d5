import Keys
import Market
import Support
import Testing

@testable import Storage

/// Which tables name an account is seen in their keys alone, which are no part of what Storage
/// offers, hence the testable import.
struct AccountRemovalTests {
    private let ana = SampleRecords.key(1).address
    private let bo = SampleRecords.key(2).address

    @Test func `removes all data of one account and of no other`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        try await store.write { transaction in
            for account in [ana, bo] { try Self.fill(&transaction, for: account) }
        }
        let before = try store.read { try ($0.rows(naming: ana), $0.rows(naming: bo)) }
        #expect(before.0.count >= 20, "\(before.0.keys.sorted())")
        #expect(before.0 == before.1)

        try await store.write { try $0.removeAccount(ana) }
        let after = try store.read { try ($0.rows(naming: ana), $0.rows(naming: bo)) }
        #expect(after.0 == [:])
        #expect(after.1 == before.1)
        #expect(try store.read { try $0.homedCount(from: .zero) } == 1)
        // Twice does no harm: the sweep after a removal does so.
        try await store.write { try $0.removeAccount(ana) }
        #expect(try store.read { try $0.rows(naming: bo) } == before.1)
    }

    @Test func `removes only the settings of the removed account`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let kept = ["peer", Settings.key("recovery", of: bo)]
        let gone = ["recovery", "search-mark"].map { Settings.key($0, of: ana) }
        try await store.write { transaction in
            for key in kept + gone { try transaction.put(Settings.self, key, [1]) }
        }

        try await store.write { try $0.removeAccount(ana) }
        #expect(try store.read { try $0.keys(Settings.self, .all()) }.sorted() == kept.sorted())
    }

    private static func fill(
        _ transaction: inout WriteTransaction,
        for account: Address
    ) throws {
        let seed = account.bytes[0]
        let (name, device) = (Bytes32(repeating: 3), Bytes32(repeating: 4))
        try transaction.put(AccountEntries.self, account, [1])
        let list = CompositeKey(Address.zero, name)
        try transaction.put(CurationSubscribers.self, CompositeKey(list, account), 1)
        try transaction.put(Operations.self, CompositeKey(account, name), [1])
        try transaction.put(ReopeningConsents.self, CompositeKey(account, name), [1])
        let segment = CompositeKey(CompositeKey(account, device), UInt64(1))
        try transaction.put(VaultSegments.self, segment, [1])
        try transaction.put(Conversations.self, CompositeKey(account, name), [1])
        let media = Media(id: name, byteCount: 1, form: .png)
        _ = try transaction.pin(media, for: account, bytesMax: 4_096)
        try transaction.putWork(name, of: account, sealed: [1], blob: name)
        try transaction.file(device, byteCount: 1, in: name, of: account)
        let sent = DeliveredWork(sentAt: .sample(), count: 1, isAcknowledged: true)
        try transaction.putDelivery(sent, on: name, of: account)
        let prekey = PrekeyEntry(
            madeAt: .sample(),
            validUntil: .sample(1),
            isLastResort: true,
            seed: [1]
        )
        try transaction.put(Prekeys.self, CompositeKey(CompositeKey(account, device), 7), prekey)
        let home = PeerID(multihash: [0, 1, 1])
        try transaction.put(HomeLeases.self, CompositeKey(account, home), [1])
        let event = AccountEvent(time: .sample(), bytes: [1])
        _ = try transaction.appendEvent(event, for: account)
        try transaction.putAnswer([1], request: name, key: name, of: account, at: .sample())
        let number = MessageNumberKey(
            account: account,
            conversation: name,
            device: device,
            number: 1
        )
        if let key = try transaction.appendMessage([1], as: number) {
            try transaction.put(UnknownMessages.self, key, EmptyValue())
            let report = ReportKey(isOwn: true, filedAt: .sample(), message: key)
            try transaction.put(ReportMessages.self, report, EmptyValue())
        }
        let outgoing = OutboxEntry(
            nextAttemptAt: .sample(),
            expiresAt: .sample(1_000),
            destination: OutboxDestination(recipient: account, isOfSale: false),
            bytes: [1]
        )
        try transaction.putOutbox(outgoing, of: account, id: name)
        let bundle = PrekeyBundleEntry(createdAt: .sample(), bytes: [1])
        try transaction.put(PrekeyBundles.self, CompositeKey(account, device), bundle)
        let grants = DeviceGrants(secret: name, ended: [name])
        try transaction.put(MailGrants.self, CompositeKey(account, device), grants)
        try transaction.put(BlockedContacts.self, CompositeKey(account, name), EmptyValue())
        try transaction.put(
            ConversationsWith.self,
            CompositeKey(CompositeKey(account, name), name),
            EmptyValue()
        )
        try transaction.put(DeletedConversations.self, CompositeKey(account, device), [1])
        try transaction.forgetDeleted(device, of: account, at: .sample())
        // As for an account that had a lease here before it was this node's own.
        _ = try transaction.addHomed(account, from: .zero)
        let envelope = StoredEnvelope(
            hash: Bytes32(repeating: seed),
            source: .contact(grant: device),
            expiresAt: .sample(1_000),
            bytes: [seed]
        )
        _ = try transaction.deposit(envelope, for: account, device: device, at: .sample())
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// How many rows of each table name an account in their keys.
    ///
    /// Not those of the feed of changes, which says what happened.
    fileprivate func rows(naming account: Address) throws -> [String: Int] {
        var found: [String: Int] = [:]
        for table in Schema.current.tables where table != Changes.self {
            let count = try rows(of: table, naming: account)
            if count > 0 { found[table.name] = count }
        }
        return found
    }

    private func rows<T: Table>(of table: T.Type, naming account: Address) throws -> Int {
        // Some keys hold the account as words of eight bytes, so that its last four are elsewhere.
        let name = Array(account.bytes.prefix(16))
        var count = 0
        try scanKeys(table, .all()) { key in
            let bytes = encoded(key)
            let isThere = bytes.indices.contains { bytes[$0...].starts(with: name) }
            count += isThere ? 1 : 0
            return true
        }
        return count
    }
}
