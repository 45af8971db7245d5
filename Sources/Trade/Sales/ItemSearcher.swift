import Answers
package import Client
import Ethereum
package import Keys
import Market
import Setup
import Storage

/// Finds the market's tokens, each with its sales.
package struct ItemSearcher: Sendable {
    /// The maximum number of tokens in an answer, because the chain is asked for each.
    private static let itemsMax = 20
    /// The maximum number of own tokens in an answer.
    private static let ownMax = 100
    /// The maximum number of sales of each token in an answer, the newest ones.
    static let salesMax = 50

    private let markets: Markets
    private let sales: Sales
    private let store: Store
    /// One for each chain: its tokens have their own numbers.
    private let items: [ChainID: ChainItems]

    /// - Parameters:
    ///   - markets: The chains; each is asked about its own tokens.
    ///   - sales: Shows the sales.
    ///   - store: The store of the listings.
    init(markets: Markets, sales: Sales, store: Store) {
        (self.markets, self.sales, self.store) = (markets, sales, store)
        items = Dictionary(uniqueKeysWithValues: markets.all.map { ($0.chain, ChainItems($0)) })
    }

    /// Returns one token with its sales; an empty list if the market has no such token.
    ///
    /// - Parameters:
    ///   - text: The token's number, in decimal.
    ///   - chain: The number of its chain; `nil` means the token with that number on every chain.
    ///   - account: The account to which the sales are shown.
    /// - Returns: The tokens found; one for each chain that has it.
    /// - Throws: ``Refusal``: `malformed_value`, or the chain's.
    package func items(
        token text: String,
        on chain: UInt64? = nil,
        for account: Address?
    ) async throws -> [Client.Item] {
        guard let token = Amount(decimal: text), !token.isZero else {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.notAToken", ["text": text.quoted]),
                field: "token"
            )
        }
        var found: [Client.Item] = []
        for chain in try chains(entered: chain) {
            let known = try await items[chain.chain]?.details(of: [token]) ?? [:]
            guard let details = known[token] else { continue }
            found.append(try await item(token, details, on: chain, for: account))
        }
        return found
    }

    /// Returns the tokens that were sold for an identifier, the oldest first, at most 20.
    ///
    /// - Parameters:
    ///   - text: The identifier as listings state it; blanks and punctuation are dropped.
    ///   - chain: The number of the only chain to look at; `nil` looks at all.
    ///   - account: The account to which the sales are shown.
    /// - Returns: The tokens.
    /// - Throws: ``Refusal``: `malformed_value`, or the chain's.
    package func items(
        identifier text: String,
        on chain: UInt64? = nil,
        for account: Address?
    ) async throws -> [Client.Item] {
        let identifier = try ItemIdentifier(entered: text)
        var found: [Client.Item] = []
        for chain in try chains(entered: chain) {
            found += try await items(of: identifier, on: chain, for: account)
        }
        return found
    }

    /// Returns the tokens that an account owns now, of the sales in which it was a party; at most
    /// 100 on each chain, the newest first.
    ///
    /// - Parameters:
    ///   - account: The owner, to whom the sales are shown.
    ///   - chain: The number of the only chain to look at; `nil` looks at all.
    /// - Returns: The tokens; one that was given to the account, and not sold, is not among them.
    /// - Throws: ``Refusal``: `unknown_chain`, or the chain's.
    package func items(
        ownedBy account: Address,
        on chain: UInt64? = nil
    ) async throws -> [Client.Item] {
        var found: [Client.Item] = []
        for chain in try chains(entered: chain) {
            let tokens = Set(chain.saleIndex.sales(of: account).compactMap(\.state.item))
                .sorted(by: >).prefix(Self.ownMax)
            let details = try await items[chain.chain]?.details(of: Array(tokens)) ?? [:]
            for token in tokens {
                guard let item = details[token], item.owner == account else { continue }
                found.append(try await self.item(token, item, on: chain, for: account))
            }
        }
        return found
    }

    private func chains(entered number: UInt64?) throws(Refusal) -> [MarketChain] {
        guard number != nil else { return markets.all }
        return [try markets.chain(entered: number)]
    }

    private func items(
        of identifier: ItemIdentifier,
        on chain: MarketChain,
        for account: Address?
    ) async throws -> [Client.Item] {
        let tokens = chain.saleIndex.items(of: identifier, limit: Self.itemsMax)
        let details = try await items[chain.chain]?.details(of: tokens) ?? [:]
        var found: [Client.Item] = []
        for token in tokens {
            guard let item = details[token] else { continue }
            found.append(try await self.item(token, item, on: chain, for: account))
        }
        return found
    }

    /// Returns a token with its sales.
    private func item(
        _ token: Amount,
        _ details: ItemDetails,
        on chain: MarketChain,
        for account: Address?
    ) async throws -> Client.Item {
        let views = chain.saleIndex.views(of: token, limit: Self.salesMax)
        let identifiers = try views.lazy.compactMap { view in
            try store.promise(of: view.sale)?.identifier
        }
        return Client.Item(
            chain: chain.chain.number,
            token: token.decimal,
            contentHash: details.contentHash.hex,
            identifier: identifiers.first {
                $0.contentHash(madeBy: details.maker) == details.contentHash
            }?.text,
            maker: details.maker.checksummed,
            owner: details.owner.checksummed,
            since: chain.saleIndex.firstListed(token)?.date,
            sales: try await sales.shown(views, for: account)
        )
    }
}

/// The tokens of one chain.
///
/// A class, because a task's closure that captures a ``MarketChain`` is compiled to one that ends
/// the program (Swift 6.3.1, debug).
final class ChainItems: Sendable {
    private let chain: MarketChain
    private let cache = ItemCache()

    init(_ chain: MarketChain) { self.chain = chain }

    /// Returns the chain's facts about tokens; unknown tokens are left out.
    func details(of tokens: [Amount]) async throws -> [Amount: ItemDetails] {
        // All at once: each takes as long as the chain's endpoint takes to answer.
        try await withThrowingTaskGroup(
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
    }

    @concurrent
    private func details(of token: Amount) async throws -> ItemDetails? {
        try await cache.details(of: token, from: chain)
    }
}
