import Keys
import Support
import SwiftProtobuf
import Testing
import WireMessages

@testable import Market

struct WireReaderTests {
    private let good: [UInt8]
    /// Payloads with every type of field.
    private let various: [(WireSchema, [UInt8])]

    init() throws {
        let listing = try Samples.listing()
        let anchored = listing.anchored(
            contract: Samples.key("contract").address,
            sale: SaleID(Samples.slot),
            promised: ListingCommitment(of: listing, slot: Samples.slot)
        )
        good = RecordContent.listing(anchored).payload
        var far = WireListing()
        far.media = [WireMedia()]
        far.delivery.shipping.scope = .distance
        far.delivery.shipping.radiusM = .max
        far.delivery.shipping.latitudeE7 = .min
        far.delivery.shipping.longitudeE7 = -1
        var online = WireListing()
        online.form = .UNRECOGNIZED(-1)
        online.delivery.online = WireOnline()
        var pickup = WireListing()
        pickup.tags = ["", "a"]
        pickup.delivery.pickup = WirePickup()
        pickup.withdrawal.chainID = .max
        var review = WireReview()
        review.stars = .max
        review.media = [WireMedia()]
        review.outcome = .UNRECOGNIZED(Int(Int32.max))
        various =
            [(.listing, good), (.review, try review.serializedBytes())]
            + (try [far, online, pickup].map { (.listing, try $0.serializedBytes()) })
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `accepts bytes that re-encode to themselves, and few unknown fields`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        for number in 0..<500 {
            var (form, bytes) = number % 2 == 0 ? (.listing, good) : various[number / 2 % 5]
            if random.next() % 2 == 0 { bytes += Self.unknownFields(using: &random) }
            if random.next() % 3 > 0 { random.spoil(&bytes) }
            let isTaken = isTaken(bytes, form)
            let isCanonical =
                form == .review
                ? Self.isCanonical(bytes, Self.unknown(in:) as (WireReview) -> [Kept])
                : Self.isCanonical(bytes, Self.unknown(in:) as (WireListing) -> [Kept])
            #expect(isTaken == isCanonical, "seed \(seed): \(Hex.encode(bytes))")
        }
    }

    @Test func `refuses bytes that do not re-encode to themselves`() throws {
        let cases: [(FramingFault, WireSchema, [UInt8])] = [
            // Defaults.
            (.fieldMissing(1), .listing, [0x08, 0]),
            (.fieldMissing(2), .listing, [0x12, 0]),
            (.fieldMissing(9), .listing, [0x48, 0]),
            (.fieldMissing(3), .listing, [0x42, 4, 0x0A, 2, 0x18, 0]),
            // Numbers of more than 32 bits, with and without their sign.
            (.fieldOutOfRange(1), .listing, [0x08, 0x81, 0x80, 0x80, 0x80, 0x10]),
            (.fieldOutOfRange(1), .listing, [0x08, 0x80, 0x80, 0x80, 0x80, 0x08]),
            (.fieldOutOfRange(4), .review, [0x20, 0x80, 0x80, 0x80, 0x80, 0x10]),
            // Two ways of delivery.
            (.fieldOutOfRange(3), .listing, [0x42, 4, 0x12, 0, 0x1A, 0]),
        ]
        for (fault, form, bytes) in cases {
            let again: [UInt8] =
                form == .review
                ? try WireReview(serializedBytes: bytes).serializedBytes()
                : try WireListing(serializedBytes: bytes).serializedBytes()
            #expect(again != bytes)
            #expect(throws: fault) { try check(bytes, form) }
        }
        for (form, bytes) in various { #expect(throws: Never.self) { try check(bytes, form) } }
    }

    /// - From peers: more than 1 KiB of unknown fields → rejected
    @Test func `accepts unknown fields of each wire type, up to 1 KiB in total`() throws {
        let fields: [[UInt8]] = [
            [0xA0, 0x06, 1], [0xA1, 0x06] + [UInt8](repeating: 7, count: 8),
            [0xA2, 0x06, 2, 0, 0], [0xA5, 0x06, 1, 2, 3, 4], [0xA0, 0x06, 0],
        ]
        for field in fields { #expect(throws: Never.self) { try check(good + field) } }
        let most = [0xA2, 0x06] + Samples.varint(1_020) + [UInt8](repeating: 7, count: 1_020)
        #expect(most.count == WireReader.unknownByteCountMax)
        #expect(throws: Never.self) { try check(good + most) }

        let more = [0xA2, 0x06] + Samples.varint(1_021) + [UInt8](repeating: 7, count: 1_021)
        #expect(throws: FramingFault.fieldOutOfRange(100)) { try check(good + more) }
        #expect(throws: FramingFault.fieldOutOfRange(101)) {
            try check(good + most + [0xA8, 0x06, 1])
        }
    }

    @Test func `counts unknown fields of all messages together`() throws {
        // A page of media entries, each with 60 bytes of unknown fields.
        let entry =
            [0x0A, 0x20] + [UInt8](repeating: 1, count: 32) + [0x10, 1, 0x18, 2, 0x7A, 58]
            + [UInt8](repeating: 7, count: 58)
        func review(_ entries: Int) -> [UInt8] {
            [0x08, 1]
                + (0..<entries).flatMap { _ in [0x32] + Samples.varint(entry.count) + entry }
        }
        #expect(throws: Never.self) { try check(review(17), .review) }
        #expect(throws: FramingFault.fieldOutOfRange(15)) { try check(review(18), .review) }
    }

    /// - From peers: a message of more than 8,192 fields → rejected
    @Test func `counts the fields of all messages together`() throws {
        // Media entries with one field each, so two fields an entry, and the stars.
        func review(_ entries: Int) -> [UInt8] {
            [0x08, 1] + (0..<entries).flatMap { _ in [0x32, 2, 0x10, 1] as [UInt8] }
        }
        let most = (WireReader.fieldCountMax - 1) / 2
        #expect(throws: Never.self) { try check(review(most), .review) }
        #expect(throws: FramingFault.fieldOutOfRange(2)) { try check(review(most + 1), .review) }
        // Empty entries too.
        let empty = (0..<WireReader.fieldCountMax).flatMap { _ in [0x32, 0] as [UInt8] }
        #expect(throws: FramingFault.fieldOutOfRange(6)) { try check([0x08, 1] + empty, .review) }
        func numbers(_ count: Int) -> [UInt8] {
            [0x0A] + Samples.varint(count) + [UInt8](repeating: 1, count: count)
        }
        let packed = WireSchema(.packed)
        #expect(throws: Never.self) { try check(numbers(WireReader.fieldCountMax - 1), packed) }
        #expect(throws: FramingFault.fieldOutOfRange(1)) {
            try check(numbers(WireReader.fieldCountMax), packed)
        }
    }

