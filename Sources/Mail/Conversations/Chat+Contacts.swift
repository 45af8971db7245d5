import Answers
package import Client
import Concurrency
import Foundation
package import Keys
import Storage

/// Accepts and blocks contacts, and deletes conversations.
///
/// An account's block applies on all its nodes (``VaultFollower``).
extension Chat {
    /// Accepts the other side of a conversation.
    ///
    /// From now on its mail counts as a known sender's, and it gets the receipts that are owed to
    /// it.
    ///
    /// - Throws: ``Refusal`` with `unknown_conversation`, `not_allowed` if it is blocked.
    package func accept(_ conversation: String, by account: Address) async throws {
        let unlocked = try await unlockedAccount(account)
        let id = try Self.id(conversation)
        let kept = try store.read { try $0.conversation(id, of: unlocked) }
        guard let kept else { throw Self.unknown(conversation) }
        try await accept(try Address(text: kept.with), by: account)
    }

    /// Accepts another account, whether or not it has written already.
    package func accept(_ other: Address, by account: Address) async throws {
        let unlocked = try await unlockedAccount(account)
        try await store.add { transaction in
            var contact =
                try transaction.contact(other, of: unlocked) ?? StoredContact(with: other)
            if contact.isBlocked {
                throw Refusal(.notAllowed, Sentence("refusal.blocked", ["account": "\(other)"]))
            }
            try transaction.accept(&contact, of: unlocked)
        }
        context.signals.incoming.send()
        context.signals.homes.send()
    }

    /// Blocks another account: its mail is dropped, and its grant ends.
    ///
    /// Answered conversations stay; unanswered ones are removed.
    ///
    /// - Throws: ``Refusal`` with `bad_address`.
    package func block(_ text: String, by account: Address) async throws -> BlockedAccount {
        let unlocked = try await unlockedAccount(account)
        let other = try other(text, than: account, field: "account")
        let date = context.clock.now
        // The vault comes first: its entries are also applied here.
        try await vault.block(other, at: date, by: account)
        let blockedAt = try await store.add { transaction in
            var contact =
                try transaction.contact(other, of: unlocked) ?? StoredContact(with: other)
            if let blockedAt = contact.blockedAt { return blockedAt }
            try transaction.block(&contact, at: date, of: unlocked)
            return date
        }
        await grantsChanged(of: account)
        return BlockedAccount(account: other.checksummed, since: blockedAt)
    }

    /// Unblocks an account; if it was accepted before, it is accepted again.
    ///
    /// - Throws: ``Refusal`` with `bad_address`, `not_found` if it is not blocked.
    package func unblock(_ text: String, by account: Address) async throws {
        let unlocked = try await unlockedAccount(account)
        let other = try other(text, than: account, field: "account")
        guard try store.read({ try $0.contact(other, of: unlocked) })?.isBlocked == true else {
            throw Refusal(.notFound, Sentence("refusal.notBlocked", ["account": "\(other)"]))
        }
        try await vault.unblock(other, by: account)
        try await store.write { transaction in
            guard var contact = try transaction.contact(other, of: unlocked) else { return }
            contact.blockedAt = nil
            try unlocked.putContact(contact, in: &transaction)
        }
        await grantsChanged(of: account)
    }

    /// Returns the accounts that this one has blocked, most recently blocked first.
    package func blocked(by account: Address) async throws -> [BlockedAccount] {
        let unlocked = try await unlockedAccount(account)
        return try store.read { try $0.blockedContacts(of: unlocked) }.map {
            BlockedAccount(account: $0.with, since: $0.blockedAt ?? context.clock.now)
        }
    }

    /// Deletes a conversation with all its messages, for this account on this node.
    ///
    /// Its messages that still wait in the outbox are not sent, except the keys of works. A new
    /// message starts it again.
    ///
    /// - Throws: ``Refusal`` with `unknown_conversation`.
    package func delete(_ conversation: String, of account: Address) async throws {
        let unlocked = try await unlockedAccount(account)
        let id = try Self.id(conversation)
        let date = context.clock.now
        try await store.write { transaction in
            guard var kept = try transaction.conversation(id, of: unlocked), !kept.isDeleted else {
                throw Self.unknown(conversation)
            }
            // The other side remembers used numbers, so they must never be used again. A copy of a
            // deleted message may wait at another home.
            let numbers = try transaction.messageNumbers(in: id, of: account)
            try transaction.stopSending(numbers, in: id, &kept, of: unlocked)
            kept.delete(numbers, at: date)
            if try transaction.contains(MailRequests.self, CompositeKey(account, id)) {
                try transaction.removeRequests([id], of: unlocked)
            } else {
                try transaction.removeMessages(in: id, of: account)
                try transaction.remove(ReceiptsDue.self, CompositeKey(account, id))
            }
            try unlocked.putConversation(kept, id, in: &transaction)
        }
    }

    private func grantsChanged(of account: Address) async {
        await homePublisher.grantsChanged(of: account)
        context.signals.homes.send()
    }
}
