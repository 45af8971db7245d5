import Answers
package import Client
package import Concurrency
package import Foundation
package import Keys
package import Logging
import Market
package import Storage

/// The accounts of this node: their passwords, their sessions, and the keys in memory.
///
/// A key is in memory only while a session of its account exists; the end of the last one drops it.
/// Sessions and keys have one owner for that. No await lies between the check of a password and the
/// session that it opens, so the end of all sessions, after another password or before a removal,
/// misses none.
package actor Accounts {
    /// A password attempt in progress.
    private struct PasswordAttempt: Hashable {
        let caller: CallerGroup
        let account: Address?
    }

    let store: Store
    let clock: any WallClock
    private let uptime: any MonotonicClock
    let cost: KeystoreCost
    var sessions: SessionBook
    private var keys: [Address: PrivateKey] = [:]
    /// The keys that only seal data, of accounts that sign elsewhere.
    private var sealingKeys: [Address: PrivateKey] = [:]
    private var guesses = PasswordThrottle()
    /// At most one of a caller and account at a time, so that each attempt is counted.
    private var beingTried: Set<PasswordAttempt> = []
    let derivations = DerivationScheduler()
    /// A keystore that no password opens.
    ///
    /// Passwords for unknown names are tried on it, so that the answer takes as long as for others.
    private var decoy: [UInt8]?
    /// When accounts were removed to which work under way may still write.
    var removed: [Address: Date] = [:]
    let errors: LoopErrors
    /// The accounts that are left alone.
    package nonisolated let unattended: UnattendedAccounts
    private nonisolated let unlockSignals = Broadcast<Void>()
    private nonisolated let sessionEndSignals = Broadcast<Void>()

    package init(
        store: Store,
        clock: any WallClock = .system,
        uptime: any MonotonicClock = .system,
        cost: KeystoreCost,
        idle: Duration,
        life: Duration,
        confirmed: Duration = .seconds(600),
        unattendedKeys: UnattendedKeys? = nil,
        logger: Logger = Logger(label: "stoa.accounts")
    ) {
        errors = LoopErrors("accounts", logger: logger, clock: uptime)
        self.store = store
        (self.clock, self.uptime) = (clock, uptime)
        self.cost = cost
        unattended = UnattendedAccounts(
            unattendedKeys,
            store: store,
            clock: clock,
            errors: errors,
            changes: unlockSignals,
            logger: logger
        )
        sessions = SessionBook(
            idle: TimeInterval(idle.components.seconds),
            life: TimeInterval(life.components.seconds),
            confirmed: TimeInterval(confirmed.components.seconds)
        )
    }

    /// Ends expired sessions, until cancelled.
    package func run() async throws {
        while true {
            try await uptime.wait(.seconds(5))
            for address in sessions.expire(at: clock.now) { forgetKeys(of: address) }
            sessionEndSignals.send()
            await sweepRemoved()
            await unattended.end(at: clock.now)
        }
    }

    /// Has operations checked again.
    nonisolated func signalChange() { unlockSignals.send() }

    /// Signals at once, and whenever an account may have been unlocked, or was removed.
    package nonisolated func unlockings() -> AsyncStream<Void> { unlockSignals.values() }

    /// Signals at once, and whenever a session may have ended.
    package nonisolated func sessionEnds() -> AsyncStream<Void> { sessionEndSignals.values() }

    /// The accounts whose own keys are in memory, so that the node can sign for them.
    package var unlocked: [Address] { keys.keys.sorted() }

    package func list() async throws -> [Account] {
        var all: [Account] = []
        for entry in try store.accounts() { all.append(await shown(entry)) }
        return all.sorted { $0.name < $1.name }
    }

    /// Returns one account, as the API shows it.
    package func account(_ address: Address) async throws -> Account {
        guard let entry = try store.accounts().first(where: { $0.address == address }) else {
            throw Refusal(.notFound, Sentence("refusal.noAccount", ["account": "\(address)"]))
        }
        return await shown(entry)
    }

    /// Opens a session, and with it the account's key.
    ///
    /// - Throws: ``Refusal`` with `wrong_password` (for an unknown name too), `too_many_tries`.
    package func signIn(_ request: SignIn, by caller: CallerGroup = .operator) async throws
        -> Session
    {
        await shown(try await open(request, cookie: nil, by: caller))
    }

    /// A session that was opened just now.
    struct OpenedSession {
        let token: String
        let account: AccountEntry
        let session: SessionBook.Entry
    }

    /// Opens a session, which needs its browser's cookie if the hash of one is given.
    ///
    /// Nothing is awaited once the password is checked, see ``Accounts``.
    func open(
        _ request: SignIn,
        cookie: Bytes32?,
        by caller: CallerGroup
    ) async throws -> OpenedSession {
        let password = Password(request.password)
        let (entry, key) = try await unlock(request.account, password, by: caller)
        if entry.account.signsElsewhere {
            sealingKeys[entry.address] = key
        } else {
            keys[entry.address] = key
        }
        let token = Bytes32.random().digits
        let owner = SessionOwner.account(entry.address)
        let session = sessions.open(token: token, for: owner, cookie: cookie, at: clock.now)
        unlockSignals.send()
        return OpenedSession(token: token, account: entry, session: session)
    }

    /// Returns a new session in the API's form.
    func shown(_ opened: OpenedSession) async -> Session {
        Session(
            token: opened.token,
            account: await shown(opened.account),
            idleUntil: opened.session.idleUntil,
            expiresAt: opened.session.expiresAt
        )
    }

    /// Finds an account by its name or address, and opens its key with the password.
    ///
    /// - Throws: As ``signIn(_:by:)``.
    func unlock(
        _ name: String,
        _ password: Password,
        by caller: CallerGroup
    ) async throws -> (entry: AccountEntry, key: PrivateKey) {
        if let wait = guesses.wait(for: caller, at: clock.now) {
            throw Refusal(
                .tooManyTries,
                Sentence("refusal.wrongPasswords", ["wait": "\(Int64(wait.rounded(.up)))"]),
                retryAfter: .seconds(Int(wait.rounded(.up)))
            )
        }
        let entry = try store.account(named: name)
        let attempt = PasswordAttempt(caller: caller, account: entry?.address)
        guard beingTried.insert(attempt).inserted || caller == .operator else {
            throw Refusal(
                .tooManyTries,
                Sentence("refusal.signInUnderWay"),
                retryAfter: .seconds(1)
            )
        }
        defer { beingTried.remove(attempt) }
        do {
            let keystore = try await keystore(of: entry, for: caller)
            let key = try await derivations.run(for: caller) {
                try password.unlock(Keystore(json: keystore))
            }
            // The account may have been removed, or given another password, in the meantime.
            guard let entry,
                try store.account(named: entry.address.checksummed)?.account.keystore
                    == entry.account.keystore
            else { throw KeystoreError.wrongPassword }
            guesses.succeed(caller, on: entry.address)
            derivations.noteSuccess(of: caller, on: entry.address)
            return (entry, key)
        } catch KeystoreError.wrongPassword, KeystoreError.wrongPasswordOrDamaged {
            guesses.fail(caller, on: entry?.address, at: clock.now)
            throw Refusal(.wrongPassword, Sentence("refusal.wrongPassword"))
        }
    }

    /// Returns the account's keystore, or one that no password opens.
    private func keystore(of entry: AccountEntry?, for caller: CallerGroup) async throws -> [UInt8]
    {
        if let entry { return entry.account.keystore }
        if let decoy { return decoy }
        let made = try await derivations.run(for: caller) { [cost] in
            try Keystore.seal(.random(), password: .random(count: 32), cost: cost)
        }
        decoy = made
        return made
    }

    /// Ends every session of an account, and drops its key.
    func close(_ account: Address) {
        sessions.closeAll(of: .account(account))
        forgetKeys(of: account)
        signalSessionEnds()
    }

    /// Has open sockets checked again.
    nonisolated func signalSessionEnds() { sessionEndSignals.send() }

    func forgetKeys(of account: Address) {
        keys[account] = nil
        sealingKeys[account] = nil
    }

    /// Returns an account in the API's form.
    private func shown(_ entry: AccountEntry) async -> Account {
        let left = await unattended.moves(of: entry.address)
        return entry.account.shown(
            entry.address,
            isUnlocked: keys[entry.address] != nil || sealingKeys[entry.address] != nil,
            unattended: left == UnattendedMoves(moves: []) ? nil : left
        )
    }

    /// Returns when the last session of an account ends if it is not used; `nil` without a session.
    package func idleUntil(of account: Address) -> Date? { sessions.idleUntil(of: account) }

    /// Returns the key of an account, while it is unlocked; `nil` for one that signs elsewhere.
    package func key(of address: Address) -> PrivateKey? { keys[address] }

    /// Returns whether the account's key is in a wallet outside the node; no for an unknown
    /// account.
    package func signsElsewhere(_ address: Address) throws -> Bool {
        let stored = try store.read { try $0.get(AccountEntries.self, address) }
        return try stored.map { try StoredAccount(storedBytes: $0).signsElsewhere } ?? false
    }

    /// Returns 32 bytes that only the account's key yields, to seal the node's data for it.
    ///
    /// For an account that signs elsewhere, only its password on this node gives them.
    ///
    /// Source: Docs/protocol.md, section 2; RFC 5869.
    package func localSecret(of address: Address) -> SecretBytes? {
        guard let key = keys[address] ?? sealingKeys[address] else { return nil }
        return Self.localSecret(of: key)
    }

    static func localSecret(of key: PrivateKey) -> SecretBytes {
        key.derivedSecret("stoa local storage")
    }
}
