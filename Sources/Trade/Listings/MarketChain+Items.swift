import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Setup

/// The tokens that listings sell.
extension MarketChain {
    private var item: ItemContract { ItemContract(address: deployment.item.address) }

    /// Looks up the token that a listing sells again, and checks that its seller can sell it so.
    ///
    /// - Parameters:
    ///   - content: The listing, as its seller wrote it.
    ///   - identifier: The identifier of the listed item.
    ///   - seller: The account that must own the token.
    /// - Returns: The token with its maker; `nil` if the listing mints a new one.
    /// - Throws: ``Refusal``: `bad_listing`, or the chain's.
    func item(
        ofListing content: ListingContent,
        _ identifier: ItemIdentifier,
        by seller: Address
    ) async throws -> OwnedItem? {
        guard let entered = content.item else { return nil }
        let (token, maker) = try await owned(entered, by: seller) { reason in
            Refusal(.badListing, reason, Sentence("refusal.mintInstead"), field: "item")
        }
        let contentHash = try await asking { try await client.ask(item.contentHash(of: token)) }
        guard contentHash == identifier.contentHash(madeBy: maker) else {
            throw Refusal(
                .badListing,
                Sentence(
                    "refusal.otherIdentifier",
                    ["token": "\(token)", "identifier": identifier.text.quoted]
                ),
                field: "identifier"
            )
        }
        return OwnedItem(token: token, maker: maker)
    }

    /// Returns whether the contract of an offer can already take its token, or mint it.
    func isAllowed(for offer: PlannedListing) async throws -> Bool {
        guard type(of: offer.service).sellsItem else { return true }
        let contract = offer.sale.sale.contract.address
        return try await asking {
            guard let owned = offer.content.item else {
                return try await client.ask(item.isMinter(contract, for: offer.seller))
            }
            return try await client.ask(item.approved(for: owned.token)) == contract
        }
    }

    /// Returns the transaction that allows the contract of an offer to take its token, or to mint.
    func allowance(for offer: PlannedListing) -> Intent.Step {
        let contract = offer.sale.sale.contract.address
        guard let owned = offer.content.item else {
            return Intent.Step(item.allowMinter(contract, true))
        }
        return Intent.Step(item.approve(contract, token: owned.token))
    }

    /// Returns the number of a token that an account owns.
    ///
    /// - Throws: ``Refusal``: `not_allowed` if it does not, or the chain's.
    func ownedToken(_ entered: String, of account: Address) async throws -> Amount {
        try await owned(entered, by: account) { reason in
            Refusal(.notAllowed, [reason], field: "token")
        }.token
    }

    private func owned(
        _ entered: String,
        by account: Address,
        _ refusal: (Sentence) -> Refusal
    ) async throws -> (token: Amount, maker: Address) {
        guard let token = Amount(decimal: entered), !token.isZero else {
            throw refusal(Sentence("refusal.notAToken", ["text": entered.quoted]))
        }
        // The zero address is the maker of no token, and the contract reverts for its owner.
        let maker = try await asking { try await client.ask(item.maker(of: token)) }
        guard maker != .zero else {
            throw refusal(Sentence("refusal.noSuchToken", ["token": "\(token)"]))
        }
        let owner = try await asking { try await client.ask(item.owner(of: token)) }
        guard owner == account else {
            throw refusal(reason(for: token, with: owner, not: account))
        }
        return (token, maker)
    }

    /// Says why an account does not own a token.
    private func reason(for token: Amount, with owner: Address, not account: Address) -> Sentence {
        guard let kind = deployment.contract(at: owner)?.kind else {
            let values = ["token": "\(token)", "owner": owner.checksummed]
            return Sentence("refusal.tokenOfOther", values)
        }
        var values = ["token": "\(token)", "kind": "payment.\(kind)"]
        let sale = saleIndex.views(of: token, limit: 1).last?.sale
        guard let sale, sale.seller == account, sale.stage != .over else {
            return Sentence("refusal.tokenInSale", values)
        }
        values["sale"] = String(sale.id.description.dropFirst(2).prefix(8))
        return Sentence("refusal.tokenInOwnSale", values)
    }
}
