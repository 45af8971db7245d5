package import Client
import Foundation
package import Keys
import Market
package import Storage

/// The names by which a caller knows accounts: those of this node, and its contacts' own.
///
/// A contact chooses its name itself. One that somebody else here has too, or that looks like an
/// address, stands for nobody.
package struct NameBook: Sendable {
    let accounts: Accounts
    let chat: Chat
    let store: Store

    package init(accounts: Accounts, chat: Chat, store: Store) {
        (self.accounts, self.chat, self.store) = (accounts, chat, store)
    }

    /// The names that a caller knows.
    ///
    /// - Parameters:
    ///   - account: As whom it is signed in.
    ///   - isLocal: Whether it may know this node's accounts.
    /// - Returns: Each account once.
    /// - Throws: What the store throws.
    package func names(for account: Address?, isLocal: Bool) async throws -> [AccountName] {
        let own = try await accounts.list().filter { isLocal || $0.address == account?.checksummed }
        var names = own.map { AccountName(account: $0.address, name: $0.name, isHere: true) }
        guard let account, await accounts.unlocked.contains(account) else { return names }
        let here = Set(try await accounts.list().map(\.name.folded))
        let contacts = try await chat.contacts(of: account).filter { contact in
            !own.contains { $0.address == contact.checksummed }
        }
        let named = try store.read { transaction in
            try contacts.compactMap { contact in
                try transaction.profile(of: contact).map { (contact, $0.profile.name) }
            }
        }
        let counts = Dictionary(named.map { ($0.1.folded, 1) }, uniquingKeysWith: +)
        for (contact, name) in named where !name.isEmpty && !here.contains(name.folded) {
            guard counts[name.folded] == 1, !name.folded.hasPrefix("0x") else { continue }
            names.append(AccountName(account: contact.checksummed, name: name, isHere: false))
        }
        return names
    }
}

extension String {
    /// The same for names that a person does not tell apart by case or accents.
    var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
