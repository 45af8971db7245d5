import AccountAccess
import Answers
package import Client
package import Keys
import Mail
import Market
import Setup
import Storage

/// Renames works, and removes them.
extension DigitalWorks {
    /// Renames a work; later buyers get the new name.
    ///
    /// - Parameters:
    ///   - text: Its identifier, the first digits of it, or its name.
    ///   - name: The new name.
    ///   - account: The account that it is of.
    /// - Returns: The work.
    /// - Throws: ``Refusal``: `malformed_value`, `not_found`, `ambiguous_id`, `needs_unlock`,
    ///   `signs_elsewhere`.
    package func rename(_ text: String, to name: String, by account: Address) async throws -> Work {
        let unlocked = try await chat.unlockedAccount(account)
        try Self.check(name)
        var work = try named(text, of: unlocked)
        work.name = name
        try await tell([work], by: account)
        try await put(work, isHere: false, of: unlocked)
        return Self.shown(work, isHere: try await isHere(work, of: account))
    }

    /// Removes a work, here and on the account's other nodes.
    ///
    /// - Parameters:
    ///   - text: Its identifier, the first digits of it, or its name.
    ///   - account: The account that it is of.
    /// - Throws: ``Refusal``: `not_found`, `ambiguous_id`, `not_allowed` while a sale needs it,
    ///   `chain_away` and `chain_stale` while that is not known, `needs_unlock`, `signs_elsewhere`.
    package func remove(_ text: String, by account: Address) async throws {
        let unlocked = try await chat.unlockedAccount(account)
        let work = try named(text, of: unlocked)
        for index in saleIndexes?.all ?? [] { try index.requireCurrent() }
        if let sale = try sale(needing: work, of: account) {
            throw Refusal(
                .notAllowed,
                Sentence(
                    "refusal.workNeeded",
                    ["sale": sale.id.hash.hex, "work": work.name.quoted]
                ),
                field: "id"
            )
        }
        guard let file = Bytes32(hex: work.file) else { return }
        try await vault.write(of: account, isAddition: false) { contents in
            let isTold = contents.value(file.bytes, in: .works) != nil
            return isTold ? [Vault.Change(section: .works, name: file.bytes, value: nil)] : []
        }
        try await store.write { try $0.forget([work], of: account) }
    }

    /// Returns the work that a caller means.
    private func named(_ text: String, of unlocked: UnlockedAccount) throws -> StoredWork {
        let digits = text.lowercased().trimmingPrefix("0x")
        let all = try store.read { try $0.works(of: unlocked) }
        let found = all.filter { work in
            let identifier = Self.identifier(of: work)
            if identifier == digits { return true }
            return work.name == text || digits.count >= 4 && identifier.hasPrefix(digits)
        }
        if found.count > 1 {
            throw Refusal(
                .ambiguousID,
                Sentence("refusal.worksMatch", ["count": "\(found.count)", "text": text.quoted]),
                field: "id"
            )
        }
        guard let work = found.first else {
            throw Refusal(.notFound, Sentence("refusal.noWork", ["text": text.quoted]), field: "id")
        }
        return work
    }

    /// Returns a sale of the account that still needs a work: it has not ended, or its buyer may
    /// not have the key; `nil` if there is none.
    func sale(needing work: StoredWork, of seller: Address) throws -> Market.Sale? {
        let identifier = Self.identifier(of: work)
        let now = chat.now
        return try saleIndexes?.sales(of: seller).first { sale in
            guard sale.seller == seller, sale.stage != .over || sale.isHandedOver,
                try store.promise(of: sale)?.identifier.text == identifier
            else { return false }
            if sale.stage != .over { return true }
            let subject = StoredTradeNote.subject(ofWork: sale.reference, from: seller)
            let known = try store.read { try $0.delivery(on: subject, of: seller) }
            return known?.isSettled(at: now) != true
        }
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns the works of an account, by their files.
    func works(of unlocked: UnlockedAccount) throws -> [StoredWork] {
        try entries(Works.self, .prefix(unlocked.account)).map { key, sealed in
            try unlocked.seal.open(StoredWork.self, sealed, for: .work(key.second))
        }
    }
}

extension WriteTransaction {
    /// Removes works of an account, whose files are no longer needed.
    mutating func forget(_ works: [StoredWork], of account: Address) throws {
        for work in works {
            guard let file = Bytes32(hex: work.file), let blob = Bytes32(hex: work.blob) else {
                continue
            }
            try removeWork(file, of: account, blob: blob)
        }
    }
}
