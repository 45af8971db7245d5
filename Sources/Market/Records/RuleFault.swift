/// The rule of its kind that a payload breaks.
///
/// The same rules apply to the input of people and to records from peers.
package enum RuleFault: Error, Equatable, Sendable {
    case missing(PayloadField)
    case tooLong(PayloadField, byteCountMax: Int)
    case tooMany(PayloadField, countMax: Int)
    /// Duplicates in a list of unique elements.
    case repeated(PayloadField)
    /// A value that is invalid for the field: control characters, a wrong length, an unknown value.
    case malformed(PayloadField)
    /// This form of goods cannot be delivered and paid in this way.
    case combination(Listing.Form, Delivery.Method, SaleKind)
    case terms(TermsFault)
}

/// A field of a payload, with its name in the API.
package enum PayloadField: String, CaseIterable, Sendable {
    case name, about, avatar, region, homes
    case key
    case form, title, description, category, tags, media, identifier, delivery, chain, terms
    case endsAt, anchor, withdrawal, curriculum, pieces
    case entries, reason
    case sale, stars, text, outcome, currency, price, round
}
