import Answers
package import Client
package import Keys
package import Mail

/// The accounts that an account of this node has blocked.
///
/// The only code that knows where they are stored: sealed, among the account's data about others.
package struct Blocks: Sendable {
    private let chat: Chat

    package init(chat: Chat) { self.chat = chat }

    /// Blocks another account: its mail is dropped, and its listings are hidden.
    ///
    /// - Throws: ``Refusal`` with `bad_address`, `needs_unlock`, `signs_elsewhere`.
    package func add(_ other: String, by account: Address) async throws -> BlockedAccount {
        try await chat.block(other, by: account)
    }

    /// Ends a block.
    ///
    /// - Throws: ``Refusal`` with `bad_address`, `not_found`, `needs_unlock`, `signs_elsewhere`.
    package func remove(_ other: String, by account: Address) async throws {
        try await chat.unblock(other, by: account)
    }

    /// Returns the blocked accounts, most recently blocked first.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`, `signs_elsewhere`.
    package func all(by account: Address) async throws -> [BlockedAccount] {
        try await chat.blocked(by: account)
    }

    /// Returns the same for showing listings: of an account whose blocks cannot be read now, none.
    func accounts(blockedBy account: Address) async throws -> [Address] {
        do {
            return try await all(by: account).map { try Address(text: $0.account) }
        } catch let refusal as Refusal
            where refusal.code == .nodeLocked || refusal.code == .signsElsewhere
        {
            return []
        }
    }
}
