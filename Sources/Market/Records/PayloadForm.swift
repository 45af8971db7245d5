/// The fields of one payload message, as far as its canonical form depends on them.
///
/// A test compares these tables with `payload.proto`.
///
/// Source: Docs/protocol.md, section 4.1.
package struct PayloadForm: Hashable, Sendable {
    /// The wire type of a field.
    package indirect enum Field: Hashable, Sendable {
        case varint
        /// Bytes or text.
        case bytes
        case message(PayloadForm)
        /// Any number of successive bytes, text or message fields.
        case repeated(Field)
    }

    /// By field number, from 1 without gaps.
    package let fields: [Field]

    init(_ fields: Field...) { self.fields = fields }

    /// Returns a field; `nil` if this version does not know the number.
    func field(_ number: UInt64) -> Field? {
        guard number >= 1, number <= UInt64(fields.count) else { return nil }
        return fields[Int(number) - 1]
    }
}

extension PayloadForm {
    package static let media = PayloadForm(.bytes, .varint, .varint)
    package static let homeLease = PayloadForm(
        .bytes,
        .repeated(.bytes),
        .varint,
        .varint,
        .bytes
    )
    package static let profile = PayloadForm(
        .bytes,
        .bytes,
        .message(media),
        .bytes,
        .repeated(.message(homeLease))
    )
    package static let device = PayloadForm(.bytes, .bytes)
    package static let shippingLimits = PayloadForm(
        .varint,
        .repeated(.bytes),
        .varint,
        .varint,
        .varint
    )
    package static let pickup = PayloadForm(.bytes)
    package static let online = PayloadForm()
    package static let delivery = PayloadForm(
        .message(shippingLimits),
        .message(pickup),
        .message(online)
    )
    package static let terms = SaleTerms.form
    package static let promise = PayloadForm(
        .bytes,
        .bytes,
        .bytes,
        .repeated(.bytes),
        .bytes,
        .message(delivery),
        .message(terms)
    )
    package static let anchor = PayloadForm(.bytes, .bytes, .message(promise))
    package static let withdrawal = PayloadForm(.varint, .bytes, .bytes, .message(promise))
    package static let listing = PayloadForm(
        .varint,
        .bytes,
        .bytes,
        .bytes,
        .repeated(.bytes),
        .repeated(.message(media)),
        .bytes,
        .message(delivery),
        .varint,
        .message(terms),
        .varint,
        .message(anchor),
        .message(withdrawal)
    )
    package static let review = PayloadForm(
        .varint,
        .bytes,
        .bytes,
        .varint,
        .bytes,
        .repeated(.message(media)),
        .varint,
        .bytes,
        .bytes
    )
}
