package import Answers
package import Client
import Contracts
import Ethereum
import Keys
package import Market

/// The node's chains: which one a call is about.
package struct Markets: Sendable {
    /// In the order of the settings; never empty.
    package let all: [MarketChain]
    package let saleIndexes: SaleIndexes

    /// - Parameter all: One for each chain, in the order of the settings; not empty.
    package init(_ all: [MarketChain]) {
        precondition(!all.isEmpty, "a node without a chain has no services of a market")
        self.all = all
        saleIndexes = SaleIndexes(all.map(\.saleIndex))
    }

    package subscript(chain: ChainID) -> MarketChain? {
        saleIndexes.place(of: chain).map { all[$0] }
    }

    /// Returns the chain of a sale of this node's chains.
    subscript(sale: Market.Sale) -> MarketChain {
        guard let chain = self[sale.reference.contract.chain] else {
            preconditionFailure("only sales of the node's chains are folded")
        }
        return chain
    }

    /// Returns the chain that a caller names; without a name, the only one.
    ///
    /// - Throws: ``Refusal`` with `unknown_chain`, or `ambiguous_chain` if the name is missing and
    ///   the node has several chains.
    package func chain(entered number: UInt64?) throws(Refusal) -> MarketChain {
        if let number { return try required(ChainID(number)) }
        guard all.count == 1 else {
            throw Refusal(
                .ambiguousChain,
                Sentence("refusal.whichChain", ["chains": names]),
                field: "chain"
            )
        }
        return all[0]
    }

    /// Returns a chain of this node.
    ///
    /// - Throws: ``Refusal`` with `unknown_chain`.
    func required(_ chain: ChainID) throws(Refusal) -> MarketChain {
        guard let found = self[chain] else {
            throw Refusal(
                .unknownChain,
                Sentence("refusal.chainNotFollowed", ["chain": "\(chain)", "chains": names]),
                field: "chain"
            )
        }
        return found
    }

    /// Returns the chain on which a new listing will be sold.
    ///
    /// It is the one that the content names, or the only one, or the only one whose market takes
    /// the token of its price.
    ///
    /// - Throws: ``Refusal`` with `unknown_chain` or `ambiguous_chain`, and `bad_listing` if the
    ///   currency of the price is one of another chain.
    package func chain(of content: ListingContent) throws(Refusal) -> MarketChain {
        let currency = content.price.currency
        guard let number = content.chain else { return try chain(ofCurrency: currency) }
        let chain = try chain(entered: number)
        try requireOwn(currency, on: chain, .badListing, field: "price.currency")
        return chain
    }

    /// Returns the only chain, or the only one whose market takes a token.
    ///
    /// - Parameter currency: `native`, which every chain has, or the token's address.
    /// - Returns: The chain.
    /// - Throws: ``Refusal`` with `ambiguous_chain`.
    func chain(ofCurrency currency: String) throws(Refusal) -> MarketChain {
        let takers = (try? Address(text: currency)).map { chains(taking: $0) } ?? []
        return takers.count == 1 ? takers[0] : try chain(entered: nil)
    }

    /// Refuses a currency that is not one of the chain's, but one of another chain of this node.
    ///
    /// - Throws: ``Refusal`` with `code`, which names the other chain.
    package func requireOwn(
        _ currency: String,
        on chain: MarketChain,
        _ code: ProblemCode,
        field: String
    ) throws(Refusal) {
        guard let token = try? Address(text: currency),
            !chain.deployment.currencies.contains(.token(token)),
            let other = chains(taking: token).first
        else { return }
        throw Refusal(
            code,
            Sentence(
                "refusal.currencyOfOther",
                ["token": "\(token)", "other": "\(other.chain)", "chain": "\(chain.chain)"]
            ),
            field: field
        )
    }

    private func chains(taking token: Address) -> [MarketChain] {
        all.filter { $0.deployment.currencies.contains(.token(token)) }
    }

    /// The chains for people, such as `1 (ETH), 8217 (KAIA)`.
    private var names: String {
        all.map { "\($0.chain) (\($0.deployment.registry.native.symbol ?? "native"))" }
            .joined(separator: ", ")
    }
}
