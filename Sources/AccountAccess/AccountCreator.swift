import Answers
package import Client
import Concurrency
import Foundation
import Keys
import Market
import Setup
import Storage

/// Creates accounts: with a new key, from a phrase, with a key of another wallet, or without one.
///
/// It opens none of them, so it needs neither the sessions nor the keys in memory.
package actor AccountCreator {
    /// The maximum number of the node's accounts that others create without the operator's token.
    private static let openAccountsMax = 500
    /// The number of failed attempts allowed for each account that others can create.
    private static let triesPerAccount = 8
    private static let allowanceSetting = "open-accounts"

    private let store: Store
    private let clock: any WallClock
    private let cost: KeystoreCost
    private let derivations: DerivationScheduler
    /// How many accounts others can create in an hour without the operator's token.
    private let openPerHour: Int
    /// The accounts that others created within ``openPerHour``; `nil` until read from the store.
    private var allowance: AccountAllowance?
    /// Attempts by others in the last hour, most of which may have failed.
    private var tries = AccountAllowance()

    /// - Parameters:
    ///   - accounts: The accounts, which share the store and the queue of derivations.
    ///   - openPerHour: How many accounts others can create in an hour without the operator's
    ///     token.
    package init(for accounts: Accounts, openPerHour: Int = 0) {
        (store, clock, cost) = (accounts.store, accounts.clock, accounts.cost)
        derivations = accounts.derivations
        self.openPerHour = openPerHour
    }

    /// Creates an account, with a new key or from its recovery phrase.
    ///
    /// - Throws: ``Refusal`` with `name_taken`, `weak_password`, `bad_phrase`, `malformed_value`;
    ///   from another machine also `operator_needed` and `too_many_tries`.
    package func create(
        _ creation: AccountCreation,
        by caller: CallerGroup = .operator
    ) async throws -> CreatedAccount {
        try AccountNameRules.check(creation.name)
        try Password.check(creation.password)
        // By subnet: one caller often has many addresses in it.
        guard let network = caller.subnet else {
            return try await make(creation, by: caller, taking: nil)
        }
        // Before any work: finding out that a name is taken costs this node as much.
        let entry = AccountAllowance.Entry(network: network, time: clock.now)
        try takeAllowance(entry)
        do {
            return try await make(creation, by: caller, taking: entry)
        } catch {
            allowance?.giveBack(entry)
            throw error
        }
    }

    private func make(
        _ creation: AccountCreation,
        by caller: CallerGroup,
        taking entry: AccountAllowance.Entry?
    ) async throws -> CreatedAccount {
        let phrase = try RecoveryPhrase.entered(creation.phrase)
        let key = try await derivations.run(for: caller) { try phrase.firstKey() }
        let account = try await add(
            key,
            named: creation.name,
            password: creation.password,
            by: caller,
            taking: entry,
            isNew: creation.phrase == nil
        )
        return CreatedAccount(
            account: account,
            phrase: creation.phrase == nil ? phrase.words().joined(separator: " ") : nil
        )
    }

    /// Stores a key as a new account.
    ///
    /// `entry` is its use of the allowance for accounts that others create, if it counts.
    /// `elsewhere` is the account's address if it signs elsewhere; then `key` seals data only.
    /// `isNew` says that the key was made just now, so that no other node can know the account.
    private func add(
        _ key: PrivateKey,
        named name: String,
        password: String,
        by caller: CallerGroup,
        taking entry: AccountAllowance.Entry?,
        for elsewhere: Address? = nil,
        isNew: Bool = false
    ) async throws -> Account {
        let address = elsewhere ?? key.address
        let most = store.limits.accountsMax
        try store.read { try Self.checkIsFree(name, address, caller, max: most, in: $0) }
        let password = Password(password).normal
        // Those from elsewhere had a turn for the phrase.
        let continues = entry != nil
        let keystore = try await derivations.run(for: caller, continues: continues) { [cost] in
            try Keystore.seal(key, password: password, cost: cost)
        }
        let account = StoredAccount(
            name: name,
            createdAt: clock.now,
            keystore: keystore,
            isOpen: entry != nil,
            signsElsewhere: elsewhere != nil
        )
        let bytes = account.storedBytes
        let mark = RecoveryMark(began: clock.timestamp).bytes
        let taken = entry == nil ? nil : allowance?.storedBytes
        try await store.add { transaction in
            try Self.checkIsFree(name, address, caller, max: most, in: transaction)
            try transaction.put(AccountEntries.self, address, bytes)
            if !isNew, elsewhere == nil {
                try transaction.put(Settings.self, RecoveryMark.setting(of: address), mark)
            }
            if let taken {
                try transaction.put(Settings.self, Self.allowanceSetting, taken)
            }
        }
        return account.shown(address, isUnlocked: false)
    }

    /// Creates an account with a private key, or with the key of a keystore file.
    ///
    /// - Throws: ``Refusal`` with `bad_key`, `wrong_password` (of the file), `name_taken`,
    ///   `weak_password`, `malformed_value`.
    package func importKey(_ request: AccountImport, by caller: CallerGroup) async throws -> Account
    {
        try AccountNameRules.check(request.name)
        try Password.check(request.password)
        let key = try await key(of: request, by: caller)
        return try await add(
            key,
            named: request.name,
            password: request.password,
            by: caller,
            taking: nil
        )
    }

    /// Stores an account that signs elsewhere; its owner has proved that the key is theirs.
    ///
    /// The password opens a key that only this node has, which seals the node's data for the
    /// account.
    ///
    /// - Throws: ``Refusal`` with `name_taken`, `weak_password`, `malformed_value`.
    func addExternal(
        _ address: Address,
        named name: String,
        password: String,
        by caller: CallerGroup
    ) async throws -> Account {
        try await add(
            .random(),
            named: name,
            password: password,
            by: caller,
            taking: nil,
            for: address
        )
    }

    private func key(of request: AccountImport, by caller: CallerGroup) async throws -> PrivateKey {
        switch (request.privateKey, request.keystore) {
        case (let digits?, nil): return try PrivateKey.entered(digits)
        case (nil, let file?):
            let password = Password(request.keystorePassword ?? request.password)
            do {
                return try await derivations.run(for: caller) {
                    try password.unlock(Keystore(json: Array(file.utf8)), isForeign: true)
                }
            } catch let error as KeystoreError {
                switch error {
                case .wrongPassword, .wrongPasswordOrDamaged:
                    throw Refusal(.wrongPassword, error.reason, field: "keystorePassword")
                case .outOfMemory: throw error
                case .malformed(.text):
                    throw Refusal(.badKey, Keystore.reason(forNone: file), field: "keystore")
                default: throw Refusal(.badKey, error.reason, field: "keystore")
                }
            }
        default:
            throw Refusal(.malformedValue, Sentence("refusal.giveOneKey"), field: "privateKey")
        }
    }

    private func takeAllowance(_ entry: AccountAllowance.Entry) throws {
        guard openPerHour > 0 else {
            throw Refusal(.operatorNeeded, Sentence("refusal.noNewAccounts"))
        }
        var known = try allowance ?? storedAllowance()
        let waits = [
            known.wait(for: entry.network, perHour: openPerHour, at: entry.time),
            tries.wait(
                for: entry.network,
                perHour: Self.triesPerAccount * openPerHour,
                at: entry.time
            ),
        ]
        if let wait = waits.compactMap({ $0 }).max() {
            throw Refusal(
                .tooManyTries,
                Sentence(
                    "refusal.newAccountsLimited",
                    ["wait": "\(Int((wait / 60).rounded(.up)) * 60)"]
                ),
                retryAfter: .seconds(Int(wait.rounded(.up)))
            )
        }
        known.take(entry)
        tries.take(entry)
        allowance = known
    }

    private func storedAllowance() throws -> AccountAllowance {
        try store.read { try $0.get(Settings.self, Self.allowanceSetting) }
            .map { try AccountAllowance(storedBytes: $0) } ?? AccountAllowance()
    }

    /// Refuses a name or key that an account here has, a name that looks like one, and more
    /// accounts than the limit.
    private static func checkIsFree(
        _ name: String,
        _ address: Address,
        _ caller: CallerGroup,
        max: Int,
        in transaction: borrowing some ReadableTransaction & ~Copyable
    ) throws {
        // A person who signs in need not remember which letters were capitals.
        let folded = name.lowercased()
        let forms = Lookalikes.forms(of: name)
        var (count, openCount) = (0, 0)
        try transaction.scan(AccountEntries.self, .all()) { other, stored in
            let account = try StoredAccount(storedBytes: stored)
            guard account.name.lowercased() != folded else {
                throw AccountNameRules.taken(name)
            }
            guard other != address else {
                let wayIn =
                    account.signsElsewhere
                    ? Sentence("refusal.keyHereElsewhere") : Sentence("refusal.keyHere")
                throw Refusal(
                    .nameTaken,
                    Sentence("refusal.accountKeyTaken", ["name": account.name.quoted]),
                    wayIn,
                    field: "name"
                )
            }
            guard Lookalikes.forms(of: account.name).isDisjoint(with: forms) else {
                throw Refusal(
                    .nameTaken,
                    Sentence("refusal.accountNameLike", ["name": name.quoted]),
                    field: "name"
                )
            }
            count += 1
            openCount += account.isOpen ? 1 : 0
            return true
        }
        try checkRoom(count, open: openCount, caller, max: max)
    }

    /// Refuses more accounts than the limit.
    private static func checkRoom(
        _ count: Int,
        open openCount: Int,
        _ caller: CallerGroup,
        max: Int
    ) throws(Refusal) {
        // The last places are the operator's: any program on this machine can create accounts.
        let isOperator = caller == .operator
        let places = isOperator ? max : max - max / 16
        guard count < places, !caller.isElsewhere || openCount < openAccountsMax else {
            let most = ["most": "\(places)"]
            throw Refusal(
                .notAllowed,
                isOperator
                    ? Sentence("refusal.accountsFull", most)
                    : Sentence("refusal.openAccountsFull", most)
            )
        }
    }
}
