package import Client
import Crypto
import Foundation
package import Keys
package import Storage

/// The accounts of this node: their keystores, who is signed in, and whose key is in memory.
///
/// A key is in memory only while a session of its account lives; the last session's end drops it.
package actor Accounts {
    private static let passwordBytesMin = 8
    private static let nameBytesMax = 64
    private static let accountsMax = 1_000
    /// Keystores made or opened at a time: each takes as much memory as it costs to guess.
    private static let openingsMax = 2
    private static let openingsWaitingMax = 64

    private let store: Store
    private let clock: any NodeClock
    private let cost: KeystoreCost
    private var sessions: SessionBook
    private var keys: [Address: PrivateKey] = [:]
    /// Accounts whose password is being tried; one try at a time, so that none goes uncounted.
    private var beingTried: Set<Address> = []
    private var openings = Turnstile(insideMax: openingsMax, waitingMax: openingsWaitingMax)
    private nonisolated let bell = Bell()
    private nonisolated let endings = Bell()

    package init(
        store: Store,
        clock: any NodeClock = SystemClock(),
        cost: KeystoreCost,
        idle: Duration,
        life: Duration
    ) {
        self.store = store
        self.clock = clock
        self.cost = cost
        sessions = SessionBook(
            idle: TimeInterval(idle.components.seconds),
            life: TimeInterval(life.components.seconds)
        )
    }

    /// Ends sessions whose time is over, until cancelled.
    package func run() async throws {
        while true {
            try await Task.sleep(for: .seconds(5))
            for address in sessions.expire(at: clock.now) { keys[address] = nil }
            endings.ring()
        }
    }

    /// Rings at once, and whenever an account may have been unlocked.
    package nonisolated func unlockRings() -> AsyncStream<Void> { bell.rings() }

    /// Rings at once, and whenever a session may have ended.
    package nonisolated func endRings() -> AsyncStream<Void> { endings.rings() }

    /// The accounts whose keys are in memory.
    package var unlocked: [Address] { keys.keys.sorted() }

    /// Makes an account, new or from its recovery phrase.
    ///
    /// - Throws: ``Refusal`` with `name_taken`, `weak_password`, `bad_phrase` or `malformed_value`.
    package func create(_ creation: AccountCreation) async throws -> CreatedAccount {
        let name = creation.name
        guard !name.isEmpty, name.utf8.count <= Self.nameBytesMax, !name.hasPrefix("0x"),
            name.unicodeScalars.allSatisfy(Self.isVisible)
        else {
            throw Refusal(
                .malformedValue,
                "A name has 1 to 64 bytes, no spaces or control characters, and does not begin "
                    + "with 0x.",
                field: "name"
            )
        }
        guard creation.password.utf8.count >= Self.passwordBytesMin else {
            throw Refusal(
                .weakPassword,
                "A password has \(Self.passwordBytesMin) characters at least.",
                field: "password"
            )
        }
        let phrase = try Self.phrase(creation.phrase)
        let key = try Self.key(of: phrase)
        let address = key.address
        let keystore = try await inTurn { [cost] in
            try await Self.seal(key, SecretBytes(text: creation.password), cost)
        }
        let account = StoredAccount(name: name, createdAt: clock.now, keystore: keystore)
        let bytes = try account.bytes()
        // Who signs in need not remember which letters were capital.
        let folded = name.lowercased()
        try await store.write { transaction in
            try transaction.scan(AccountEntries.self, .all()) { other, stored in
                let isSame = try StoredAccount(stored: stored).name.lowercased() == folded
                let isTaken = isSame || other == address
                if isTaken {
                    throw Refusal(
                        .nameTaken,
                        "This node has an account \(name.quoted) or with this key. Choose another name, "
                            + "or sign in.",
                        field: "name"
                    )
                }
                return true
            }
            guard try transaction.count(AccountEntries.self) < Self.accountsMax else {
                throw Refusal(.notAllowed, "This node keeps \(Self.accountsMax) accounts at most.")
            }
            try transaction.put(AccountEntries.self, address, bytes)
        }
        return CreatedAccount(
            account: account.shown(address, isUnlocked: false),
            phrase: creation.phrase == nil ? phrase.words().joined(separator: " ") : nil
        )
    }

    package func list() async throws -> [Account] {
        try entries().map { $0.account.shown($0.address, isUnlocked: keys[$0.address] != nil) }
            .sorted { $0.name < $1.name }
    }

    /// One account, as the API shows it.
    package func account(_ address: Address) throws -> Account {
        guard let entry = try entries().first(where: { $0.address == address }) else {
            throw Refusal(.notFound, "This node has no account \(address).")
        }
        return entry.account.shown(address, isUnlocked: keys[address] != nil)
    }

    /// Opens a session, and with it the account's key.
    ///
    /// - Throws: ``Refusal`` with `wrong_password` (for a name that is unknown as well),
    ///   `too_many_tries`.
    package func signIn(_ request: SignIn) async throws -> Session {
        let wrong = Refusal(.wrongPassword, "The account or its password is wrong.")
        let wanted = request.account.lowercased()
        let entries = try entries()
        let entry =
            entries.first { $0.account.name == request.account }
            ?? entries.first {
                [$0.account.name.lowercased(), $0.address.checksummed.lowercased()]
                    .contains(wanted)
            }
        guard let entry else { throw wrong }
        if let wait = sessions.wait(for: entry.address, at: clock.now) {
            throw Refusal(
                .tooManyTries,
                "Too many wrong passwords; try again in \(Int(wait.rounded(.up))) seconds.",
                retryAfter: .seconds(Int(wait.rounded(.up)))
            )
        }
        guard beingTried.insert(entry.address).inserted else {
            throw Refusal(
                .tooManyTries,
                "Somebody is signing in to this account just now; try again in a second.",
                retryAfter: .seconds(1)
            )
        }
        defer { beingTried.remove(entry.address) }
        let key: PrivateKey
        do {
            key = try await inTurn {
                try await Self.open(entry.account.keystore, SecretBytes(text: request.password))
            }
        } catch KeystoreError.wrongPassword, KeystoreError.wrongPasswordOrDamaged {
            sessions.fail(entry.address, at: clock.now)
            throw wrong
        }
        keys[entry.address] = key
        let token = Hex.encode(Bytes32.random().bytes)
        let session = sessions.open(token: token, for: entry.address, at: clock.now)
        bell.ring()
        return Session(
            token: token,
            account: entry.account.shown(entry.address, isUnlocked: true),
            idleUntil: session.idleUntil,
            expiresAt: session.expiresAt
        )
    }

    /// Ends a session; the last of an account drops its key.
    package func signOut(token: String) {
        guard let entry = sessions.use(token: token, at: clock.now) else { return }
        sessions.close(token: token)
        endings.ring()
        if !sessions.isSignedIn(entry.account) { keys[entry.account] = nil }
    }

    /// Whose session the token opens, if any; it does not go idle by that.
    package func address(forToken token: String) -> Address? {
        sessions.use(token: token, at: clock.now)?.account
    }

    /// Whether the token opens a session now; asking does not keep it from going idle.
    package func isOpen(token: String) -> Bool { sessions.isOpen(token: token, at: clock.now) }

    /// The key of an account, while it is unlocked.
    package func key(of address: Address) -> PrivateKey? { keys[address] }

    /// Thirty-two bytes that only the account's key gives, to seal what the node keeps for it.
    ///
    /// Source: Docs/protocol.md, section 2; RFC 5869.
    package func localSecret(of address: Address) -> SecretBytes? {
        guard let key = keys[address] else { return nil }
        let material = unsafe key.withBytes { unsafe SymmetricKey(data: $0) }
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material,
            info: Array("stoa local storage".utf8),
            outputByteCount: 32
        )
        return unsafe derived.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
    }

    /// Runs what takes much memory when few others do.
    private func inTurn<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        switch openings.enter() {
        case .inside: break
        case .waits: await withCheckedContinuation { openings.wait($0) }
        case .full:
            throw Refusal(
                .tooManyTries,
                "Too many accounts are being opened just now; try again in a moment.",
                retryAfter: .seconds(5)
            )
        }
        defer { openings.leave() }
        return try await body()
    }

    private func entries() throws -> [(address: Address, account: StoredAccount)] {
        var found: [(Address, StoredAccount)] = []
        try store.read { transaction in
            try transaction.scan(AccountEntries.self, .all()) { address, bytes in
                found.append((address, try StoredAccount(stored: bytes)))
                return true
            }
        }
        return found
    }

    /// Whether a character shows as itself wherever a name is printed.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned,
            .privateUse, .surrogate:
            false
        default: true
        }
    }

    private static func phrase(_ text: String?) throws -> RecoveryPhrase {
        guard let text else { return .random() }
        do { return try RecoveryPhrase(text: text) } catch {
            throw Refusal(.badPhrase, "\(error)", field: "phrase")
        }
    }

    private static func key(of phrase: RecoveryPhrase) throws -> PrivateKey {
        do { return try AccountKeys(seed: phrase.seed()).key(0) } catch {
            throw Refusal(.badPhrase, "These words give no key: \(error)", field: "phrase")
        }
    }

    /// Off the actor, because scrypt takes long on purpose.
    @concurrent
    private static func seal(
        _ key: PrivateKey,
        _ password: SecretBytes,
        _ cost: KeystoreCost
    ) async throws -> [UInt8] {
        try Keystore.seal(key, password: password, cost: cost)
    }

    @concurrent
    private static func open(
        _ keystore: Data,
        _ password: SecretBytes
    ) async throws -> PrivateKey {
        try Keystore(json: [UInt8](keystore)).unlock(password: password)
    }
}
