package import Client
import Foundation
package import Keys
import Market
package import Storage

/// The names by which a caller knows accounts: those of this node, and those of its contacts.
///
/// A contact has the name that the caller has given it, else the one that it chose itself. A name that
/// somebody else here has too, or that looks like an address, is left out.
package struct NameBook: Sendable {
    let accounts: Accounts
    let chat: Chat
    let store: Store

    package init(accounts: Accounts, chat: Chat, store: Store) {
        (self.accounts, self.chat, self.store) = (accounts, chat, store)
    }

    /// Returns the names that a caller knows.
    ///
    /// - Parameters:
    ///   - account: The account that the caller is signed in to.
    ///   - isLocal: Whether it may know this node's accounts.
    /// - Returns: Each account once.
    /// - Throws: The store's errors.
    package func names(for account: Address?, isLocal: Bool) async throws -> [AccountName] {
        let own = try await accounts.list().filter { isLocal || $0.address == account?.checksummed }
        var names = own.map { AccountName(account: $0.address, name: $0.name, isHere: true) }
        guard let account, await accounts.unlocked.contains(account) else { return names }
        var here = Set(try await accounts.list().map(\.name.folded))
        // One that got its name on another node of the account may have that of an account here.
        let given = try await ContactNames(chat: chat).all(of: account).filter { contact in
            !here.contains(contact.name.folded) && !own.contains { $0.address == contact.account }
        }
        names += given.map { AccountName(account: $0.account, name: $0.name, isHere: false) }
        here.formUnion(given.map(\.name.folded))
        let known = Set(names.map(\.account))
        let contacts = try await chat.contacts(of: account).filter {
            !known.contains($0.checksummed)
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
    /// The text in a form that is the same for names that differ only in case or accents.
    var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
