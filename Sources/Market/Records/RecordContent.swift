package import Keys
import SwiftProtobuf

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

    /// Decodes a payload; an empty one is a withdrawal, which reviews do not have.
    package init(kind: RecordKind, payload: ArraySlice<UInt8>) throws(RecordFault) {
        guard !payload.isEmpty else {
            guard let withdrawal = RecordWithdrawal(kind) else { throw .payloadMissing }
            self = .withdrawal(withdrawal)
            return
        }
        self =
            switch kind {
            case .profile: .profile(try Self.read(payload, .profile, Profile.init(wire:)))
            case .device:
                .device(try Self.read(payload, .device, DeviceCertificate.init(wire:)))
            case .listing:
                try Self.read(payload, .listing) { (wire: WireListing) in
                    try Self.isLater(wire)
                        ? .laterListing(payload: [UInt8](payload)) : Self(wire: wire)
                }
            case .curation: .curation(try Self.read(payload, .curation, Curation.init(wire:)))
            case .review: .review(try Self.read(payload, .review, Review.init(wire:)))
            }
    }

    /// A listing, or its withdrawal, which has no other field known to this version.
    private init(wire: WireListing) throws(RuleFault) {
        guard wire.hasWithdrawal else {
            self = .listing(try Listing(wire: wire))
            return
        }
        var rest = wire
        rest.clearWithdrawal()
        rest.unknownFields = UnknownStorage()
        guard rest == WireListing() else { throw .malformed(.withdrawal) }
        self = .withdrawal(.anchoredListing(try ListingWithdrawal(wire: wire.withdrawal)))
    }

    /// Whether the listing, or the promise that it withdraws, has terms of a field that this version
    /// does not know.
    private static func isLater(_ wire: WireListing) -> Bool {
        let terms = wire.hasWithdrawal ? wire.withdrawal.promise.terms : wire.terms
        return terms.method == nil && !terms.unknownFields.data.isEmpty
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
        case .profile(let profile): CanonicalMessage.bytes(of: profile.wire)
        case .device(let device): CanonicalMessage.bytes(of: device.wire)
        case .listing(let listing): CanonicalMessage.bytes(of: listing.wire)
        case .curation(let curation): CanonicalMessage.bytes(of: curation.wire)
        case .review(let review): CanonicalMessage.bytes(of: review.wire)
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
        case .review(let review): Review.slot(of: review.sale, reviewer: author)
        case .listing, .withdrawal, .laterListing: nil
        }
    }

    /// Returns the exact text that the author's wallet shows; `nil` if this version does not know it.
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

    private static func read<Wire: Message, Content>(
        _ payload: ArraySlice<UInt8>,
        _ form: PayloadForm,
        _ content: (Wire) throws -> Content
    ) throws(RecordFault) -> Content {
        do {
            try PayloadReader.check(payload, form)
        } catch {
            throw .payloadMalformed(error)
        }
        // What the form leaves open is whether text is UTF-8, and only then does decoding fail.
        guard let wire = try? Wire(serializedBytes: [UInt8](payload)) else {
            throw .payloadNotUTF8
        }
        do {
            return try content(wire)
        } catch let fault as RuleFault {
            throw .ruleBroken(fault)
        } catch {
            preconditionFailure("rules throw only RuleFault, not \(error)")
        }
    }
}
