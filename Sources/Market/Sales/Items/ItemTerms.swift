package import Keys

/// The terms of a sale of one item, such as an auction's.
///
/// The common part of these kinds of sale is written once, for any type of terms.
///
/// Source: Docs/contracts.md, sections 4, 10 and 11.
package protocol ItemTerms: SaleKindTerms {
    /// The contract's struct `Terms` as the ABI encodes it: one word for each member, in order.
    var words: [Bytes32] { get }

    /// The seller's payment with the listing; zero in a kind without deposits.
    var listingDeposit: Amount { get }

    /// Checks everything that the contract demands if `seller` lists the offer at `now`.
    func check(seller: Address, at now: ChainTime) throws(TermsFault)
}

extension ItemTerms {
    package var listingDeposit: Amount { .zero }
}
