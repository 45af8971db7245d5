import Answers
package import Client
package import Keys
import Market
import Setup

/// Selling again what was bought.
extension ListingPlanner {
    /// Returns the content with which an account can sell again the item of a sale.
    ///
    /// Title, description, files and identifier are those that the sale promised; the rest is that of
    /// its listing, if this node has it. The price is 0, and the terms are left out.
    ///
    /// - Throws: ``Refusal``: `unknown_sale`, `bad_listing` if the account does not own the item's
    ///   token or this node does not know what was promised, `media_no_room`, or the chain's.
    package func resale(of text: String, by account: Address) async throws -> ListingContent {
        guard let sale = try saleIndexes.onlyView(entered: text)?.sale else {
            throw Refusal(
                .unknownSale,
                Sentence("refusal.noSuchSale", ["id": text.quoted]),
                field: "sale"
            )
        }
        guard let token = sale.state.item, let promise = try store.promise(of: sale) else {
            throw Refusal(.badListing, Sentence("refusal.nothingToResell"), field: "sale")
        }
        let listing = try store.foundListing(of: sale)?.listing
        var content = listing.map(ListingContent.init) ?? ListingContent(promise)
        (content.title, content.description) = (promise.title, promise.description)
        content.identifier = promise.identifier.text
        let shown = content.media ?? []
        content.media = promise.media.map { id in
            shown.first { $0.id == id.hex } ?? ListingMedia(id: id.hex)
        }
        content.chain = sale.reference.contract.chain.number
        content.item = token.decimal
        content.price.amount = "0"
        content.removeTerms()
        let chain = markets[sale]
        _ = try await chain.item(ofListing: content, promise.identifier, by: account)
        try await offerPlanner.fetchMedia(of: content)
        return content
    }
}

extension ListingContent {
    /// The promise of a sale, whose listing is no longer here.
    fileprivate init(_ promise: ListingCommitment) {
        let isDigital = promise.delivery.method == .online
        self.init(
            type: (isDigital ? Market.Listing.Form.digital : .goods).rawValue,
            title: promise.title,
            category: isDigital ? ListingRules.digitalCategory : "",
            price: Money(promise.terms.price, promise.terms.currency),
            payment: promise.terms.kind.rawValue,
            delivery: promise.delivery.method.rawValue
        )
    }
}