    @Test func `accepts an unknown field in a message without fields`() {
        let online: [UInt8] = [0x42, 5, 0x1A, 3, 0xA0, 0x06, 1]
        #expect(throws: Never.self) { try check(online) }
    }

    /// - From peers: unknown fields as groups, out of order, with long varints → rejected
    @Test func `refuses bytes that SwiftProtobuf would preserve unchanged`() throws {
        let nested =
            (0..<90).flatMap { _ in [0xA3, 0x06] as [UInt8] }
            + (0..<90).flatMap { _ in [0xA4, 0x06] as [UInt8] }
        let cases: [(FramingFault, [UInt8])] = [
            (.fieldOutOfRange(100), nested),
            (.fieldOutOfRange(100), [0xA3, 0x06, 0xA4, 0x06]),
            (.fieldOutOfOrder(100), [0xA8, 0x06, 1, 0xA0, 0x06, 1]),
            (.fieldOutOfOrder(100), [0xA0, 0x06, 1, 0xA0, 0x06, 1]),
            (.varintNotShortest, [0xA0, 0x86, 0x00, 1]),
            (.varintNotShortest, [0xA0, 0x06, 0x81, 0x00]),
            (.varintNotShortest, [0xA2, 0x06, 0x81, 0x00, 7]),
            // A known number with another wire type, which decoders keep as unknown.
            (.fieldOutOfOrder(2), [0x10, 1]),
        ]
        for (fault, bytes) in cases {
            let payload = good + bytes
            #expect(CanonicalMessage.read(payload, as: WireListing.self) != nil)
            #expect(throws: fault) { try check(payload) }
        }
    }

    private func check(_ bytes: [UInt8], _ schema: WireSchema = .listing) throws {
        _ = try WireReader.read(
            bytes[...],
            schema,
            unknownByteCountMax: WireReader.unknownByteCountMax
        )
    }

    private func isTaken(_ bytes: [UInt8], _ schema: WireSchema) -> Bool {
        (try? check(bytes, schema)) != nil
    }

