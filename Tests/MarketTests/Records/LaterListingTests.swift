import Keys
import SwiftProtobuf
import Testing
import WireMessages

@testable import Market

/// Listings that are sold in a way that only a later version knows.
struct LaterListingTests {
    /// The terms of a method with field number 9 and some content.
    private static let laterTerms: [UInt8] = [0x4A, 0x03, 0x0A, 0x01, 0x07]

    private static func payload(_ change: (inout WireListing) throws -> Void) throws -> [UInt8] {
        var wire = try WireListing(serializedBytes: Samples.listing().wire)
        try change(&wire)
        return CanonicalMessage.bytes(of: wire)
    }

    private static func record(_ payload: [UInt8]) throws -> SignedRecord {
        try RecordDraft(
            network: "test",
            kind: RecordKind.listing.rawValue,
            author: Samples.ana.address,
            slot: Samples.slot,
            createdAt: Timestamp(milliseconds: 1_763_700_000_000),
            summary: "Offer 'Bicycle' in a way that is not known here",
            payload: payload[...]
        ).signed(by: Samples.ana)
    }

    @Test func `keeps a listing with a later version's terms, whatever the chain shows`() throws {
        let payload = try Self.payload {
            $0.terms = try #require(CanonicalMessage.read(Self.laterTerms, as: WireTerms.self))
        }
        let record = try Self.record(payload)
        #expect(record.content == .laterListing(payload: payload))
        #expect(record.kind == .listing)
        let read = try UnverifiedRecord(record.bytes).verified()
        #expect(read == record)
        #expect(try SignedRecord(stored: record.bytes) == record)
        #expect(read.content.payload == payload)
        let nothing = AnchorStatusTests.View()
        #expect(AnchorStatus.of(record, on: nothing) == .open)
    }

    @Test func `keeps a withdrawal of a listing with a later version's terms`() throws {
        let payload = try Self.payload { wire in
            let promise = ListingCommitment(of: try Samples.listing(), slot: Samples.slot)
            wire = WireListing()
            wire.withdrawal.chainID = 1
            wire.withdrawal.promise = try WirePromise(serializedBytes: promise.wire)
            wire.withdrawal.promise.terms = try #require(
                CanonicalMessage.read(Self.laterTerms, as: WireTerms.self)
            )
        }
        #expect(try Self.record(payload).content == .laterListing(payload: payload))
    }

    @Test func `refuses a listing without terms`() throws {
        let payload = try Self.payload { $0.terms = WireTerms() }
        #expect(throws: RecordFault.ruleBroken(.missing(.terms))) { try Self.record(payload) }
    }

    @Test func `limits the terms of a later version`() throws {
        let long = [0x4A, 0x80, 0x08] + [UInt8](repeating: 0x01, count: 1_024)
        let payload = try Self.payload {
            $0.terms = try #require(CanonicalMessage.read(long, as: WireTerms.self))
        }
        #expect(throws: RecordFault.self) { try Self.record(payload) }
    }
}
