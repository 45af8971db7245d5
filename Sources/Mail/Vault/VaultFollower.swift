import AccountAccess
import Answers
import Concurrency
import Foundation
import Keys
import Logging
import Market
import Storage

/// Shares an account's actions on one of its nodes with the others by its vault, and applies theirs
/// here: accounts that it blocks or accepts, and messages that it reads.
///
/// Blocking is written at once (``Vault/block(_:at:by:)``), accepting at the next pass. Read
/// messages are written together, every `readMarksInterval` at most, as each entry is kept by all
/// homes.
///
/// Source: Docs/protocol.md, section 15.11.
actor VaultFollower {
    private let store: Store
    private let accounts: Accounts
    private let keyring: Keyring
    private let vault: Vault
    private let settings: ChatSettings
    private let signals: MailSignals
    private let clock: any WallClock
    private let errors: LoopErrors
    /// The logs as they were when the account's vault was last read here.
    private var seen: [Address: VaultLogs] = [:]
    /// Devices that were missed at the last look, and when that was.
    private var missed: [Address: (devices: Set<Bytes32>, at: Timestamp)] = [:]
    private var unwritten: [Address: Set<Bytes32>] = [:]
    private var writtenAt: [Address: Timestamp] = [:]

    private nonisolated var now: Timestamp { clock.timestamp }

    init(_ context: MailContext, vault: Vault) {
        (store, accounts) = (context.store, context.accounts)
        (keyring, signals) = (context.keyring, context.signals)
        (self.vault, settings) = (vault, context.settings)
        (clock, errors) = (context.clock, context.errors)
    }

    /// Records that an account has read a conversation.
    func noteRead(_ conversation: Bytes32, by account: Address) {
        unwritten[account, default: []].insert(conversation)
    }

    /// Writes the due entries of each signed-in account, and applies those of its other nodes.
    func runPass() async {
        let unlocked = await accounts.unlocked
        seen = seen.filter { unlocked.contains($0.key) }
        missed = missed.filter { unlocked.contains($0.key) }
        for account in unlocked {
            await errors.item("write into the vault") { try await self.write(account) }
            await errors.item("follow the vault") { try await self.follow(account) }
            await errors.item("take over former devices' entries") { try await self.adopt(account) }
        }
    }

    /// Takes over the entries of former devices, once they were missing in two passes.
    private func adopt(_ account: Address) async throws {
        let last = missed[account]
        if let last, last.at <= now, last.at.advanced(by: settings.sweepInterval) > now { return }
        let devices = try await vault.adopt(of: account, goneBefore: last?.devices ?? [])
        missed[account] = (devices, now)
    }

    /// Writes what an account does here, in one transaction: whom it accepts, and what it has read
    /// once that is due.
    private func write(_ account: Address) async throws {
        let due = try store.read {
            try $0.keys(AcceptancesDue.self, .prefix(account), limit: settings.batchMax)
        }
        let read = readMarksDue(of: account)
        guard !due.isEmpty || !read.isEmpty else { return }
        let unlocked = try await keyring.unlockedAccount(account)
        let (accepted, marks) = try store.read { transaction in
            (
                try due.compactMap { try transaction.contact(at: $0, of: unlocked) }.map {
                    Vault.Change(
                        section: .accepted,
                        name: try Address(text: $0.with).bytes,
                        value: []
                    )
                },
                try read.compactMap { id in
                    try transaction.conversation(id, of: unlocked).map {
                        Vault.Change(
                            section: .readMarks,
                            name: id.bytes,
                            value: $0.readMark.bytes
                        )
                    }
                }
            )
        }
        try await vault.write(of: account) { contents, transaction in
            for key in due { try transaction.remove(AcceptancesDue.self, key) }
            return accepted.filter { contents.value($0.name, in: .accepted) == nil }
                + marks.filter { contents.value($0.name, in: .readMarks) != $0.value }
        }
        guard !read.isEmpty else { return }
        writtenAt[account] = now
        unwritten[account]?.subtract(read)
    }

    /// Returns the conversations that an account has read, once it is time to write them.
    private func readMarksDue(of account: Address) -> Set<Bytes32> {
        let last = writtenAt[account]
        if let last, last <= now, last.advanced(by: settings.readMarksInterval) > now { return [] }
        return unwritten[account] ?? []
    }

    /// Applies the vault, if it has changed since the last time.
    private func follow(_ account: Address) async throws {
        let logs = try store.read { try $0.vaultLogs(of: account) }
        guard seen[account] != logs else { return }
        let unlocked = try await keyring.unlockedAccount(account)
        let contents = try await vault.contents(of: account)
        let accepted = try store.read { try $0.unaccepted(contents, of: unlocked) }
        let news = try await store.write { transaction in
            let isBlockingChanged = try transaction.followBlocks(contents, of: unlocked)
            try transaction.accept(accepted, of: unlocked)
            try transaction.followReadMarks(contents, of: unlocked)
            return isBlockingChanged
        }
        if news { await vault.blockingChanged(of: account) }
        // Accepted accounts may be due receipts.
        if !accepted.isEmpty { signals.incoming.send() }
        try await vault.addBlocks(of: unlocked, to: contents)
        seen[account] = logs
    }
}

