package import Keys
import SwiftProtobuf

/// What a record says, read and found to keep the rules of its kind.
///
/// Fields that a later version added are kept in the record's bytes and not shown.
///
/// Source: Docs/protocol.md, section 5.
package enum RecordContent: Hashable, Sendable {
    case profile(Profile)
    case device(DeviceCertificate)
    case listing(Listing)
    case review(Review)
    /// Takes back what the slot held.
    case withdrawal(RecordKind)

    /// Reads a payload; an empty one is a withdrawal.
    package init(kind: RecordKind, payload: ArraySlice<UInt8>) throws(RecordFault) {
        guard !payload.isEmpty else {
            self = .withdrawal(kind)
            return
        }
        self =
            switch kind {
            case .profile: .profile(try Self.read(payload, Profile.init(wire:)))
            case .device: .device(try Self.read(payload, DeviceCertificate.init(wire:)))
            case .listing: .listing(try Self.read(payload, Listing.init(wire:)))
            case .review: .review(try Self.read(payload, Review.init(wire:)))
            }
    }

    package var kind: RecordKind {
        switch self {
        case .profile: .profile
        case .device: .device
        case .listing: .listing
        case .review: .review
        case .withdrawal(let kind): kind
        }
    }

    /// The payload's canonical bytes; none for a withdrawal.
    package var payload: [UInt8] {
        switch self {
        case .profile(let profile): CanonicalMessage.bytes(of: profile.wire)
        case .device(let device): CanonicalMessage.bytes(of: device.wire)
        case .listing(let listing): CanonicalMessage.bytes(of: listing.wire)
        case .review(let review): CanonicalMessage.bytes(of: review.wire)
        case .withdrawal: []
        }
    }

    /// The only slot this may be in, or `nil` where the author chooses.
    package func slot(author: Address) -> Bytes32? {
        switch self {
        case .profile, .withdrawal(.profile): .zero
        case .device(let device): device.slot
        case .review(let review): Review.slot(of: review.sale, reviewer: author)
        case .listing, .withdrawal: nil
        }
    }

    /// What the author's wallet shows, to the letter.
    package func summary(slot: Bytes32) -> String {
        switch self {
        case .profile(let profile): "Publish profile '\(profile.name)'"
        case .device(let device): "Certify device '\(device.name)' with key \(device.keyText)"
        case .listing(let listing): listing.summary
        case .review(let review): review.summary
        case .withdrawal(.profile): "Withdraw profile"
        case .withdrawal(.device): "Revoke device \(slot)"
        case .withdrawal(.listing): "Withdraw listing \(slot)"
        case .withdrawal(.review): "Withdraw review \(slot)"
        }
    }

    private static func read<Wire: Message, Content>(
        _ payload: ArraySlice<UInt8>,
        _ content: (Wire) throws -> Content
    ) throws(RecordFault) -> Content {
        guard let wire = CanonicalMessage.read(payload, as: Wire.self) else {
            throw .payloadNotCanonical
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
