package import Client
import Contracts
import Foundation
package import Keys
import Market
package import Storage

/// The escrow sales of the market, as this node's own chain connection shows them, and the moves
/// in them.
package actor Sales {
    let chain: MarketChain
    let runner: OperationRunner
    let store: Store
    nonisolated let saleIndex: SaleIndex

    /// - Parameters:
    ///   - chain: Asks the chain.
    ///   - runner: Carries moves out.
    ///   - store: Has the listings.
    package init(chain: MarketChain, runner: OperationRunner, store: Store) {
        (self.chain, self.runner, self.store) = (chain, runner, store)
        saleIndex = chain.saleIndex
    }

    /// One sale, with what `account` can do in it.
    ///
    /// - Throws: ``Refusal`` with `unknown_sale`.
    package func sale(_ id: String, for account: Address?) throws -> Client.Sale {
        try shown(try view(id), for: account)
    }

    /// One page of the sales to which an account is a party, the latest moved first.
    ///
    /// - Parameters:
    ///   - account: Seller, buyer or arbiter.
    ///   - phase: Only sales in it, as the API names it.
    ///   - after: The page before's `next`.
    ///   - limit: How many at most.
    /// - Returns: The sales, and where the next page begins.
    /// - Throws: ``Refusal`` with `malformed_value`.
    package func sales(
        of account: Address,
        in phase: String? = nil,
        after: String? = nil,
        limit: Int
    ) throws -> Page<Client.Sale> {
        let page = saleIndex.page(
            of: account,
            in: try phase.map { try EscrowStatus(entered: $0) },
            after: try after.map { try PageCursor(entered: $0) },
            limit: limit
        )
        return Page(
            items: try page.views.map { try shown($0, for: account) },
            next: page.next?.text
        )
    }

    /// Finds a sale by its id as the API writes it.
    func view(_ id: String) throws -> SaleView {
        guard let hash = Bytes32(hex: id), let view = saleIndex.view(of: SaleID(hash)) else {
            throw Refusal(
                .unknownSale,
                "This node's chain shows no sale \(id.quoted). A sale that was just made takes a "
                    + "block.",
                field: "sale"
            )
        }
        return view
    }

    func shown(_ view: SaleView, for account: Address?) throws -> Client.Sale {
        let state = view.state
        let listing = try store.listing(of: state)
        return Client.Sale(view, listing: listing, for: account, at: saleIndex.time)
    }
}