extension Vault {
    /// Writes that an account blocks another.
    func block(_ other: Address, at date: Date, by account: Address) async throws {
        let change = Change(
            section: .blocks,
            name: other.bytes,
            value: Timestamp(date).milliseconds.bigEndianBytes
        )
        try await write(of: account) { $0.value(other.bytes, in: .blocks) == nil ? [change] : [] }
    }

    /// Writes that an account no longer blocks another.
    func unblock(_ other: Address, by account: Address) async throws {
        let change = Change(section: .blocks, name: other.bytes, value: nil)
        try await write(of: account, isAddition: false) {
            $0.value(other.bytes, in: .blocks) == nil ? [] : [change]
        }
    }

    /// Writes the accounts that are blocked here but missing in the vault, such as those for which
    /// the section had no room.
    ///
    /// `contents` is the vault's content a moment ago, so that it is opened again only to write.
    func addBlocks(of unlocked: UnlockedAccount, to contents: VaultContents) async throws {
        let blocked = try store.read { try $0.blockedContacts(of: unlocked) }
        let known = try blocked.map { contact in
            (name: try Address(text: contact.with).bytes, since: contact.blockedAt ?? .distantPast)
        }
        let missing = known.filter { contents.entry($0.name, in: .blocks) == nil }
        // More than the section has room for stay on this node.
        let room = VaultSection.blocks.entriesMax - contents.present(in: .blocks).count
        guard !missing.isEmpty, room > 0 else { return }
        let changes = missing.prefix(room).map {
            Change(
                section: .blocks,
                name: $0.name,
                value: Timestamp($0.since).milliseconds.bigEndianBytes
            )
        }
        try await write(of: unlocked.account) { contents in
            changes.filter { contents.entry($0.name, in: .blocks) == nil }
        }
    }
}

extension WriteTransaction {
    /// Blocks and unblocks accounts as the vault says; returns whether anything changed.
    fileprivate mutating func followBlocks(
        _ contents: VaultContents,
        of unlocked: UnlockedAccount
    ) throws -> Bool {
        var isChanged = false
        for entry in contents.entries(where: { $0.section == .blocks }) {
            guard let other = Address(entry.name), other != unlocked.account else { continue }
            var contact = try contact(other, of: unlocked) ?? StoredContact(with: other)
            guard contact.isBlocked != (entry.value != nil) else { continue }
            isChanged = true
            guard let value = entry.value else {
                contact.blockedAt = nil
                try unlocked.putContact(contact, in: &self)
                continue
            }
            try block(&contact, at: Timestamp(bigEndian: value).date, of: unlocked)
        }
        return isChanged
    }

    /// Accepts accounts, unless they are blocked.
    fileprivate mutating func accept(_ others: [Address], of unlocked: UnlockedAccount) throws {
        for other in others {
            var contact = try contact(other, of: unlocked) ?? StoredContact(with: other)
            if !contact.isBlocked { try accept(&contact, of: unlocked) }
        }
    }

    /// Marks as read what another node of the account has read.
    fileprivate mutating func followReadMarks(
        _ contents: VaultContents,
        of unlocked: UnlockedAccount
    ) throws {
        for entry in contents.present(in: .readMarks) {
            guard let id = Bytes32(entry.name), let mark = entry.value.flatMap({ ReadMark($0) }),
                var kept = try conversation(id, of: unlocked), !kept.isDeleted,
                kept.readElsewhere(mark)
            else { continue }
            let unread = try messages(
                account: unlocked.account,
                conversation: id,
                limit: kept.unread
            )
            kept.unread = try unread.count { _, bytes in
                let message = try unlocked.seal.open(
                    StoredMessage.self,
                    bytes,
                    for: .message(in: id)
                )
                return message.state == .received
                    && !kept.isRead(message.number, of: message.device)
            }
            try unlocked.putConversation(kept, id, in: &self)
        }
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Accounts that the vault accepts and this node neither accepts nor blocks yet.
    fileprivate func unaccepted(
        _ contents: VaultContents,
        of unlocked: UnlockedAccount
    ) throws -> [Address] {
        try contents.present(in: .accepted).compactMap { Address($0.name) }.filter { other in
            guard other != unlocked.account else { return false }
            return try contact(other, of: unlocked).map { !$0.isAccepted && !$0.isBlocked } ?? true
        }
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * UInt64($0))) }
    }
}

extension Timestamp {
    fileprivate init(bigEndian bytes: [UInt8]) {
        self.init(milliseconds: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