    private static func unknownFields(using random: inout SeededRandom) -> [UInt8] {
        var number = 17
        return (0..<Int.random(in: 1...3, using: &random)).flatMap { _ -> [UInt8] in
            number += Int.random(in: 0...40, using: &random)
            let count = Int.random(in: 0...600, using: &random)
            return switch random.next() % 4 {
            case 0: Samples.varint(number << 3) + Samples.varint(count)
            case 1: Samples.varint(number << 3 | 1) + random.bytes(count: 8)
            case 2: Samples.varint(number << 3 | 5) + random.bytes(count: 4)
            default:
                Samples.varint(number << 3 | 2) + Samples.varint(count)
                    + random.bytes(count: count)
            }
        }
    }

    /// Checks the same rules differently: decodes, re-encodes, compares, and looks at the rest.
    private static func isCanonical<Wire: Message>(
        _ bytes: [UInt8],
        _ unknown: (Wire) -> [Kept]
    ) -> Bool {
        guard let wire = try? Wire(serializedBytes: bytes),
            let again: [UInt8] = try? wire.serializedBytes(), again == bytes
        else { return false }
        let kept = unknown(wire)
        guard kept.reduce(0, { $0 + $1.bytes.count }) <= 1_024 else { return false }
        return kept.allSatisfy { hasCanonicalFields($0.bytes, above: $0.known) }
    }

    /// Unknown fields of a message with so many known ones.
    private typealias Kept = (known: Int, bytes: [UInt8])

    private static func unknown(in review: WireReview) -> [Kept] {
        let media = review.media.map { (known: 3, bytes: [UInt8]($0.unknownFields.data)) }
        return [(9, [UInt8](review.unknownFields.data))] + media
    }

    private static func unknown(in listing: WireListing) -> [Kept] {
        var found = [(16, listing.unknownFields)]
        found += listing.media.map { (3, $0.unknownFields) }
        if listing.hasDelivery { found += unknown(in: listing.delivery) }
        if listing.hasTerms { found += unknown(in: listing.terms) }
        if listing.hasAnchor {
            found.append((3, listing.anchor.unknownFields))
            if listing.anchor.hasPromised { found += unknown(in: listing.anchor.promised) }
        }
        if listing.hasWithdrawal {
            found.append((4, listing.withdrawal.unknownFields))
            if listing.withdrawal.hasPromise { found += unknown(in: listing.withdrawal.promise) }
        }
        return found.map { ($0.0, [UInt8]($0.1.data)) }
    }

    private static func unknown(in promise: WirePromise) -> [(Int, UnknownStorage)] {
        [(7, promise.unknownFields)]
            + (promise.hasDelivery ? unknown(in: promise.delivery) : [])
            + (promise.hasTerms ? unknown(in: promise.terms) : [])
    }

    private static func unknown(in delivery: WireDelivery) -> [(Int, UnknownStorage)] {
        let inner: (Int, UnknownStorage)? =
            switch delivery.method {
            case .shipping(let limits): (5, limits.unknownFields)
            case .pickup(let pickup): (1, pickup.unknownFields)
            case .online(let online): (0, online.unknownFields)
            case nil: nil
            }
        return [(3, delivery.unknownFields)] + (inner.map { [$0] } ?? [])
    }

    private static func unknown(in terms: WireTerms) -> [(Int, UnknownStorage)] {
        guard case .escrow(let offer) = terms.method else { return [(1, terms.unknownFields)] }
        return [(1, terms.unknownFields), (11, offer.unknownFields)]
    }

    /// Reads fields one by one, writes each in the shortest form, and compares.
    private static func hasCanonicalFields(_ bytes: [UInt8], above known: Int) -> Bool {
        var (rest, last, written) = (bytes[...], UInt64(known), [UInt8]())
        func number() -> UInt64? {
            var (value, shift) = (UInt64(0), UInt64(0))
            while let byte = rest.popFirst() {
                value |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { return value }
            }
            return nil
        }
        func shortest(_ value: UInt64) -> [UInt8] {
            value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + shortest(value >> 7)
        }
        while !rest.isEmpty {
            guard let tag = number(), tag >> 3 > last else { return false }
            last = tag >> 3
            written += shortest(tag)
            switch tag & 7 {
            case 0:
                guard let value = number() else { return false }
                written += shortest(value)
            case 1, 5:
                let count = tag & 7 == 1 ? 8 : 4
                written += rest.prefix(count)
                rest = rest.dropFirst(count)
            case 2:
                guard let count = number() else { return false }
                written += shortest(count) + rest.prefix(Int(count))
                rest = rest.dropFirst(Int(count))
            default: return false
            }
        }
        return written == bytes
    }
}

extension WireSchema {
    fileprivate static let listing = Listing.wireSchema
    fileprivate static let review = Review.wireSchema
}
