/// Which rule of its kind a payload breaks.
///
/// The same rules hold for what people enter and for what peers send.
package enum RuleFault: Error, Equatable, Sendable {
    case missing(PayloadField)
    case tooLong(PayloadField, byteCountMax: Int)
    case tooMany(PayloadField, countMax: Int)
    /// Twice the same where each may come once.
    case repeated(PayloadField)
    /// Holds what the field cannot hold: control characters, a wrong length, an unknown value.
    case malformed(PayloadField)
    /// The form cannot be delivered and paid in this way.
    case combination(Listing.Form, Delivery.Method, PaymentMethod)
    case terms(EscrowTermsFault)
}

/// A part of a payload, named as the API names it.
package enum PayloadField: String, Sendable {
    case name, about, avatar, region, homes
    case key
    case form, title, description, category, tags, media, identifier, delivery, chain, terms
    case endsAt, anchor, withdrawal
    case sale, stars, text, outcome, currency, price
}
