import AccountAccess
import Answers
import Client
import Concurrency
import Foundation
import Gossip
import Keys
import Logging
import Market
import Records
import Storage

/// The parts of the node that chat works with, and reads of them that several of its actors need.
///
/// It has no state of its own.
struct ChatServices: Sendable {
    let store: Store
    let accounts: Accounts
    let events: AccountEventLog
    let recordService: RecordService
    let exchange: MailExchange
    let mailStore: LMDBMailStore
    let view: any ChainView & Sendable
    let settings: ChatSettings
    let clock: any WallClock
    let logger: Logger
    /// Those of the loop that the actor works in.
    private(set) var errors: LoopErrors

    /// Returns the same services for the actor of another loop.
    func forLoop(_ name: String) -> ChatServices {
        var services = self
        services.errors = LoopErrors(name, logger: logger)
        return services
    }

    /// Returns an account's homes: own leases for an account of this node, else its profile's.
    func homeLeases(of account: Address) throws -> [HomeLease] {
        let isOwn = try store.read { try $0.contains(AccountEntries.self, account) }
        if isOwn { return try homes(of: account).leases }
        let profile = try store.read { try $0.profile(of: account)?.profile }
        let now = Timestamp(clock.now)
        return (profile?.homes ?? []).filter { $0.until > now && $0.isGranted(to: account) }
    }

    /// Returns the homes of an account of this node.
    ///
    /// The leases come from the store, and from the profile, into which the account's other nodes
    /// put theirs.
    func homes(of account: Address) throws -> AccountHomes {
        var known: [HomeLease] = []
        try store.read { transaction in
            try transaction.scan(HomeLeases.self, .prefix(account)) { _, bytes in
                if let lease = HomeLease(bytes: bytes) { known.append(lease) }
                return true
            }
            known += try transaction.profile(of: account)?.profile.homes ?? []
        }
        return AccountHomes(known, of: account, own: exchange.localPeer, at: Timestamp(clock.now))
    }

    /// Returns whether an account's own record need not be published again yet.
    ///
    /// Open records are forgotten after a week and are not exchanged. Once the account is a party
    /// to a sale, a new version is anchored.
    func isFresh(_ record: StoredRecord) -> Bool {
        if record.lane == .anchored { return true }
        if view.isParty(record.version.key.author) { return false }
        let renewal = record.version.createdAt.advanced(by: settings.recordRenewal)
        return renewal > Timestamp(clock.now)
    }

    /// Reports a message to its account as an event, if it is new or has a new state.
    func report(
        _ message: StoredMessage,
        _ name: MessageName,
        _ kept: StoredConversation,
        to account: Address
    ) async throws {
        let shown = message.shown(at: name, in: kept)
        try await events.record(
            "message",
            subject: shown.conversation,
            data: shown.eventData,
            for: account
        )
    }
}

/// A part of chat: its actors and the structs that work for them, each with state of its own.
protocol ChatPart: Sendable {
    nonisolated var services: ChatServices { get }
}

extension ChatPart {
    nonisolated var store: Store { services.store }
    nonisolated var accounts: Accounts { services.accounts }
    nonisolated var events: AccountEventLog { services.events }
    nonisolated var recordService: RecordService { services.recordService }
    nonisolated var exchange: MailExchange { services.exchange }
    nonisolated var mailStore: LMDBMailStore { services.mailStore }
    nonisolated var settings: ChatSettings { services.settings }
    nonisolated var clock: any WallClock { services.clock }
    nonisolated var logger: Logger { services.logger }
    nonisolated var now: Timestamp { Timestamp(clock.now) }

    /// Runs `body`; a failure is logged, and the next pass tries again.
    func attempt(_ what: String, _ body: () async throws -> Void) async {
        await services.errors.item(what, body)
    }

    /// Runs `body` for each element, at most `settings.concurrentMax` at a time.
    func forEach<Element: Sendable>(
        _ elements: [Element],
        _ body: @escaping @Sendable (Element) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, element) in elements.enumerated() {
                if index >= settings.concurrentMax { await group.next() }
                group.addTask { await body(element) }
            }
        }
    }
}

extension Message {
    /// The data of an event about the message.
    var eventData: [String: String] {
        ["message": id, "sender": sender, "state": state, "heldBy": String(heldBy)]
    }
}
