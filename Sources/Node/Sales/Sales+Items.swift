package import Client
import Contracts
package import Keys
import Market

/// The history of the market's tokens.
extension Sales {
    /// The maximum number of tokens in an answer, because the chain is asked for each.
    private static let itemsMax = 20
    /// The maximum number of sales of each token in an answer, the newest ones.
    private static let salesMax = 50

    /// Returns one token with its sales; an empty list if the market has no such token.
    ///
    /// - Parameters:
    ///   - text: The token's number, in decimal.
    ///   - account: The account to which the sales are shown.
    /// - Returns: The token, or nothing.
    /// - Throws: ``Refusal``: `malformed_value`, or the chain's.
    package func items(token text: String, for account: Address?) async throws -> [Client.Item] {
        guard let token = Amount(decimal: text), !token.isZero else {
            throw Refusal(
                .malformedValue,
                "\(text.quoted) is not the number of a token: give its decimal digits.",
                field: "token"
            )
        }
        guard let details = try await items.details(of: token, from: chain) else { return [] }
        return [try item(token, details, for: account)]
    }

    /// Returns the tokens that were sold for an identifier, the oldest first, at most 20.
    ///
    /// - Parameters:
    ///   - text: The identifier as listings state it; blanks and punctuation are dropped.
    ///   - account: The account to which the sales are shown.
    /// - Returns: The tokens.
    /// - Throws: ``Refusal``: `malformed_value`, or the chain's.
    package func items(
        identifier text: String,
        for account: Address?
    ) async throws -> [Client.Item] {
        let identifier: ItemIdentifier
        do { identifier = try ItemIdentifier(normalising: text) } catch {
            throw Refusal(
                .malformedValue,
                "An identifier has 1 to 64 Latin letters and digits.",
                field: "identifier"
            )
        }
        let hash = identifier.contentHash
        let tokens = saleIndex.items(of: hash, limit: Self.itemsMax)
        // All at once: each takes as long as the chain's endpoint takes to answer.
        let details = try await withThrowingTaskGroup(
            of: (Amount, ItemDetails?).self,
            returning: [Amount: ItemDetails].self
        ) { group in
            for token in tokens {
                group.addTask { (token, try await self.details(of: token)) }
            }
            var found: [Amount: ItemDetails] = [:]
            for try await (token, details) in group { found[token] = details }
            return found
        }
        return try tokens.compactMap { token in
            try details[token].map { try item(token, $0, for: account) }
        }
    }

    /// Returns what the chain says of a token; `nil` if it has none of this number.
    ///
    /// A function of its own: a task's closure that captures `chain` itself is compiled to one that
    /// ends the program (Swift 6.3.1, debug).
    @concurrent
    private nonisolated func details(of token: Amount) async throws -> ItemDetails? {
        try await items.details(of: token, from: chain)
    }

    /// Returns a token with its sales.
    private func item(
        _ token: Amount,
        _ details: ItemDetails,
        for account: Address?
    ) throws -> Client.Item {
        let views = saleIndex.views(of: token, limit: Self.salesMax)
        let identifiers = try views.lazy.compactMap { view in
            try self.store.promise(of: view.sale)?.identifier
        }
        return Client.Item(
            token: token.decimal,
            contentHash: details.contentHash.hex,
            identifier: identifiers.first { $0.contentHash == details.contentHash }?.text,
            maker: details.maker.checksummed,
            owner: details.owner.checksummed,
            sales: try views.map { try shown($0, for: account) }
        )
    }
}
