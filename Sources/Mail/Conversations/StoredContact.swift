import AccountAccess
import Foundation
import Keys
import Market
import Storage

/// An account's knowledge of another account, sealed.
///
/// An accepted account can begin conversations, gets receipts and has a grant; other accounts have
/// none of these. An account accepts another by writing to it, or explicitly. Its data about one
/// that is neither accepted nor blocked is kept as long as a message request of that account.
struct StoredContact: Codable, Sendable {
    /// The number and size of one side's texts before the other accepts it.
    ///
    /// Laws: a text counts if no limit would be exceeded; otherwise nothing changes.
    struct FirstContact: Codable, Sendable {
        var conversations: Set<String> = []
        var messages = 0
        var bytes = 0

        /// Counts one more text; returns `false` if that would exceed a limit.
        mutating func admit(_ conversation: String, bytes count: Int) -> Bool {
            guard messages < StoredContact.messagesMax, bytes + count <= StoredContact.bytesMax,
                conversations.contains(conversation)
                    || conversations.count < StoredContact.conversationsMax
            else { return false }
            conversations.insert(conversation)
            messages += 1
            bytes += count
            return true
        }
    }

    /// Limits on the texts, bytes and conversations of one account before the other accepts it.
    ///
    /// Both sides apply them, so that no message of an honest sender is dropped.
    static let messagesMax = 16
    static let bytesMax = 65_536
    static let conversationsMax = 8

    let with: String
    /// Whether this account treats the other's mail as a known sender's.
    var isAccepted = false
    var blockedAt: Date?
    /// Whether the other has shown that it accepts this account.
    var hasAccepted = false
    /// The other's grant; mail for it under this grant needs no work.
    var grant: Data?
    /// The texts that were sent, and received, before the other side accepts the sender.
    var sent = FirstContact()
    var received = FirstContact()

    init(with other: Address) {
        with = other.text
    }

    var isBlocked: Bool { blockedAt != nil }

    /// Whether there is nothing to store.
    var isBlank: Bool { !isAccepted && !isBlocked && received.conversations.isEmpty }
}

extension StoredContact {
    /// Records the facts that the contact's message shows: that it accepts this account, and its
    /// grant.
    mutating func learn(from message: MailMessage) {
        hasAccepted = true
        if let grant = message.grant { self.grant = Data(grant.bytes) }
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns the account's data about another, or `nil`.
    func contact(_ other: Address, of unlocked: UnlockedAccount) throws -> StoredContact? {
        try contact(at: CompositeKey(unlocked.account, unlocked.name(of: other)), of: unlocked)
    }

    /// Returns the contact that is stored under a key, or `nil`.
    func contact(
        at key: CompositeKey<Address, Bytes32>,
        of unlocked: UnlockedAccount
    ) throws -> StoredContact? {
        try get(Contacts.self, key).map {
            try unlocked.seal.open(StoredContact.self, $0, for: .contact(key.second))
        }
    }

    /// Returns the contacts that the account has blocked, most recently blocked first.
    func blockedContacts(of unlocked: UnlockedAccount) throws -> [StoredContact] {
        let blocked = try keys(BlockedContacts.self, .prefix(unlocked.account))
        let found = try blocked.compactMap { try contact(at: $0, of: unlocked) }
        return found.sorted { $0.blockedAt ?? .distantPast > $1.blockedAt ?? .distantPast }
    }
}

extension UnlockedAccount {
    /// Stores a contact, sealed; one without anything to store is removed.
    func putContact(_ contact: StoredContact, in transaction: inout WriteTransaction) throws {
        let key = CompositeKey(account, name(of: try Address(text: contact.with)))
        if contact.isBlank {
            _ = try transaction.remove(Contacts.self, key)
        } else {
            let bytes = try seal.seal(contact, for: .contact(key.second))
            try transaction.put(Contacts.self, key, bytes)
        }
        if contact.isBlocked {
            try transaction.put(BlockedContacts.self, key, EmptyValue())
        } else {
            try transaction.remove(BlockedContacts.self, key)
        }
    }
}

extension WriteTransaction {
    /// Accepts a contact: its conversations leave the request box, its receipts become due, and the
    /// account's other nodes are to know.
    mutating func accept(_ contact: inout StoredContact, of unlocked: UnlockedAccount) throws {
        if contact.isAccepted { return }
        contact.isAccepted = true
        let name = unlocked.name(of: try Address(text: contact.with))
        try put(AcceptancesDue.self, CompositeKey(unlocked.account, name), EmptyValue())
        for text in contact.received.conversations {
            guard let id = Bytes32(hex: text) else { continue }
            try remove(MailRequests.self, CompositeKey(unlocked.account, id))
            try put(ReceiptsDue.self, CompositeKey(unlocked.account, id), EmptyValue())
        }
        contact.received = StoredContact.FirstContact()
        try unlocked.putContact(contact, in: &self)
    }

    /// Blocks a contact: its unanswered conversations go.
    mutating func block(
        _ contact: inout StoredContact,
        at date: Date,
        of unlocked: UnlockedAccount
    ) throws {
        let requests = contact.received.conversations.compactMap { Bytes32(hex: $0) }
        contact.received = StoredContact.FirstContact()
        contact.blockedAt = date
        try unlocked.putContact(contact, in: &self)
        try removeRequests(requests, of: unlocked)
    }

    /// Removes unanswered conversations, which may be with several contacts.
    mutating func removeRequests(_ ids: [Bytes32], of unlocked: UnlockedAccount) throws {
        for id in ids {
            if let kept = try conversation(id, of: unlocked) {
                let other = try Address(text: kept.with)
                if var contact = try contact(other, of: unlocked) {
                    contact.received.conversations.remove(id.text)
                    try unlocked.putContact(contact, in: &self)
                }
                try removeConversation(id, with: other, of: unlocked)
            }
        }
    }
}
