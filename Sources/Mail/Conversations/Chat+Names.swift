import AccountAccess
package import Keys
import Storage

/// The contacts and conversations that a name from the user is matched against.
extension Chat {
    /// Returns the other sides of an account's conversations, without those that only wrote to it.
    package func contacts(of account: Address) async throws -> [Address] {
        let held = try await kept(of: account, requests: false)
        return Set(held.compactMap { try? Address(text: $0.kept.with) }).sorted()
    }

    /// Returns an account's conversations with another, each with its listing's title.
    package func conversations(
        of account: Address,
        with other: Address
    ) async throws -> [(id: Bytes32, title: String?)] {
        let all =
            try await kept(of: account, requests: false)
            + kept(of: account, requests: true)
        let found = all.filter { $0.kept.with == other.text }
        return try store.read { transaction in
            try found.map { id, kept in
                (id, try transaction.listingTitle(kept, with: account))
            }
        }
    }

    private func kept(
        of account: Address,
        requests: Bool
    ) async throws -> [(id: Bytes32, kept: StoredConversation)] {
        let unlocked = try await unlockedAccount(account)
        return try store.read { try $0.conversations(of: unlocked, requests: requests) }
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns conversations of an account.
    ///
    /// With `requests`, those that strangers began and that are not answered; without, all others.
    func conversations(
        of unlocked: UnlockedAccount,
        requests: Bool
    ) throws -> [(id: Bytes32, kept: StoredConversation)] {
        var found: [(id: Bytes32, kept: StoredConversation)] = []
        let held = try self.requests(of: unlocked.account)
        try scan(Conversations.self, .prefix(unlocked.account)) { key, bytes in
            guard (held[key.second] != nil) == requests else { return true }
            let kept = try unlocked.seal.open(
                StoredConversation.self,
                bytes,
                for: .conversation(key.second)
            )
            if !kept.isDeleted { found.append((key.second, kept)) }
            return true
        }
        return found
    }
}
