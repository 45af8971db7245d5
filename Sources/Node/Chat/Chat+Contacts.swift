package import Client
import Concurrency
import Foundation
import Gossip
package import Keys
import Logging
import Market
import Storage

/// Accepts and blocks contacts, and deletes conversations.
extension Chat {
    /// Accepts the other side of a conversation.
    ///
    /// From now on its mail counts as a known sender's, and it gets the receipts that are owed to
    /// it.
    ///
    /// - Throws: ``Refusal`` with `unknown_conversation`, `not_allowed` if it is blocked.
    package func accept(_ conversation: String, by account: Address) async throws {
        let unlocked = try await unlocked(account)
        let id = try Self.id(conversation)
        let kept = try store.read { try $0.conversation(id, of: unlocked) }
        guard let kept else { throw Self.unknown(conversation) }
        try await accept(try Address(text: kept.with), by: account)
    }

    /// Accepts another account, whether or not it has written already.
    package func accept(_ other: Address, by account: Address) async throws {
        let unlocked = try await unlocked(account)
        try await store.write { transaction in
            var contact =
                try transaction.contact(other, of: unlocked) ?? StoredContact(with: other)
            if contact.isBlocked {
                throw Refusal(
                    .notAllowed,
                    "You have blocked \(other). Unblock the account first."
                )
            }
            try transaction.accept(&contact, of: unlocked)
        }
        mailStore.arrivals.send()
    }

    /// Blocks another account: its mail is dropped, and its grant ends.
    ///
    /// Answered conversations stay; unanswered ones are removed.
    ///
    /// - Throws: ``Refusal`` with `bad_address`.
    package func block(_ text: String, by account: Address) async throws -> BlockedAccount {
        let unlocked = try await unlocked(account)
        let other = try other(text, than: account)
        let date = clock.now
        let blockedAt = try await store.write { transaction in
            var contact =
                try transaction.contact(other, of: unlocked) ?? StoredContact(with: other)
            if let blockedAt = contact.blockedAt { return blockedAt }
            let requests = contact.received.conversations.compactMap { Bytes32(hex: $0) }
            contact.received = StoredContact.FirstContact()
            contact.blockedAt = date
            try transaction.putContact(contact, of: unlocked)
            try transaction.removeRequests(requests, of: unlocked)
            return date
        }
        grantsChanged(of: account)
        return BlockedAccount(account: other.checksummed, since: blockedAt)
    }

    /// Unblocks an account; if it was accepted before, it is accepted again.
    ///
    /// - Throws: ``Refusal`` with `bad_address`, `not_found` if it is not blocked.
    package func unblock(_ text: String, by account: Address) async throws {
        let unlocked = try await unlocked(account)
        let other = try other(text, than: account)
        try await store.write { transaction in
            guard var contact = try transaction.contact(other, of: unlocked), contact.isBlocked
            else { throw Refusal(.notFound, "\(other) is not blocked.") }
            contact.blockedAt = nil
            try transaction.putContact(contact, of: unlocked)
        }
        grantsChanged(of: account)
    }

    /// Returns the accounts that this one has blocked, most recently blocked first.
    package func blocked(by account: Address) async throws -> [BlockedAccount] {
        let unlocked = try await unlocked(account)
        return try store.read { try $0.blockedContacts(of: unlocked) }.map {
            BlockedAccount(account: $0.with, since: $0.blockedAt ?? clock.now)
        }
    }

    /// Deletes a conversation with all its messages, for this account on this node.
    ///
    /// A new message starts it again.
    ///
    /// - Throws: ``Refusal`` with `unknown_conversation`.
    package func delete(_ conversation: String, of account: Address) async throws {
        let unlocked = try await unlocked(account)
        let id = try Self.id(conversation)
        let date = clock.now
        try await store.write { transaction in
            guard var kept = try transaction.conversation(id, of: unlocked), !kept.isDeleted else {
                throw Self.unknown(conversation)
            }
            // The other side remembers used numbers, so they must never be used again. A copy of a
            // deleted message may wait at another home.
            kept.delete(try transaction.messageNumbers(in: id, of: account), at: date)
            if try transaction.contains(MailRequests.self, Pair(account, id)) {
                try transaction.removeRequests([id], of: unlocked)
            } else {
                try transaction.removeMessages(in: id, of: account)
                try transaction.remove(ReceiptsDue.self, Pair(account, id))
            }
            try transaction.putConversation(kept, id, of: unlocked)
        }
    }

    /// Tells a home which grants of the account's device are valid, if it does not know yet.
    ///
    /// A home that refuses is told again when the grants change, or after a while. If it refuses
    /// because there are too many, the account gets an event.
    func tellGrants(_ unlocked: UnlockedAccount, to lease: HomeLease) async {
        let key = Pair(unlocked.account, lease.peer)
        if let until = grantsTold[key], until > now { return }
        // Set before the request, because a change in the meantime removes it.
        grantsTold[key] = now.advanced(by: settings.grantsInterval)
        do {
            let ended = try store.read { try $0.blockedContacts(of: unlocked) }
                .prefix(exchange.settings.limits.endedGrantsMax)
                .map { unlocked.grant(for: try Address(text: $0.with)).id }
            let (account, device, secret) = (
                unlocked.account, unlocked.device, unlocked.grantSecret
            )
            try await asking(lease, own: true, within: settings.requestTimeMax) { [exchange] in
                try await exchange.tellGrants(
                    secret,
                    ended: ended,
                    of: account,
                    device: device,
                    to: lease.peer
                )
            }
        } catch MailRefusal.tooManyGrants {
            await attempt("tell of refused grants") {
                try await self.tellRefusedGrants(of: unlocked.account, by: lease.peer)
            }
        } catch {
            let isAnswer = error is MailRefusal
            if grantsTold[key] != nil {
                grantsTold[key] = isAnswer ? now.advanced(by: settings.grantsRetryInterval) : nil
            }
            logger.debug(
                "home has not taken the grants",
                metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
            )
        }
    }

    /// Reports to the account that a home still treats blocked accounts as known senders.
    private func tellRefusedGrants(of account: Address, by home: PeerID) async throws {
        logger.warning(
            "a home does not remember so many blocked accounts",
            metadata: ["home": "\(home.text)", "account": "\(account)"]
        )
        try await events.record(
            "grants_refused",
            subject: account.text,
            data: ["home": home.text, "reason": MailRefusal.tooManyGrants.name],
            for: account
        )
    }

    private func grantsChanged(of account: Address) {
        for key in grantsTold.keys where key.first == account { grantsTold[key] = nil }
        mailStore.arrivals.send()
    }
}
