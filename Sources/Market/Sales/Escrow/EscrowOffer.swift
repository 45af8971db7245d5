package import Keys

/// An offer as the contract demands it with every move; the id of a sale is its hash.
///
/// The contract stores no terms: each move carries the offer, and the contract compares its hash
/// with the id under which the sale is stored.
///
/// Source: Docs/contracts.md, section 4; Sources/Contracts/Vyper/escrow_terms.vy, `Offer`.
package struct EscrowOffer: Hashable, Sendable {
    package let seller: Address
    /// Distinguishes offers with otherwise equal parts.
    package let salt: Bytes32
    /// The seller's token as given to `list`; zero if one is minted for the sale.
    package let token: Amount
    /// The token's maker; the seller if it is minted for the sale.
    package let maker: Address
    /// The hash of what the token stands for.
    package let contentHash: Bytes32
    /// The hash of the listing that the sale fulfils.
    package let promise: Bytes32
    package let terms: EscrowTerms

    /// Creates an offer.
    ///
    /// - Parameters:
    ///   - seller: The account that lists it.
    ///   - salt: Distinguishes offers with otherwise equal parts; the listing's slot.
    ///   - token: The seller's token; zero to mint one.
    ///   - maker: The token's maker; `nil` if it is the seller.
    ///   - contentHash: The hash of what the token stands for.
    ///   - promise: The hash of the listing that the sale fulfils.
    ///   - terms: The terms.
    package init(
        seller: Address,
        salt: Bytes32,
        token: Amount = .zero,
        maker: Address? = nil,
        contentHash: Bytes32,
        promise: Bytes32,
        terms: EscrowTerms
    ) {
        self.seller = seller
        self.salt = salt
        self.token = token
        self.maker = maker ?? seller
        self.contentHash = contentHash
        self.promise = promise
        self.terms = terms
    }

    /// Returns the sale of this offer in `contract`, whether it is listed there or not.
    package func sale(in contract: ContractReference) -> SaleReference {
        SaleReference(contract: contract, id: SaleID(contract: contract, offer: self))
    }
}
