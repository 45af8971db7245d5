package import AccountAccess
import Answers
package import Client
import Foundation
package import Keys
package import Mail
import Market
import Records
import Setup
package import Storage

/// The names by which a caller knows accounts: those of this node, and those of its contacts.
///
/// An account has the name that the caller has given it, else the one that it chose itself. A name
/// that a contact chose is left out if it looks like one that somebody else here has, or like
/// something else than a name.
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
        let known = try await known(to: account, isLocal: isLocal)
        let given = Dictionary(known.filter(\.isGiven).map { ($0.account, $0) }) { one, _ in one }
        var seen: Set<String> = []
        return known.filter { seen.insert($0.account).inserted }
            .map { (given[$0.account] ?? $0).shown }
    }

    /// Returns the names that a caller knows, as ``names(for:isLocal:)``; an account of this node
    /// that the caller has named is there twice.
    func known(to account: Address?, isLocal: Bool) async throws -> [KnownName] {
        let all = try await accounts.list()
        let own = all.filter { isLocal || $0.address == account?.checksummed }
        let ownAddresses = Set(own.map(\.address))
        var names = own.map {
            KnownName(account: $0.address, name: $0.name, isHere: true, isGiven: false)
        }
        guard let account, await accounts.unlocked.contains(account) else { return names }
        let given = try await ContactNames(chat: chat).all(of: account)
        names += given.map {
            KnownName(
                account: $0.account,
                name: $0.name,
                isHere: ownAddresses.contains($0.account),
                isGiven: true
            )
        }
        let taken = all.map(\.name) + given.map(\.name) + ChosenName.ownWords
        let here = Set(taken.flatMap(Lookalikes.forms))
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
            guard forms.allSatisfy({ counts[$0] == 1 }), !Lookalikes.startsLikeAddress(name),
                !ChosenName.isMisleading(name)
            else { continue }
            names.append(
                KnownName(account: contact.checksummed, name: name, isHere: false, isGiven: false)
            )
        }
        return names
    }
}
