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
        return [try await item(token, for: account)].compactMap(\.self)
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
        let found = saleIndex.views { $0.state.contentHash == hash }
        let tokens = Set(found.compactMap(\.sale.state.item))
        var items: [Client.Item] = []
        for token in tokens.sorted().prefix(Self.itemsMax) {
            if let item = try await item(token, for: account) { items.append(item) }
        }
        return items
    }

    /// Returns a token with its sales; `nil` if the market has none of this number.
    private func item(_ token: Amount, for account: Address?) async throws -> Client.Item? {
        let contract = ItemContract(address: chain.deployment.item.address)
        let maker = try await chain.asking { try await chain.client.ask(contract.maker(of: token)) }
        // The zero address is the maker of no token.
        guard maker != .zero else { return nil }
        let owner = try await chain.asking { try await chain.client.ask(contract.owner(of: token)) }
        let contentHash = try await chain.asking {
            try await chain.client.ask(contract.contentHash(of: token))
        }
        let all = saleIndex.views { $0.state.item == token }
        let views = all.suffix(Self.salesMax)
        let identifiers = try views.lazy.compactMap { view in
            try self.store.foundListing(of: view.sale)?.promise.identifier
        }
        return Client.Item(
            token: token.decimal,
            contentHash: contentHash.hex,
            identifier: identifiers.first { $0.contentHash == contentHash }?.text,
            maker: maker.checksummed,
            owner: owner.checksummed,
            sales: try views.map { try shown($0, for: account) }
        )
    }
}
