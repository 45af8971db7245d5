import AccountAccess
import Answers
import Client
import Concurrency
import Gossip
package import Keys
import Market
import Records
import Storage

/// An account's changes to its profile; `nil` keeps the last profile's value.
struct ProfileEdit: Sendable {
    var name: String?
    var about: String?
    var region: String?
    /// `.some(nil)` takes the picture away.
    var avatar: Media??
}

/// Publishes the profiles of this node's accounts, which name their homes.
package actor ProfilePublisher {
    /// How often publishing a profile is tried if another one replaces it in the meantime.
    private static let publishingTriesMax = 4

    private let store: Store
    private let accounts: Accounts
    private let recordService: RecordService
    private let keyring: Keyring
    private let directory: HomeDirectory
    private let renewal: RecordRenewal
    private let client: MailClient
    private let publisher: HomePublisher
    private let settings: ChatSettings
    private let clock: any WallClock
    /// One profile is published at a time.
    private let turn = AsyncSemaphore(unitsMax: 1)

    private nonisolated var now: Timestamp { clock.timestamp }

    init(_ context: MailContext, client: MailClient, publisher: HomePublisher) {
        (store, accounts) = (context.store, context.accounts)
        (recordService, keyring) = (context.recordService, context.keyring)
        (directory, renewal) = (context.directory, context.renewal)
        (self.client, self.publisher) = (client, publisher)
        (settings, clock) = (context.settings, context.clock)
    }

    /// Publishes an account's profile with changes, and the homes that it has now.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`, `signs_elsewhere`, `malformed_value`, and
    ///   `not_allowed` while the profile is still looked for.
    func edit(_ edit: ProfileEdit, of account: Address) async throws {
        let unlocked = try await keyring.unlockedAccount(account)
        guard try await !isAwaiting(account) else {
            throw Refusal(.notAllowed, Sentence("refusal.awaitingProfile"))
        }
        try await renew(unlocked, edit)
    }

    /// Looks for the profile of an account that was restored from its key.
    ///
    /// - Returns: Whether it is not known and still looked for.
    func isAwaiting(_ account: Address) async throws -> Bool {
        let name = RecoveryMark.setting(of: account)
        let held = try store.read { try $0.get(Settings.self, name) }
        guard var mark = held.flatMap(RecoveryMark.init) else { return false }
        var isKnown = try hasProfileRecord(of: account)
        if !isKnown {
            let isAnswered = await client.lookUp(account)
            if isAnswered, mark.answered == nil { mark.answered = now }
            isKnown = try hasProfileRecord(of: account)
        }
        let isLooking = mark.isLooking(
            at: now,
            patience: settings.recoveryPatience,
            alone: settings.recoveryAlone
        )
        let isOver = isKnown || !isLooking
        let bytes = mark.bytes
        guard isOver || bytes != held else { return true }
        try await store.write { transaction in
            if isOver {
                try transaction.remove(Settings.self, name)
            } else {
                try transaction.put(Settings.self, name, bytes)
            }
        }
        return !isOver
    }

    /// Whether the store has the account's profile, or the record that withdrew it.
    private func hasProfileRecord(of account: Address) throws -> Bool {
        let place = RecordKey(author: account, kind: .profile, slot: .zero)
        return try store.read { try $0.record(in: place) } != nil
    }

    /// Publishes the profile if the account's homes have changed, or before the network forgets it.
    ///
    /// One profile is renewed at a time: each builds on the last, so of two that began with the
    /// same one the second would be refused, or would drop the home that the first had added. If
    /// something else publishes a profile during a renewal, that profile is read and the renewal
    /// published again.
    func renew(
        _ unlocked: UnlockedAccount,
        _ edit: ProfileEdit = ProfileEdit(),
        without gone: PeerID? = nil
    ) async throws {
        let permit = try await turn.wait()
        defer { withExtendedLifetime(permit) {} }
        for _ in 1..<Self.publishingTriesMax {
            do {
                return try await publish(unlocked, edit, without: gone)
            } catch let refusal as Refusal where refusal.code == .notAsPromised {
                continue
            }
        }
        try await publish(unlocked, edit, without: gone)
    }

    /// Withdraws the profile of an account that was removed from this node.
    ///
    /// - Parameters:
    ///   - key: The account's key.
    ///   - isWanted: Whether to; `nil` does so if the profile names no home but this node:
    ///     otherwise the account may continue on another one.
    /// - Throws: As ``Records/RecordService/publish(_:)``.
    package func withdraw(by key: PrivateKey, isWanted: Bool?) async throws {
        let permit = try await turn.wait()
        defer { withExtendedLifetime(permit) {} }
        guard let known = try store.read({ try $0.profile(of: key.address) }) else { return }
        let isAlone = known.profile.homes.allSatisfy { $0.peer == directory.ownPeer }
        guard isWanted ?? isAlone else { return }
        _ = try await recordService.publish(.withdrawal(.profile), by: key)
    }

    private func publish(
        _ unlocked: UnlockedAccount,
        _ edit: ProfileEdit,
        without gone: PeerID?
    ) async throws {
        let account = unlocked.account
        guard try await !isAwaiting(account) else { return }
        let known = try store.read { try $0.profile(of: account) }
        let homes = try directory.homes(of: account)
            .listed(after: known?.profile.homes ?? [])
            .filter { $0.peer != gone }
        let localName = try await accounts.account(account).name
        let make = { (homes: [HomeLease]) throws(RuleFault) in
            try Profile(
                name: edit.name ?? known?.profile.name ?? localName,
                about: edit.about ?? known?.profile.about ?? "",
                avatar: edit.avatar ?? known?.profile.avatar,
                region: edit.region ?? known?.profile.region ?? "",
                homes: homes
            )
        }
        let profile: Profile
        do {
            profile = try fitting(homes, of: account, make)
        } catch let fault as RuleFault {
            throw fault.refusal(.malformedValue)
        }
        guard edit.isEmpty || profile.homes == homes else { throw Refusal.longProfile }
        if let known, known.profile == profile, renewal.isFresh(known.record) { return }
        // The first one is the account's own to publish.
        if known == nil, unlocked.isLeftAlone { return }
        let draft = try recordService.draft(
            of: .profile(profile),
            slot: .zero,
            author: account,
            at: now
        )
        _ = try await recordService.publish(unlocked.signed(draft, replacing: known?.profile))
        await publisher.recordsChanged(of: account)
    }

    /// Returns a profile that names as many of these homes as the network accepts of the account.
    private func fitting(
        _ homes: [HomeLease],
        of account: Address,
        _ make: ([HomeLease]) throws -> Profile
    ) throws -> Profile {
        for count in (1...max(homes.count, 1)).reversed() {
            let profile = try make(Array(homes.prefix(count)))
            if recordService.admits(.profile(profile), by: account) { return profile }
        }
        return try make([])
    }
}

extension ProfileEdit {
    fileprivate var isEmpty: Bool {
        name == nil && about == nil && region == nil && avatar == nil
    }
}

extension Refusal {
    fileprivate static var longProfile: Refusal {
        Refusal(
            .malformedValue,
            Sentence("refusal.profileLong", ["most": "\(OpenLaneRules.byteCountMax)"]),
            field: "about"
        )
    }
}
