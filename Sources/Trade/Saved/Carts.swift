import Answers
package import Client
package import Keys
package import Mail
import Market
import Setup

/// The listings that an account means to buy together, in its vault.
///
/// A listing is one thing with one token, so it is in a cart once or not at all.
package struct Carts: Sendable {
    /// The maximum number of listings in a cart.
    package static let countMax = 64

    private let vault: Vault
    private let saved: SavedListings

    package init(vault: Vault, listings: Listings?) {
        self.vault = vault
        saved = SavedListings(store: vault.store, listings: listings)
    }

    /// Returns the account's cart.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`.
    package func cart(of account: Address) async throws -> Cart {
        try shown(try await vault.contents(of: account))
    }

    /// Puts a listing into the cart, or takes it out with a quantity of 0.
    ///
    /// - Throws: ``Refusal`` with `malformed_value` for another quantity, `unknown_listing`,
    ///   `listing_gone`, `own_listing`, `not_allowed` for a listing without a fixed price and for
    ///   too many, `needs_unlock`.
    package func put(
        _ text: String,
        quantity: Int,
        by account: Address
    ) async throws -> Cart {
        guard (0...1).contains(quantity) else {
            throw Refusal(.malformedValue, Sentence("refusal.quantityIsOne"), field: "quantity")
        }
        let (id, value) =
            try await quantity == 1
            ? buyable(text, by: account) : (inCart(text, of: account), [])
        let name = id.vaultName
        let contents = try await vault.write(of: account, isAddition: quantity == 1) { contents in
            let old = contents.value(name, in: .cart)
            let isThere = old != nil
            // Put in again, it is there with the sale that it has now.
            guard quantity == 1 ? old != value : isThere else { return [] }
            guard isThere || contents.present(in: .cart).count < Self.countMax else {
                throw Refusal(
                    .notAllowed,
                    Sentence("refusal.cartFull", ["most": "\(Self.countMax)"])
                )
            }
            return [Vault.Change(section: .cart, name: name, value: quantity == 1 ? value : nil)]
        }
        return try shown(contents)
    }

    /// Removes a listing from the cart.
    ///
    /// - Parameters:
    ///   - text: Its id, the first digits of the id's own part, or words of its title.
    ///   - account: The account.
    /// - Throws: ``Refusal`` with `not_found` if it is not in there, `ambiguous_id`,
    ///   `needs_unlock`.
    package func remove(_ text: String, by account: Address) async throws {
        let name = try await inCart(text, of: account).vaultName
        try await vault.write(of: account, isAddition: false) { contents in
            guard contents.value(name, in: .cart) != nil else {
                throw Refusal(.notFound, Sentence("refusal.notInCart", ["text": text.quoted]))
            }
            return [Vault.Change(section: .cart, name: name, value: nil)]
        }
    }

    /// Returns the listing of the cart that a person names.
    ///
    /// - Throws: As ``remove(_:by:)``.
    private func inCart(_ text: String, of account: Address) async throws -> ListingID {
        let all = try await vault.contents(of: account).listings(in: .cart)
        guard let id = try saved.id(text, among: all) else {
            throw Refusal(.notFound, Sentence("refusal.notInCart", ["text": text.quoted]))
        }
        return id
    }

    /// Returns the id of a listing that the account could buy at its price, and its value for the
    /// vault: the quantity, the title and the sale.
    private func buyable(
        _ text: String,
        by account: Address
    ) throws -> (id: ListingID, value: [UInt8]) {
        let (id, listing) = try saved.known(text)
        guard id.author != account else {
            throw Refusal(.ownListing, Sentence("refusal.ownListing"), field: "listing")
        }
        guard listing.state != "over" else {
            throw Refusal(.listingGone, Sentence("refusal.offerOver"), field: "listing")
        }
        let kind = listing.payment.map { SaleKind(rawValue: $0) }
        guard let kind, SaleKinds.standard.isBoughtAtOnce(kind) else {
            throw Refusal(.notAllowed, Sentence("refusal.noFixedPrice"), field: "listing")
        }
        let sale = try saved.store.listing(id)?.listing.sale.map { [0] + $0.id.hash.bytes }
        return (id, [1] + SavedListings.vaultTitle(of: listing) + (sale ?? []))
    }

    private func shown(_ contents: VaultContents) throws -> Cart {
        let lines = try contents.listings(in: .cart).map { try saved.shown($0) }
        var sums: [CartTotal] = []
        for line in lines where line.state == "open" {
            guard let price = line.price, let chain = line.chain,
                let amount = Amount(decimal: price.amount)
            else { continue }
            let place = sums.firstIndex {
                $0.chain == chain && $0.amount.currency == price.currency
            }
            guard let place else {
                sums.append(CartTotal(chain: chain, listings: 1, amount: price))
                continue
            }
            let sum = Amount(decimal: sums[place].amount.amount)?.adding(amount)
            sums[place].amount.amount = (sum ?? .max).description
            sums[place].listings += 1
        }
        return Cart(lines: lines, totals: sums)
    }
}
