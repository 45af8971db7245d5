package import Keys

/// The decoded content of a record, which keeps the rules of its kind.
///
/// Fields added by a later version stay in the record's bytes and are not shown.
///
/// Source: Docs/protocol.md, section 5.
package enum RecordContent: Hashable, Sendable {
    case profile(Profile)
    case device(DeviceCertificate)
    case listing(Listing)
    case review(Review)
    case curation(Curation)
    /// Withdraws the content of the slot.
    case withdrawal(RecordWithdrawal)
    /// A listing that is sold in a way that a later version knows, or the withdrawal of one.
    ///
    /// It is kept as an open record and passed on, and not shown. Source: Docs/protocol.md, section
    /// 4.15.
    case laterListing(payload: [UInt8])

    /// Whether it withdraws the content of its slot.
    package var isWithdrawal: Bool {
        if case .withdrawal = self { true } else { false }
    }

    /// Decodes a payload; an empty one is a withdrawal, which reviews do not have.
    package init(kind: RecordKind, payload: ArraySlice<UInt8>) throws(RecordFault) {
        guard !payload.isEmpty else {
            guard let withdrawal = RecordWithdrawal(kind) else { throw .payloadMissing }
            self = .withdrawal(withdrawal)
            return
        }
        self =
            switch kind {
            case .profile: .profile(try Self.read(payload, Profile.wireSchema, Profile.init(wire:)))
            case .device:
                .device(
                    try Self.read(
                        payload,
                        DeviceCertificate.wireSchema,
                        DeviceCertificate.init(wire:)
                    )
                )
            case .listing:
                try Self.read(payload, Listing.wireSchema) { wire throws(RuleFault) in
                    try Self.isLater(wire)
                        ? .laterListing(payload: [UInt8](payload)) : Self(wire: wire)
                }
            case .curation:
                .curation(try Self.read(payload, Curation.wireSchema, Curation.init(wire:)))
            case .review: .review(try Self.read(payload, Review.wireSchema, Review.init(wire:)))
            }
    }

    /// A listing, or its withdrawal, which has no other field known to this version.
    private init(wire: WireFields) throws(RuleFault) {
        let withdrawal = Int(Listing.wireWithdrawal)
        guard wire.has(withdrawal) else {
            self = .listing(try Listing(wire: wire))
            return
        }
        guard wire.only == withdrawal else { throw .malformed(.withdrawal) }
        self = .withdrawal(.anchoredListing(try ListingWithdrawal(wire: wire.message(withdrawal))))
    }

    /// Whether the listing, or the promise that it withdraws, has terms of a field that this
    /// version does not know.
    private static func isLater(_ wire: WireFields) -> Bool {
        let withdrawal = Int(Listing.wireWithdrawal)
        let terms =
            wire.has(withdrawal)
            ? wire.message(withdrawal).message(4).message(7) : wire.message(Listing.wireTerms)
        return terms.isUnknown
    }

    package var kind: RecordKind {
        switch self {
        case .profile: .profile
        case .device: .device
        case .listing, .laterListing: .listing
        case .review: .review
        case .curation: .curation
        case .withdrawal(let withdrawal): withdrawal.kind
        }
    }

    /// The payload's canonical bytes.
    package var payload: [UInt8] {
        switch self {
        case .profile(let profile): profile.wire
        case .device(let device): device.wire
        case .listing(let listing): listing.wire
        case .curation(let curation): curation.wire
        case .review(let review): review.wire
        case .withdrawal(let withdrawal): withdrawal.payload
        case .laterListing(let payload): payload
        }
    }

    /// Returns the only slot that this can be in; `nil` if the author chooses.
    package func slot(author: Address) -> Bytes32? {
        switch self {
        case .profile, .withdrawal(.profile): .zero
        case .device(let device): device.slot
        case .curation(let curation): Curation.slot(of: curation.name)
        case .review(let review):
            Review.slot(of: review.sale, reviewer: author, round: review.round)
        case .listing, .withdrawal, .laterListing: nil
        }
    }

    /// The role of a listing among several pieces of one thing.
    var pieces: PieceRole? {
        if case .listing(let listing) = self { listing.pieces } else { nil }
    }

    /// Returns the exact text that the author's wallet shows; `nil` if this version does not know
    /// it.
    package func summary(slot: Bytes32) -> String? {
        switch self {
        case .profile(let profile): "Publish profile '\(profile.name)'"
        case .device(let device): "Certify device '\(device.name)' with key \(device.keyText)"
        case .listing(let listing): listing.summary
        case .review(let review): review.summary
        case .curation(let curation): curation.summary
        case .withdrawal(let withdrawal): withdrawal.summary(slot: slot)
        case .laterListing: nil
        }
    }

    private static func read<Content>(
        _ payload: ArraySlice<UInt8>,
        _ schema: WireSchema,
        _ content: (WireFields) throws(RuleFault) -> Content
    ) throws(RecordFault) -> Content {
        let wire: WireFields
        do {
            wire = try WireReader.read(
                payload,
                schema,
                unknownByteCountMax: WireReader.unknownByteCountMax
            )
        } catch {
            if case .notUTF8 = error { throw .payloadNotUTF8 }
            throw .payloadMalformed(error)
        }
        do { return try content(wire) } catch { throw .ruleBroken(error) }
    }
}
