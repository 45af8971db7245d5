/// The values that a parameter or a field can have.
package enum ValueForm: Sendable {
    case text
    /// Where a page begins.
    case cursor
    case flag
    case numbers(ClosedRange<Int>, standard: Int? = nil)
    /// The id of a chain.
    case chain
    /// A text with a number of characters in this range.
    case lengths(ClosedRange<Int>)
    case pattern(String)
    case oneOf([String], standard: String? = nil)
    case oneOfNumbers([Int])
    /// A text of a list that the node has.
    case known(KnownTexts)

    /// A sum of money, in decimal.
    static let amount = pattern("^[0-9]{1,78}$")
    /// The ISO 3166 code of a country.
    static let country = pattern("^[A-Za-z]{2}$")
}

/// The lists of texts that are the node's own.
package enum KnownTexts: Sendable {
    /// The ways to sell.
    case payments
    /// The phases of sales of all kinds.
    case phases
    case deliveries
    /// The lists of an account's sales.
    case saleLists
    /// The orders of listings; the first is the usual one.
    case orders
    /// The actions that have previews; a purchase is a move too.
    case actions
    /// The codes of sentences and of the words in them.
    case sentences
}
