/// The fields of one payload message, as far as its canonical form depends on them.
///
/// A test compares these tables with `payload.proto`.
///
/// Source: Docs/protocol.md, section 4.1.
package struct PayloadForm: Hashable, Sendable {
    /// What a field holds.
    package indirect enum Field: Hashable, Sendable {
        case uint64
        /// `uint32` or `sint32`.
        case uint32
        /// A number of 32 bits with its sign, written as one of 64 bits.
        case enumeration
        /// Bytes or text.
        case bytes
        case message(PayloadForm)
        /// Any number of successive bytes, text or message fields.
        case repeated(Field)
    }

    /// By field number, from 1 without gaps.
    package let fields: [Field]
    /// Whether the fields are those of a `oneof`, of which at most one is present.
    package let isOneOf: Bool

    init(_ fields: Field..., isOneOf: Bool = false) {
        self.fields = fields
        self.isOneOf = isOneOf
    }

    /// Returns a field; `nil` if this version does not know the number.
    func field(_ number: UInt64) -> Field? {
        guard number >= 1, number <= UInt64(fields.count) else { return nil }
        return fields[Int(number) - 1]
    }
}

extension PayloadForm {
    package static let media = PayloadForm(.bytes, .uint64, .enumeration)
    package static let homeLease = PayloadForm(
        .bytes,
        .repeated(.bytes),
        .uint64,
        .uint64,
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
        .enumeration,
        .repeated(.bytes),
        .uint32,
        .uint32,
        .uint32
    )
    package static let pickup = PayloadForm(.bytes)
    package static let online = PayloadForm()
    package static let delivery = PayloadForm(
        .message(shippingLimits),
        .message(pickup),
        .message(online),
        isOneOf: true
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
    package static let withdrawal = PayloadForm(.uint64, .bytes, .bytes, .message(promise))
    package static let listing = PayloadForm(
        .enumeration,
        .bytes,
        .bytes,
        .bytes,
        .repeated(.bytes),
        .repeated(.message(media)),
        .bytes,
        .message(delivery),
        .uint64,
        .message(terms),
        .uint64,
        .message(anchor),
        .message(withdrawal)
    )
    package static let curationEntry = PayloadForm(.bytes, .bytes, .bytes)
    package static let curation = PayloadForm(
        .bytes,
        .bytes,
        .repeated(.message(curationEntry))
    )
    package static let review = PayloadForm(
        .uint64,
        .bytes,
        .bytes,
        .uint32,
        .bytes,
        .repeated(.message(media)),
        .enumeration,
        .bytes,
        .bytes
    )
}
