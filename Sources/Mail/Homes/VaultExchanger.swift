import Answers
package import Client
import Concurrency
import Gossip
import GossipProtocol
package import Keys
import Logging
package import Market
import Storage

/// Exchanges the vaults of this node's accounts with their other homes.
///
/// Source: Docs/protocol.md, section 15.
package actor VaultExchanger {
    private let store: Store
    private let exchange: MailExchange
    private let keyring: Keyring
    private let directory: HomeDirectory
    private let client: MailClient
    private let settings: ChatSettings
    private let clock: any WallClock
    private let logger: Logger
    /// Which exchanges are due: as with mail, at intervals, and at a new link.
    private var turns: MailCollection
    /// Homes that did not have the missing middle parts of a vault's logs.
    private var gapsLeft = ExpiringTable<AccountHome, VaultGapPause>(entriesMax: 4_096)
    /// How the last exchange of a vault with a home ended.
    private var outcomes = ExpiringTable<AccountHome, VaultOutcome>(entriesMax: 4_096)

    private nonisolated var now: Timestamp { clock.timestamp }

    init(_ context: MailContext, client: MailClient) {
        (store, exchange, keyring) = (context.store, context.exchange, context.keyring)
        (directory, self.client) = (context.directory, client)
        (settings, clock, logger) = (context.settings, context.clock, context.logger)
        turns = MailCollection(context.settings)
    }

    /// Makes the exchange of an account's vault due at all its homes.
    func changed(of account: Address) { turns.changed(account) }

    /// Makes the exchanges with a newly linked peer due.
    func linked(_ peer: PeerID) { turns.linked(peer) }

    /// Exchanges an account's vault with those of its other homes at which that is due.
    ///
    /// A home that fails is asked again when it is linked, when the vault changes, or after a
    /// while.
    func exchangeDue(of account: Address) async throws {
        let unlocked = try await keyring.unlockedAccount(account)
        let vault = try await keyring.unlockedVault(account)
        let due = turns.takeDue(of: account, at: try directory.otherHomes(of: account), now: now)
        await forEach(due, atOnce: settings.concurrentMax) { lease in
            do {
                try await self.exchange(vault, of: unlocked, with: lease)
                await self.note(nil, of: account, at: lease.peer)
            } catch {
                let isKnown = await self.outcome(of: account, at: lease.peer)?.reason != nil
                await self.note(Self.reason(error), of: account, at: lease.peer)
                // A home that cannot be reached is nothing unusual; one that refuses is, but not
                // each time.
                self.logger.log(
                    level: error is MailRefusal && !isKnown ? .warning : .debug,
                    "vault not exchanged",
                    metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
                )
            }
        }
    }

    /// How the last exchange of an account's vault with a home ended; `nil` if there was none
    /// lately.
    private func outcome(of account: Address, at home: PeerID) -> VaultOutcome? {
        outcomes.value(of: AccountHome(account: account, home: home), at: now)
    }

    /// Returns the account's homes, this node first, each with how the last exchange of the vault
    /// with it ended; `nil` if there was none lately.
    package func exchanges(
        of account: Address
    ) throws -> [(home: PeerID, isThisNode: Bool, outcome: VaultOutcome?)] {
        try directory.homes(of: account).leases.map { lease in
            (
                home: lease.peer,
                isThisNode: lease.peer == exchange.localPeer,
                outcome: outcome(of: account, at: lease.peer)
            )
        }
    }

    private static func reason(_ error: any Error) -> [Sentence] {
        switch error {
        case let refusal as MailRefusal: [refusal.reason]
        case let fault as MailAnswerFault: [fault.reason]
        case let error as LinkError: [error.reason]
        default: [Sentence("recovery.failed", ["reason": "\(error)"])]
        }
    }

    private func note(_ reason: [Sentence]?, of account: Address, at home: PeerID) {
        outcomes.put(
            VaultOutcome(reason: reason),
            for: AccountHome(account: account, home: home),
            until: now.advanced(by: .seconds(3_600)),
            at: now
        )
    }

    private func exchange(
        _ vault: UnlockedVault,
        of unlocked: UnlockedAccount,
        with lease: HomeLease
    ) async throws {
        let home = AccountHome(account: unlocked.account, home: lease.peer)
        let hasGap = try store.read { try $0.vaultGaps(of: unlocked.account) } != nil
        if !hasGap { gapsLeft.remove(home) }
        let last = gapsLeft.value(of: home, at: now)
        let asksForGaps = last.map { $0.end <= now } ?? true
        let first = settings.vaultGapInterval
        // It may break off: what follows a gap is not taken from it each minute.
        if hasGap, asksForGaps { wait(VaultGapPause(last?.length ?? first, at: now), at: home) }
        let isGapLeft = try await client.request(
            lease,
            own: true,
            within: settings.collectionTimeMax
        ) { [exchange] in
            try await exchange.exchangeVault(
                of: unlocked.account,
                device: unlocked.device,
                with: lease.peer,
                asksForGaps: asksForGaps
            ) { try await self.keep($0, of: vault, from: lease.peer) }
        }
        guard asksForGaps else { return }
        if isGapLeft {
            // It does not have the missing part.
            wait(last?.doubled(at: now) ?? VaultGapPause(first, at: now), at: home)
        } else {
            gapsLeft.remove(home)
        }
    }

    /// Stores those of a home's segments that open.
    private nonisolated func keep(
        _ segments: [VaultSegment],
        of vault: UnlockedVault,
        from home: PeerID
    ) async throws {
        let own = segments.filter { segment in
            // A segment that does not open is not part of the vault, whatever the reason. No other
            // home would accept an unsigned one.
            segment.isSigned
                && (try? segment.open(with: vault.key, network: vault.network)) != nil
        }
        if own.count < segments.count {
            logger.warning(
                "a home has segments of a vault that do not open",
                metadata: [
                    "home": "\(home.text)", "segments": "\(segments.count - own.count)",
                ]
            )
        }
        try await store.add { transaction in
            for segment in own { _ = try transaction.keepVault(segment) }
        }
    }

    private func wait(_ pause: VaultGapPause, at home: AccountHome) {
        gapsLeft.put(pause, for: home, until: now.advanced(by: VaultGapPause.memory), at: now)
    }
}

/// Until when a home is not asked for gaps in a vault's logs.
struct VaultGapPause: Sendable {
    /// The maximum length.
    static let lengthMax = Duration.seconds(6 * 3_600)
    /// How long the length of the last pause is remembered.
    static let memory = Duration.seconds(86_400)

    let length: Duration
    let end: Timestamp

    init(_ length: Duration, at now: Timestamp) {
        (self.length, end) = (
            min(length, Self.lengthMax), now.advanced(by: min(length, Self.lengthMax))
        )
    }

    /// Returns the end of a pause that is twice as long: perhaps no one has the missing part.
    func doubled(at now: Timestamp) -> VaultGapPause { VaultGapPause(length * 2, at: now) }
}

/// How an exchange of a vault with a home ended.
package struct VaultOutcome: Hashable, Sendable {
    /// `nil` if it was exchanged.
    package let reason: [Sentence]?
}
