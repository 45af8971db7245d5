package import Keys

/// The creation of a sale of one item, as the contract's `Listed` reports it.
package struct ItemListing<Terms: ItemTerms>: Hashable, Sendable {
    package let offer: ItemOffer<Terms>
    /// The token on sale, even if it was minted for this sale.
    package let token: Amount

    /// Creates a listing from an event's members.
    ///
    /// - Parameters:
    ///   - seller: The account that listed.
    ///   - token: The token on sale.
    ///   - promise: The hash of the listing that the sale fulfils.
    ///   - contentHash: The hash of the item that the token represents.
    ///   - maker: The token's maker; `nil` if it is the seller.
    ///   - salt: Distinguishes offers that are equal otherwise.
    ///   - isMinted: Whether the token was minted for this sale; its maker is then the seller.
    ///   - terms: The terms.
    package init(
        seller: Address,
        token: Amount,
        promise: Bytes32,
        contentHash: Bytes32,
        maker: Address? = nil,
        salt: Bytes32,
        isMinted: Bool,
        terms: Terms
    ) {
        self.token = token
        offer = ItemOffer(
            seller: seller,
            salt: salt,
            token: isMinted ? nil : token,
            maker: maker,
            contentHash: contentHash,
            promise: promise,
            terms: terms
        )
    }

    package var isMinted: Bool { offer.token == nil }

    /// Checks that the contract can have emitted this as the listing of `sale`.
    ///
    /// - Returns: The sale's reference.
    /// - Throws: ``SaleFault/wrongID`` if the id is not the offer's hash;
    ///   ``SaleFault/wrongAccount`` if seller or maker cannot be;
    ///   ``SaleFault/wrongTerms(_:)`` if the contract refuses the offer.
    func reference(
        _ sale: SaleID,
        on contract: ContractReference,
        at time: ChainTime
    ) throws(SaleFault) -> SaleReference {
        guard offer.id(on: contract) == sale else { throw .wrongID }
        guard offer.seller != .zero, offer.maker != .zero,
            !isMinted || offer.maker == offer.seller
        else { throw .wrongAccount }
        let required: [(String, Bool)] = [
            ("promise", offer.promise != .zero), ("contentHash", offer.contentHash != .zero),
            ("token", !token.isZero),
        ]
        for (term, isPresent) in required where !isPresent {
            throw .wrongTerms(TermsFault(term: term))
        }
        do { try offer.terms.check(seller: offer.seller, at: time) } catch {
            throw .wrongTerms(error)
        }
        return SaleReference(contract: contract, id: sale)
    }
}
