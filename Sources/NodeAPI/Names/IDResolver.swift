import Answers
import Client
package import Keys
import Mail
import Market
import Setup
package import Storage
package import Trade

/// Finds the one thing that a person means by an id's prefix, a name, or words of a title.
///
/// The whole API accepts these instead of a full id. A full id is returned without a search; the
/// responsible service then checks whether it exists.
package struct IDResolver: Sendable {
    let store: Store
    let operations: OperationLog
    let names: NameBook
    /// `nil` on a node without a chain.
    let market: MarketIndex?

    package init(
        store: Store,
        operations: OperationLog,
        names: NameBook,
        market: MarketIndex?
    ) {
        (self.store, self.operations) = (store, operations)
        (self.names, self.market) = (names, market)
    }

    /// Returns the address of an account, by its name or the first digits of its address.
    ///
    /// Only names that the caller knows are found. Any other text is returned as it is.
    ///
    /// - Parameters:
    ///   - text: A name, an address or a shortened one.
    ///   - caller: The account that the caller is signed in to.
    ///   - isLocal: Whether the caller may know this node's accounts.
    ///   - findsSellers: Whether a shortened address can also be that of any seller with a listing
    ///     here. Anybody can become one, so this is for calls that only read.
    ///   - field: The field of the request that has the text.
    /// - Returns: The address, or the unchanged text if there is no match.
    /// - Throws: ``Refusal`` with `ambiguous_id`.
    package func account(
        _ text: String,
        for caller: Address?,
        isLocal: Bool,
        findsSellers: Bool = false,
        field: String
    ) async throws -> String {
        if (try? Address(text: text)) != nil || text.isEmpty { return text }
        let known = try await names.known(to: caller, isLocal: isLocal)
        var candidates = Self.named(text, in: known).map(\.candidate)
        if let prefix = AddressPrefix(text) {
            candidates += known.filter {
                (try? Address(text: $0.account)).map(prefix.matches) == true
            }
            .map(\.candidate)
            let sellers = findsSellers ? try await market?.sellers(prefix) ?? [] : []
            candidates += sellers.map { seller in
                let id = seller.checksummed
                return NamedID(id: id, Sentence("match.seller", ["id": id]))
            }
        }
        return try NamedID.only(candidates.unique, text, field: field) ?? text
    }

    /// Returns what a text names.
    ///
    /// Somebody can choose a name that the caller has given to another account, or one that looks
    /// the same. So a name that an account has chosen is found with all given ones that it looks
    /// like.
    private static func named(_ text: String, in known: [KnownName]) -> [KnownName] {
        // A contact may choose a name that looks like the first digits of another's address or
        // conversation.
        let named = known.filter {
            $0.name.folded == text.folded && ($0.isHere || IDPrefix($0.name) == nil)
        }
        let exact = named.filter { $0.name == text }
        let meant = exact.isEmpty ? named : exact
        guard !meant.allSatisfy(\.isGiven) else { return meant }
        let forms = Lookalikes.forms(of: text)
        return meant
            + known.filter { $0.isGiven && !Lookalikes.forms(of: $0.name).isDisjoint(with: forms) }
    }

    /// Returns the address of an arbiter, given whole or by the name of an account of this node.
    ///
    /// A contact chooses its own name, and could thus pose as the arbiter of a dispute.
    ///
    /// - Throws: ``Refusal`` with `bad_address` for any other name, or `ambiguous_id` if the caller
    ///   has given it to another account.
    package func arbiter(
        _ text: String,
        for caller: Address?,
        isLocal: Bool
    ) async throws -> String {
        // The code that reads the terms refuses a text that is not a whole address.
        guard !text.isEmpty, !text.lowercased().hasPrefix("0x") else { return text }
        let named = Self.named(text, in: try await names.known(to: caller, isLocal: isLocal))
            .filter { $0.isHere || $0.isGiven }
        let candidates = named.map(\.candidate)
        let only = try NamedID.only(candidates.unique, text, field: "terms.arbiter")
        if let only, named.contains(where: \.isHere) { return only }
        throw Refusal(
            .badAddress,
            Sentence("refusal.arbiterByName", ["account": text.quoted]),
            field: "terms.arbiter"
        )
    }

    /// Returns the whole id of an account's operation.
    package func operation(_ text: String, of account: Address) throws -> String {
        guard Bytes32(hex: text) == nil, let prefix = IDPrefix(text) else { return text }
        let found = try ids(in: Storage.Operations.self, of: account, prefix)
        let candidates = try found.map { id in
            let operation = try operations.entry(id.hex, account: account).operation
            return NamedID(
                id: id.hex,
                Sentence(
                    "match.operation",
                    [
                        "id": id.hex, "kind": "operation.\(operation.kind)",
                        "state": "operationState.\(operation.state)",
                    ]
                )
            )
        }
        return try NamedID.only(candidates, text, field: "id") ?? text
    }

    /// Returns the whole id of an account's conversation; the other side's name can be used too.
    ///
    /// - Parameters:
    ///   - text: Its id or a prefix of it, or a name.
    ///   - account: The account that has the conversation.
    ///   - isLocal: Whether the caller knows the names of this node's accounts.
    ///   - isForSending: Whether a message will be sent there. Then a stranger's request is found
    ///     by its whole id alone, because a stranger chooses how it begins.
    /// - Returns: The id, or the text as it is if it finds no conversation.
    /// - Throws: ``Refusal`` with `ambiguous_id`.
    package func conversation(
        _ text: String,
        of account: Address,
        isLocal: Bool,
        isForSending: Bool = false
    ) async throws -> String {
        if Bytes32(hex: text) != nil { return text }
        var candidates: [NamedID] = []
        var beginsRequest = false
        if let prefix = IDPrefix(text) {
            let requests = isForSending ? try store.read { try $0.requests(of: account) } : [:]
            candidates = try ids(in: Conversations.self, of: account, prefix) {
                requests[$0] == nil
            }.map { NamedID(id: $0.hex, Sentence("match.conversation", ["id": $0.hex])) }
            beginsRequest = requests.keys.contains(where: prefix.matches)
        }
        let named = try await self.account(text, for: account, isLocal: isLocal, field: "id")
        if let other = try? Address(text: named) {
            let held = try await names.chat.conversations(of: account, with: other)
            let begun = Set(candidates.map(\.id))
            candidates += held.filter { !begun.contains($0.id.hex) }.map { id, title in
                let words =
                    title.map { Sentence("match.about", ["id": id.hex, "title": $0]) }
                    ?? Sentence("match.aboutNothing", ["id": id.hex])
                return NamedID(id: id.hex, words)
            }
        }
        guard !candidates.isEmpty || !beginsRequest else {
            throw Refusal(
                .unknownConversation,
                Sentence("refusal.requestNotAnswered", ["id": text.quoted]),
                field: "id"
            )
        }
        return try NamedID.only(candidates, text, field: "id") ?? text
    }

    private func ids<T: Table>(
        in table: T.Type,
        of account: Address,
        _ prefix: IDPrefix,
        where isMeant: (Bytes32) -> Bool = { _ in true }
    ) throws -> [Bytes32] where T.Key == CompositeKey<Address, Bytes32> {
        var found: [Bytes32] = []
        try store.read { transaction in
            let start = Scan<T.Key>.prefix(account).from(CompositeKey(account, prefix.first))
            try transaction.scanKeys(table, start) { key in
                guard prefix.matches(key.second) else { return false }
                if isMeant(key.second) { found.append(key.second) }
                return found.count <= NamedID.shownMax
            }
        }
        return found
    }
}

extension [NamedID] {
    /// Each id once, in the order of first occurrence.
    fileprivate var unique: [NamedID] {
        var seen: Set<String> = []
        return filter { seen.insert($0.id).inserted }
    }
}
