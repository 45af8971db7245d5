package import Keys

/// The offer of one item, as its seller lists it.
///
/// Contracts do not store terms: the sale's id commits to the offer, and each move carries it. A
/// listing record and the token are enough to create it again.
///
/// Source: Docs/contracts.md, section 4.
package struct ItemOffer<Terms: ItemTerms>: Hashable, Sendable {
    package let seller: Address
    /// Distinguishes offers that are equal otherwise.
    package let salt: Bytes32
    /// The seller's token; `nil` to mint one.
    package let token: Amount?
    /// The token's maker; the seller if it is minted.
    package let maker: Address
    package let contentHash: Bytes32
    /// The hash of the listing that the sale fulfils.
    package let promise: Bytes32
    package let terms: Terms

    /// Creates an offer.
    ///
    /// - Parameters:
    ///   - seller: The account that lists it.
    ///   - salt: Distinguishes offers that are equal otherwise; the listing's slot.
    ///   - token: The seller's token; `nil` or zero to mint one.
    ///   - maker: The token's maker; `nil` if it is the seller.
    ///   - contentHash: The hash of the item that the token represents.
    ///   - promise: The hash of the listing that the sale fulfils.
    ///   - terms: The terms, which may exceed the contract's limits.
    package init(
        seller: Address,
        salt: Bytes32,
        token: Amount? = nil,
        maker: Address? = nil,
        contentHash: Bytes32,
        promise: Bytes32,
        terms: Terms
    ) {
        self.seller = seller
        self.salt = salt
        self.token = token == .zero ? nil : token
        self.maker = maker ?? seller
        self.contentHash = contentHash
        self.promise = promise
        self.terms = terms
    }

    /// The offer as the ABI encodes it: one word for each member, in order.
    package var words: [Bytes32] {
        [seller.word, salt, (token ?? .zero).word, maker.word, contentHash, promise]
            + terms.words
    }

    /// Computes the id of the sale, which is known before the listing is mined.
    ///
    /// It is the Keccak-256 of the ABI encoding of (chain id at the contract's deployment,
    /// contract, offer), all single words.
    ///
    /// - Parameter contract: The contract that the offer is listed with.
    /// - Returns: The same id as the contract's `sale_id(offer)`.
    package func id(on contract: ContractReference) -> SaleID {
        let words = [Bytes32(number: contract.chain.number), contract.address.word] + words
        return SaleID(Keccak256.hash(words.flatMap(\.bytes)))
    }

    /// Returns the sale of this offer in `contract`, whether it is listed there or not.
    package func sale(in contract: ContractReference) -> SaleReference {
        SaleReference(contract: contract, id: id(on: contract))
    }
}
