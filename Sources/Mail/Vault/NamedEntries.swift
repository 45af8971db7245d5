import Answers
import Client
import Foundation
package import Keys
package import Market
import Setup

/// Values that an account keeps in its vault under chosen names, as JSON.
package struct NamedEntries<Value: Codable & Sendable>: Sendable {
    /// The maximum bytes of a name.
    static var nameByteCountMax: Int { 64 }

    private let vault: Vault
    private let section: VaultSection
    private let countMax: Int
    private let term: String

    /// A value with its name, and when it was last written.
    package struct Named: Sendable {
        package let name: String
        package let value: Value
        package let time: Timestamp
    }

    /// Keeps values in a section of the accounts' vaults.
    ///
    /// - Parameters:
    ///   - vault: The vaults.
    ///   - section: The section, which has nothing else.
    ///   - countMax: The maximum number; the remainder of the section is for removed names.
    ///   - term: The code of an entry's name, such as `entry.search`.
    package init(vault: Vault, section: VaultSection, countMax: Int, term: String) {
        (self.vault, self.section) = (vault, section)
        (self.countMax, self.term) = (countMax, term)
    }

    /// Returns all, the last written first; values that a later version wrote in another form are
    /// left out.
    package func all(of account: Address) async throws -> [Named] {
        try await vault.contents(of: account).present(in: section).compactMap(named)
    }

    /// Returns the entry with a name.
    ///
    /// - Throws: ``Refusal`` with `not_found`, `needs_unlock`.
    package func one(_ name: String, of account: Address) async throws -> Named {
        let entry = try await vault.contents(of: account).entry(Array(name.utf8), in: section)
        guard let found = entry.flatMap(named) else { throw missing(name) }
        return found
    }

    /// Writes a value under a name.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`, `not_allowed` if there are too many, and
    ///   `needs_unlock`.
    package func put(_ value: Value, as name: String, of account: Address) async throws -> Named {
        let bytes = Array(name.utf8)
        guard PlainText.isLine(name, byteCountMax: Self.nameByteCountMax) else {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.entryName", ["kind": term, "bytes": "\(Self.nameByteCountMax)"]),
                field: "name"
            )
        }
        let json = [UInt8](try WireCoding.encoder().encode(value))
        guard json.count <= section.valueByteCountMax else {
            throw Refusal(
                .malformedValue,
                Sentence(
                    "refusal.entryLong",
                    [
                        "kind": term, "bytes": "\(json.count)",
                        "most": "\(section.valueByteCountMax)",
                    ]
                )
            )
        }
        let (section, countMax, term) = (section, countMax, term)
        let contents = try await vault.write(of: account) { contents in
            let held = contents.value(bytes, in: section)
            guard held != json else { return [] }
            guard held != nil || contents.present(in: section).count < countMax else {
                throw Refusal(
                    .notAllowed,
                    Sentence("refusal.entriesFull", ["kind": term, "most": "\(countMax)"])
                )
            }
            return [Vault.Change(section: section, name: bytes, value: json)]
        }
        guard let written = contents.entry(bytes, in: section).flatMap(named) else {
            throw missing(name)
        }
        return written
    }

    /// Removes the entry with a name.
    ///
    /// - Throws: ``Refusal`` with `not_found`, `needs_unlock`.
    package func remove(_ name: String, of account: Address) async throws {
        let (section, missing) = (section, missing(name))
        try await vault.write(of: account, isAddition: false) { contents in
            guard contents.value(Array(name.utf8), in: section) != nil else { throw missing }
            return [Vault.Change(section: section, name: Array(name.utf8), value: nil)]
        }
    }

    private func named(_ entry: VaultEntry) -> Named? {
        guard let bytes = entry.value, let name = String(validating: entry.name, as: UTF8.self),
            let value = try? WireCoding.decoder().decode(Value.self, from: Data(bytes))
        else { return nil }
        return Named(name: name, value: value, time: entry.time)
    }

    private func missing(_ name: String) -> Refusal {
        Refusal(.notFound, Sentence("refusal.noEntry", ["kind": term, "name": name.quoted]))
    }
}
