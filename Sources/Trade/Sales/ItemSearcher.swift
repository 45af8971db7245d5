import Answers
package import Client
import Ethereum
package import Keys
import Market
import Setup

/// The history of the market's tokens.
extension Sales {
    /// The maximum number of tokens in an answer, because the chain is asked for each.
    private static let itemsMax = 20
    /// The maximum number of own tokens in an answer.
    private static let ownMax = 100
    /// The maximum number of sales of each token in an answer, the newest ones.
    fileprivate static let salesMax = 50

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
            found.append(try item(token, details, on: chain, for: account))
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
                found.append(try self.item(token, item, on: chain, for: account))
            }
        }
        return found
    }

    /// Warns of other tokens with the identifier of a purchased item, other than pieces of the
    /// same listing, sold and withdrawn ones too; `nil` if there are none.
    func twinWarning(of purchase: PurchasePlan) -> Sentence? {
        guard purchase.found.listing.form == .goods, let item = purchase.sale.state.item else {
            return nil
        }
        let identifier = purchase.promise.identifier
        let slots = purchase.found.pieceSlots
        let others = markets.saleIndexes.all.flatMap { index in
            index.items(of: identifier, limit: Self.itemsMax)
                .filter { token in
                    guard index === markets[purchase.sale].saleIndex else { return true }
                    return token != item
                        && !index.isSold(token, by: purchase.sale.seller, in: slots)
                }
                .compactMap(index.firstListed)
        }
        guard let first = others.min() else { return nil }
        let age =
            switch markets[purchase.sale].saleIndex.firstListed(item) {
            case let own? where own < first: "item.thisOlder"
            case let own? where own > first: "item.oneOlder"
            default: "item.noneOlder"
            }
        let values = ["count": "\(others.count)", "age": age, "identifier": identifier.text]
        // The index was asked for at most this number on each chain, this token among them.
        return others.count < Self.itemsMax - 1
            ? Sentence("item.others", values) : Sentence("item.manyOthers", values)
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
        return try tokens.compactMap { token in
            try details[token].map { try item(token, $0, on: chain, for: account) }
        }
    }

    /// Returns a token with its sales.
    private func item(
        _ token: Amount,
        _ details: ItemDetails,
        on chain: MarketChain,
        for account: Address?
    ) throws -> Client.Item {
        let views = chain.saleIndex.views(of: token, limit: Self.salesMax)
        let identifiers = try views.lazy.compactMap { view in
            try self.store.promise(of: view.sale)?.identifier
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
            sales: try views.map { try shown($0, for: account) }
        )
    }
}

extension FoundListing {
    /// The slots of all pieces of the listing, also of those that were sold or withdrawn.
    fileprivate var pieceSlots: Set<Bytes32> {
        let first = shownID.slot
        return Set((1..<PieceRole.countMax).map { PieceRole.slot($0, of: first) } + [first])
    }
}

extension SaleIndex {
    /// Whether a token was put up for sale by an account in one of the slots of its listings.
    fileprivate func isSold(_ token: Amount, by seller: Address, in slots: Set<Bytes32>) -> Bool {
        views(of: token, limit: Sales.salesMax).map(\.sale).contains { sale in
            sale.seller == seller && sale.state.slot.map(slots.contains) == true
        }
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
