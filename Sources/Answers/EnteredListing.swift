import Client
import Market

/// Checks the texts of a listing one by one, as a person enters them.
///
/// The rules are those of the whole listing.
package enum EnteredListing {
    /// Returns why a text cannot be the title; `nil` if it can.
    package static func refusal(title: String) -> Refusal? {
        refusal { () throws(RuleFault) in try ListingRules.check(title: title) }
    }

    /// Returns why a text cannot be the description; `nil` if it can.
    package static func refusal(description: String) -> Refusal? {
        refusal { () throws(RuleFault) in try ListingRules.check(description: description) }
    }

    /// Returns why a text cannot be the category of goods; `nil` if it can.
    package static func refusal(categoryOfGoods category: String) -> Refusal? {
        refusal { () throws(RuleFault) in
            try ListingRules.check(category: category, of: .goods)
        }
    }

    private static func refusal(_ check: () throws(RuleFault) -> Void) -> Refusal? {
        do {
            try check()
            return nil
        } catch {
            return error.refusal(.malformedValue)
        }
    }
}
