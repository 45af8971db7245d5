package import Keys

/// The terms of a sale of one item without deposits, such as an auction's.
///
/// What these kinds of sale have in common is written once, for any type of terms.
///
/// Source: Docs/contracts.md, sections 10 and 11.
package protocol ItemTerms: OfferTerms {
    /// The contract's struct `Terms` as the ABI encodes it: one word for each member, in order.
    var words: [Bytes32] { get }

    /// Checks everything that the contract demands if the offer is listed at `now`.
    func check(at now: ChainTime) throws(TermsFault)
}

extension Bytes32 {
    /// Creates the word that holds a number, as in the ABI.
    init(number: UInt64) { self.init(words: 0, 0, 0, number) }
}
