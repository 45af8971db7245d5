import Answers
import Client
import Keys
import Market
import Storage

/// Conversations that an account opens, as far as it has room for them.
extension UnlockedAccount {
    /// Returns the account's conversation, and opens it if it is new or was deleted.
    func open(
        _ fresh: StoredConversation,
        _ id: Bytes32,
        with other: Address,
        _ capacity: ConversationCapacity,
        in transaction: inout WriteTransaction
    ) throws -> StoredConversation {
        var kept = try transaction.conversation(id, of: self) ?? fresh
        let key = CompositeKey(account, id)
        if try transaction.contains(Conversations.self, key) { return kept }
        if let bound = try transaction.fullBound(with: other, of: self, capacity) {
            throw bound.refusal(capacity)
        }
        kept.isDeleted = false
        kept.changedAt = fresh.changedAt
        try putConversation(kept, id, in: &transaction)
        return kept
    }
}

extension ConversationCapacity.Bound {
    fileprivate func refusal(_ capacity: ConversationCapacity) -> Refusal {
        switch self {
        case .all:
            Refusal(.notAllowed, Sentence("refusal.conversationsFull", ["most": "\(capacity.max)"]))
        case .withOne:
            Refusal(
                .notAllowed,
                Sentence("refusal.conversationsWithOne", ["most": "\(capacity.withOneMax)"])
            )
        }
    }
}
