/// Why a record is not taken.
package enum RecordFault: Error, Equatable, Sendable {
    // From the bytes alone, for ever.
    case tooLong(byteCount: Int)
    case malformed(FramingFault)
    /// Not `r ‖ s ‖ v` with `v` 27 or 28 and a low `s`.
    case signatureMalformed
    /// The signature is not by the author.
    case wrongSigner
    /// The payload of a known kind does not decode, or is not what encoding it again gives.
    case payloadNotCanonical
    /// Its fields do not rise, or the unknown ones are too many, too long or in no canonical form.
    case payloadMalformed(FramingFault)
    /// An empty payload of a kind that has no withdrawal.
    case payloadMissing

    // Here and now; it may be right elsewhere or later.
    case otherNetwork
    case unknownKind(UInt8)
    case fromTheFuture(ahead: Duration)
    case expired
    /// What the author's wallet showed is not what the payload says.
    case summaryDiffers
    /// The slot is not the one that the payload belongs in.
    case wrongSlot
    case ruleBroken(RuleFault)

    /// What becomes of the record and of the peer that sent it.
    package var verdict: Verdict {
        switch self {
        case .tooLong, .malformed, .signatureMalformed, .wrongSigner, .payloadNotCanonical,
            .payloadMalformed, .payloadMissing:
            .reject
        case .otherNetwork, .unknownKind, .fromTheFuture, .expired, .summaryDiffers, .wrongSlot,
            .ruleBroken:
            .ignore
        }
    }

    /// What a node does with a record that it does not take.
    package enum Verdict: Sendable {
        /// Every version refuses it for ever: it costs the sender.
        case reject
        /// Not taken and not forwarded; nobody is to blame.
        case ignore
    }
}

/// Where an envelope leaves its only valid form.
///
/// Source: Docs/protocol.md, section 4.1.
package enum FramingFault: Error, Equatable, Sendable {
    case truncated
    /// A varint with more bytes than its number needs, or of more than 64 bits.
    case varintNotShortest
    case unknownField(UInt64)
    /// Fields come once each, by rising numbers.
    case fieldOutOfOrder(UInt64)
    /// A default value written out, or a needed field left out.
    case fieldMissing(UInt64)
    /// A length or a number that this field cannot have.
    case fieldOutOfRange(UInt64)
    case notUTF8(UInt64)
}
