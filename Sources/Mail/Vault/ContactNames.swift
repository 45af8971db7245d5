import Answers
package import Client
package import Keys
import Market
import Records
import Setup
import Storage

/// The names that accounts give others, in their vaults.
package struct ContactNames: Sendable {
    /// The maximum number of an account; half of the section is left for removed ones.
    package static let countMax = 1_000
    private static let nameByteCountMax = 64

    private let vault: Vault
    private let chat: Chat

    package init(chat: Chat) { (self.chat, vault) = (chat, chat.vault) }

    /// Returns an account's contacts by their names.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`.
    package func all(of account: Address) async throws -> [Contact] {
        let contents = try await vault.contents(of: account)
        return try contents.present(in: .contacts)
            .compactMap { try contact($0, contents) }
            .sorted { ($0.name.folded, $0.account) < ($1.name.folded, $1.account) }
    }

    /// Names an account.
    ///
    /// - Throws: ``Refusal`` with `bad_address`, `malformed_value` for a name that could be taken
    ///   for something else, `not_allowed` if there are too many, `needs_unlock`.
    package func put(_ name: String, for text: String, by account: Address) async throws -> Contact
    {
        let other = try chat.other(text, than: account, field: "account")
        guard PlainText.isLine(name, byteCountMax: Self.nameByteCountMax) else {
            let bytes = ["bytes": "\(Self.nameByteCountMax)"]
            throw Self.refusal(Sentence("refusal.contactNameForm", bytes))
        }
        guard !name.unicodeScalars.contains(where: PlainText.isNotSeen) else {
            throw Self.refusal(Sentence("refusal.contactNameUnseen"))
        }
        guard !Lookalikes.isLikeAddress(name) else {
            throw Self.refusal(Sentence("refusal.contactLikeID"))
        }
        let forms = Lookalikes.forms(of: name)
        let here = try await vault.accountNames()
        if let other = here.first(where: { !Lookalikes.forms(of: $0).isDisjoint(with: forms) }) {
            throw Self.refusal(Sentence("refusal.contactLikeAccount", ["name": other.quoted]))
        }
        let contents = try await vault.write(of: account) { contents in
            let present = contents.present(in: .contacts)
            let lookalike = present.first { $0.name != other.bytes && $0.isLike(forms) }
            if let named = lookalike?.contactName {
                throw Self.refusal(Sentence("refusal.contactLikeContact", ["name": named.quoted]))
            }
            let held = contents.value(other.bytes, in: .contacts)
            guard held != Array(name.utf8) else { return [] }
            guard held != nil || present.count < Self.countMax else {
                throw Refusal(
                    .notAllowed,
                    Sentence("refusal.contactsFull", ["most": "\(Self.countMax)"])
                )
            }
            return [Vault.Change(section: .contacts, name: other.bytes, value: Array(name.utf8))]
        }
        guard let entry = contents.entry(other.bytes, in: .contacts),
            let contact = try contact(entry, contents)
        else { throw Self.missing(text) }
        return contact
    }

    /// Removes an account's name.
    ///
    /// - Throws: ``Refusal`` with `bad_address`, `not_found`, `needs_unlock`.
    package func remove(_ text: String, by account: Address) async throws {
        let other = try chat.other(text, than: account, field: "account")
        try await vault.write(of: account, isAddition: false) { contents in
            guard contents.value(other.bytes, in: .contacts) != nil else {
                throw Self.missing(text)
            }
            return [Vault.Change(section: .contacts, name: other.bytes, value: nil)]
        }
    }

    private func contact(_ entry: VaultEntry, _ contents: VaultContents) throws -> Contact? {
        guard let account = Address(entry.name), let name = entry.contactName else { return nil }
        let profile = try vault.store.read { try $0.profile(of: account) }
        return Contact(
            account: account.checksummed,
            name: name,
            profileName: profile?.profile.name,
            isBlocked: contents.value(entry.name, in: .blocks) != nil,
            since: entry.time.date
        )
    }

    private static func refusal(_ rule: Sentence) -> Refusal {
        Refusal(.malformedValue, rule, field: "name")
    }

    private static func missing(_ text: String) -> Refusal {
        Refusal(.notFound, Sentence("refusal.noContact", ["account": text.quoted]))
    }
}

extension VaultEntry {
    fileprivate var contactName: String? {
        value.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Whether its name can be taken for one of these forms, see ``Lookalikes``.
    fileprivate func isLike(_ forms: Set<String>) -> Bool {
        contactName.map { !Lookalikes.forms(of: $0).isDisjoint(with: forms) } ?? false
    }
}
