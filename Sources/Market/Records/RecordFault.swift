/// Why a record is refused.
package enum RecordFault: Error, Equatable, Sendable {
    // Decided by the bytes alone, permanently.
    case tooLong(byteCount: Int)
    case malformed(FramingFault)
    /// Not `r ‖ s ‖ v` with `v` 27 or 28 and a low `s`.
    case signatureMalformed
    /// The signature is not the author's.
    case wrongSigner
    /// The payload of a known kind is not in canonical form, or its unknown fields are too long.
    case payloadMalformed(FramingFault)
    /// A text in it is not UTF-8.
    case payloadNotUTF8
    /// An empty payload of a kind that has no withdrawal.
    case payloadMissing

    // Decided here and now; the record may be valid elsewhere or later.
    case otherNetwork
    case unknownKind(UInt8)
    case fromTheFuture(ahead: Duration)
    case expired
    /// The summary that the author's wallet showed differs from the payload's.
    case summaryDiffers
    /// The slot does not match the payload.
    case wrongSlot
    case ruleBroken(RuleFault)

    /// The outcome for the record and the peer that sent it.
    package var verdict: Verdict {
        switch self {
        case .tooLong, .malformed, .signatureMalformed, .wrongSigner, .payloadMalformed,
            .payloadNotUTF8, .payloadMissing:
            .reject
        case .fromTheFuture: .ignoreForNow
        case .otherNetwork, .unknownKind, .expired, .summaryDiffers, .wrongSlot, .ruleBroken:
            .ignore
        }
    }
}

/// A deviation of an envelope from its only valid form.
///
/// Source: Docs/protocol.md, section 4.1.
package enum FramingFault: Error, Equatable, Sendable {
    case truncated
    /// A varint that is longer than its number needs, or exceeds 64 bits.
    case varintNotShortest
    case unknownField(UInt64)
    /// Fields must occur once each, by rising numbers.
    case fieldOutOfOrder(UInt64)
    /// A default value is written, or a required field is missing.
    case fieldMissing(UInt64)
    /// A length or a number that is invalid for this field.
    case fieldOutOfRange(UInt64)
    case notUTF8(UInt64)
}
