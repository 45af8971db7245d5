import AccountAccess
import Keys
import Mail
import Market
import MediaFiles
import Storage

/// Works on several nodes of an account, which exchange them by the account's vault.
///
/// The vault has the keys. The encrypted files are too long for it; a node fetches them from those
/// that have them.
///
/// Source: Docs/protocol.md, sections 15.12 and 17.4.
extension DigitalWorks {
    /// Writes works into the account's vault.
    func tell(_ works: [StoredWork], by account: Address) async throws {
        let changes = works.compactMap(\.vaultChange)
        try await vault.write(of: account) { contents in
            changes.filter { contents.value($0.name, in: .works) != $0.value }
        }
    }

    /// Writes the state of deliveries into the account's vault.
    func tellDeliveries(_ subjects: [Bytes32], by account: Address) async throws {
        let known = try store.read { transaction in
            try subjects.compactMap { subject in
                try transaction.delivery(on: subject, of: account).map { (subject, $0) }
            }
        }
        try await vault.write(of: account, isAddition: false) { contents in
            known.compactMap { contents.change(on: $0, $1) }
        }
    }

    /// Takes the works and deliveries that the account's other nodes have written into its vault,
    /// and writes those that the vault lacks.
    ///
    /// - Returns: The works whose files are not here, and whether a removed work still stays
    ///   because a sale needs it, or because this node's chains cannot say.
    func follow(_ account: Address) async throws -> (missing: [StoredWork], holdsRemoved: Bool) {
        let unlocked = try await chat.unlockedAccount(account)
        let contents = try await vault.contents(of: account)
        let news = try store.read { try $0.workNews(contents, of: unlocked) }
        let removed = try news.removed.filter { try canForget($0, of: account) }
        let puts = try news.puts.compactMap { work in
            try Bytes32(hex: work.file).map { ($0, try unlocked.seal.seal(work, for: .work($0))) }
        }
        if !puts.isEmpty || !removed.isEmpty || !news.deliveries.isEmpty {
            try await store.write { transaction in
                // It may have been removed in the meantime.
                guard try transaction.contains(AccountEntries.self, account) else { return }
                for (file, sealed) in puts {
                    try transaction.putWork(file, of: account, sealed: sealed, blob: nil)
                }
                try transaction.forget(removed, of: account)
                for (subject, told) in news.deliveries {
                    let known = try transaction.delivery(on: subject, of: account)
                    let merged = told.merged(with: known)
                    try transaction.putDelivery(merged, on: subject, of: account)
                }
            }
        }
        try await tellMissing(contents, of: unlocked)
        var missing: [StoredWork] = []
        for work in try store.read({ try $0.works(of: unlocked) })
        where try await !isHere(work, of: account) {
            missing.append(work)
        }
        return (missing, removed.count < news.removed.count)
    }

    /// Whether a work that was removed elsewhere can be removed here: no sale needs it, as far as
    /// this node's chains show.
    private func canForget(_ work: StoredWork, of account: Address) throws -> Bool {
        guard let saleIndexes else { return true }
        return try saleIndexes.areCurrent && sale(needing: work, of: account) == nil
    }

    /// Writes the works and deliveries of this node that the vault lacks, as far as it has room.
    private func tellMissing(
        _ contents: VaultContents,
        of unlocked: UnlockedAccount
    ) async throws {
        let account = unlocked.account
        let (works, deliveries) = try store.read { transaction in
            (
                try transaction.works(of: unlocked),
                try transaction.entries(DeliveredWorks.self, .prefix(account))
            )
        }
        let changes: @Sendable (VaultContents) -> [Vault.Change] = { contents in
            let new = works.compactMap(\.vaultChange)
                .filter { contents.entry($0.name, in: .works) == nil }
            let latest = deliveries.sorted { $0.value.sentAt > $1.value.sentAt }
            let noted = latest.compactMap { contents.change(on: $0.key.second, $0.value) }
            let added = noted.filter { contents.entry($0.name, in: .deliveries) == nil }
            return Array(new.prefix(contents.room(in: .works)))
                + noted.filter { contents.entry($0.name, in: .deliveries) != nil }
                + added.prefix(contents.room(in: .deliveries))
        }
        guard !changes(contents).isEmpty else { return }
        try await vault.write(of: account, changes)
    }

    /// Gets the encrypted file of a work from a peer, and keeps it.
    ///
    /// - Returns: Whether it is here, and is the file of this work.
    func fetch(_ work: StoredWork, of account: Address) async throws -> Bool {
        let unlocked = try await chat.unlockedAccount(account)
        guard let file = Bytes32(hex: work.file), let sealed = work.media,
            let bytes = try await media.sealed(sealed, for: account)?.bytes
        else { return false }
        guard await Self.decrypted(bytes, work, Self.identifier(of: work)) != nil else {
            try await media.releaseSealed(sealed.id, by: account)
            return false
        }
        // It may have been removed in the meantime, or been added with another key.
        let kept = try self.work(file, of: unlocked)
        guard let kept, kept.hasKey(of: work) else {
            try await media.releaseSealed(sealed.id, by: account)
            return false
        }
        try await put(kept, isHere: true, of: unlocked)
        return true
    }
}

/// The entries about works that an account's other nodes have written and this node has not applied
/// yet.
private struct WorkNews {
    var puts: [StoredWork] = []
    var removed: [StoredWork] = []
    var deliveries: [(subject: Bytes32, told: DeliveredWork)] = []
}

extension ReadableTransaction where Self: ~Copyable {
    fileprivate func workNews(
        _ contents: VaultContents,
        of unlocked: UnlockedAccount
    ) throws -> WorkNews {
        var news = WorkNews()
        for entry in contents.entries(where: { $0.section == .works }) {
            guard let file = Bytes32(entry.name) else { continue }
            let key = CompositeKey(unlocked.account, file)
            let own = try get(Works.self, key).map {
                try unlocked.seal.open(StoredWork.self, $0, for: .work(file))
            }
            guard let told = StoredWork(entry) else {
                if let own, entry.value == nil { news.removed.append(own) }
                continue
            }
            guard var own else {
                news.puts.append(told)
                continue
            }
            // Who has bought or been sent the key of this node's file still needs that file.
            let isHere = try Bytes32(hex: own.blob).map {
                try isWorkFile($0, of: unlocked.account)
            }
            guard isHere == true || own.hasKey(of: told) else {
                news.puts.append(told)
                continue
            }
            guard own.name != told.name else { continue }
            own.name = told.name
            news.puts.append(own)
        }
        for entry in contents.present(in: .deliveries) {
            guard let subject = Bytes32(entry.name),
                let told = entry.value.flatMap(DeliveredWork.init(vaultValue:))
            else { continue }
            let known = try delivery(on: subject, of: unlocked.account)
            if told.merged(with: known) != known { news.deliveries.append((subject, told)) }
        }
        return news
    }
}

extension VaultContents {
    /// How many names a section still takes without losing one.
    fileprivate func room(in section: VaultSection) -> Int {
        section.entriesMax - present(in: section).count
    }

    /// Returns the entry to write for a delivery; `nil` if it is already reported.
    fileprivate func change(on subject: Bytes32, _ known: DeliveredWork) -> Vault.Change? {
        let told = value(subject.bytes, in: .deliveries)
        let read = told.flatMap(DeliveredWork.init(vaultValue:))
        // An entry that a later version has written is changed only by that version.
        guard told == nil || read != nil else { return nil }
        let merged = known.merged(with: read)
        guard merged.vaultValue != told else { return nil }
        return Vault.Change(section: .deliveries, name: subject.bytes, value: merged.vaultValue)
    }
}
