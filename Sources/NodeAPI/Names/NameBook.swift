package import AccountAccess
import Answers
package import Client
import Foundation
package import Keys
package import Mail
import Market
import Records
package import Storage

/// The names by which a caller knows accounts: those of this node, and those of its contacts.
///
/// A contact has the name that the caller has given it, or else the one that it chose. A name that
/// looks like another name on this node, or like an address, is left out.
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
        var here = Set(try await accounts.list().flatMap { Lookalikes.forms(of: $0.name) })
        // An account that got its name on another node may have the same name as an account here.
        let given = try await ContactNames(chat: chat).all(of: account).filter { contact in
            here.isDisjoint(with: Lookalikes.forms(of: contact.name))
                && !own.contains { $0.address == contact.account }
        }
        names += given.map { AccountName(account: $0.account, name: $0.name, isHere: false) }
        here.formUnion(given.flatMap { Lookalikes.forms(of: $0.name) })
        let known = Set(names.map(\.account))
        let contacts = try await chat.contacts(of: account).filter {
            !known.contains($0.checksummed)
        }
        let named = try store.read { transaction in
            try contacts.compactMap { contact in
                try transaction.profile(of: contact).map { (contact, $0.profile.name) }
            }
        }
        let looks = named.filter { !$0.1.isEmpty }.map { ($0.0, $0.1, Lookalikes.forms(of: $0.1)) }
        let counts = Dictionary(looks.flatMap { $0.2 }.map { ($0, 1) }, uniquingKeysWith: +)
        for (contact, name, forms) in looks where here.isDisjoint(with: forms) {
            guard forms.allSatisfy({ counts[$0] == 1 }), !Lookalikes.startsLikeAddress(name) else {
                continue
            }
            names.append(AccountName(account: contact.checksummed, name: name, isHere: false))
        }
        return names
    }
}
