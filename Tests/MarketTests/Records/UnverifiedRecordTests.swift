import Foundation
import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

struct UnverifiedRecordTests {
    private let good: [UInt8]

    init() throws {
        let draft = Samples.draft(.listing(try Samples.listing()))
        good = try draft.signed(by: Samples.ana).bytes
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `accepts only bytes that re-encode to themselves`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<250 {
            var bytes = good
            random.spoil(&bytes)
            let isTaken = (try? UnverifiedRecord(bytes)) != nil
            #expect(isTaken == isCanonical(bytes), "\(Hex.encode(bytes))")
        }
    }

    @Test func `refuses every proper prefix of a record`() {
        for count in good.indices {
            #expect(throws: RecordFault.self) { try UnverifiedRecord(Array(good[..<count])) }
        }
    }

    @Test func `refuses bytes that another parser might accept`() throws {
        let network = Array(good[..<6])
        let rest = Array(good[6...])
        #expect(network == [0x0A, 4] + Array("test".utf8))

        let cases: [(FramingFault, [UInt8])] = [
            (.varintNotShortest, [0x0A, 0x84, 0x00] + "test".utf8 + rest),
            (.varintNotShortest, [0x8A, 0x00, 4] + "test".utf8 + rest),
            (.fieldOutOfOrder(1), network + network + rest),
            (.fieldOutOfRange(10), good + [0x50, 1]),
            (.fieldOutOfRange(536_870_911), good + [0xF8, 0xFF, 0xFF, 0xFF, 0x0F, 1]),
            (.fieldOutOfRange(9), good + [0x48, 1]),
            (.fieldOutOfRange(9), good + [0x4A, 7, 1, 2, 3, 4, 5, 6, 7]),
            (.fieldMissing(9), good + [0x4A, 0]),
            (.fieldMissing(1), [0x0A, 0] + rest),
            (.fieldMissing(1), rest),
            (.fieldMissing(2), network + [0x10, 0] + rest.dropFirst(2)),
            (.fieldOutOfRange(2), network + [0x10, 0x83, 0x02] + rest.dropFirst(2)),
            (.fieldOutOfRange(1), [0x0A, 33] + [UInt8](repeating: 0x61, count: 33) + rest),
            (.notUTF8(1), [0x0A, 4, 0xC0, 0x80, 0x61, 0x61] + rest),
            (.fieldOutOfRange(3), Array(good[..<9]) + [19] + good[11...]),
        ]
        for (fault, bytes) in cases {
            let expected = RecordFault.malformed(fault)
            #expect(throws: expected) { try UnverifiedRecord(bytes) }
            #expect(expected.verdict == .reject)
        }
    }

    @Test(arguments: [0, 1, 26, 29, 255] as [UInt8])
    func `refuses a v other than 27 and 28`(v: UInt8) {
        let bytes = good.dropLast() + [v]
        #expect(throws: RecordFault.signatureMalformed) { try UnverifiedRecord(Array(bytes)) }
    }

    /// - From peers: high s, v other than 27 and 28 → rejected
    @Test func `refuses the second form of a valid signature`() throws {
        let signature = try UnverifiedRecord(good).signature
        let order = try #require(
            Bytes32(hex: "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
        )
        let orderNumber = try #require(Amount(bigEndian: order.bytes))
        let s = try #require(Amount(bigEndian: signature.s.bytes))
        let highS = try #require(orderNumber.subtracting(s))
        var bytes = good
        bytes.replaceSubrange(bytes.count - 33..<bytes.count - 1, with: highS.minimalBytes)
        bytes[bytes.count - 1] = 55 - bytes[bytes.count - 1]

        #expect(bytes.count == good.count)
        #expect(throws: RecordFault.signatureMalformed) { try UnverifiedRecord(bytes) }
    }

    /// - From peers: a record over 64 KiB → rejected
    @Test func `refuses more than 64 KiB before it decodes anything`() {
        let bytes = [UInt8](repeating: 0, count: 65_537)
        #expect(throws: RecordFault.tooLong(byteCount: 65_537)) { try UnverifiedRecord(bytes) }
    }

    /// - From peers: a damaged signature over a good record → rejected; the good copy is accepted
    @Test func `a corrupted signature does not change the record's id`() throws {
        var bytes = good
        bytes[bytes.count - 40] ^= 1
        let spoilt = try UnverifiedRecord(bytes)

        #expect(try spoilt.id == UnverifiedRecord(good).id)
        #expect(throws: RecordFault.wrongSigner) { try spoilt.verified() }
    }

    /// - From peers: records of another network, a future date, an unknown kind → ignored
    @Test func `ignores a record of another network, version or time`() throws {
        let record = try UnverifiedRecord(good)
        let tooEarly = Timestamp(milliseconds: Samples.now.milliseconds - 600_001)
        let early = Timestamp(milliseconds: Samples.now.milliseconds - 600_000)
        let ahead = Duration.milliseconds(600_001)
        let end = Samples.now.advanced(by: RecordKind.listing.lifetime)

        #expect(try record.admitted(to: "test", at: early) == .listing)
        let faults: [(RecordFault, String, Timestamp, Verdict)] = [
            (.otherNetwork, "other", Samples.now, .ignore),
            (.fromTheFuture(ahead: ahead), "test", tooEarly, .ignoreForNow),
            (.expired, "test", end, .ignore),
        ]
        for (fault, network, now, verdict) in faults {
            #expect(throws: fault) { try record.admitted(to: network, at: now) }
            #expect(fault.verdict == verdict)
        }
    }

    @Test func `ignores unknown kinds and payloads that break a rule`() throws {
        var wire = try WireRecord(serializedBytes: good)
        wire.kind = 200
        let unknown = try signed(wire)
        #expect(throws: RecordFault.unknownKind(200)) {
            try unknown.admitted(to: "test", at: Samples.now)
        }
        #expect(throws: RecordFault.unknownKind(200)) { try unknown.verified() }

        wire = try WireRecord(serializedBytes: good)
        var listing = try WireListing(serializedBytes: wire.payload)
        listing.title = ""
        wire.payload = try listing.serializedBytes()
        let untitled = try signed(wire)
        #expect(throws: RecordFault.ruleBroken(.missing(.title))) { try untitled.verified() }

        wire = try WireRecord(serializedBytes: good)
        wire.summary = "List 'Red bicycle' for 5 ETH by escrow"
        let otherwise = try signed(wire)
        #expect(throws: RecordFault.summaryDiffers) { try otherwise.verified() }
        #expect(RecordFault.summaryDiffers.verdict == .ignore)

        wire = try WireRecord(serializedBytes: good)
        listing = try WireListing(serializedBytes: wire.payload)
        listing.title = "Caf\u{E9}"
        wire.payload = try listing.serializedBytes()
        wire.summary = "List 'Cafe\u{301}' for 0.5 ETH by escrow"
        let composed = try signed(wire)
        #expect(throws: RecordFault.summaryDiffers) { try composed.verified() }
        wire.summary = "List 'Caf\u{E9}' for 0.5 ETH by escrow"
        #expect(throws: Never.self) { _ = try signed(wire).verified() }
    }

    /// - From peers: a payload that is not canonical → rejected
    @Test func `rejects a payload that is not in canonical form`() throws {
        var wire = try WireRecord(serializedBytes: good)
        wire.payload.append(contentsOf: [0x08, 1])
        let record = try signed(wire)

        let fault = RecordFault.payloadMalformed(.fieldOutOfOrder(1))
        #expect(throws: fault) { try record.verified() }
        #expect(fault.verdict == .reject)

        wire = try WireRecord(serializedBytes: good)
        // A default written out: the wire form is valid, but re-encoding omits it.
        wire.payload.insert(contentsOf: [0x08, 0], at: wire.payload.startIndex)
        wire.payload.removeSubrange(wire.payload.startIndex + 2..<wire.payload.startIndex + 4)
        let written = try signed(wire)
        #expect(throws: RecordFault.payloadMalformed(.fieldMissing(1))) { try written.verified() }

        wire = try WireRecord(serializedBytes: good)
        // The first letter of the title, behind form and length.
        wire.payload[wire.payload.startIndex + 4] = 0xFF
        let undecodable = try signed(wire)
        #expect(throws: RecordFault.payloadNotUTF8) { try undecodable.verified() }
        #expect(RecordFault.payloadNotUTF8.verdict == .reject)
    }

    @Test func `keeps a later version's additions to a payload`() throws {
        var wire = try WireRecord(serializedBytes: good)
        wire.payload.append(contentsOf: [0xA0, 0x06, 1])
        let record = try signed(wire).verified()

        #expect(record.content == .listing(try Samples.listing()))
        #expect(try WireRecord(serializedBytes: record.bytes).payload == wire.payload)
    }

    /// Signs the fields as they are, without the code under test.
    private func signed(_ wire: WireRecord) throws -> UnverifiedRecord {
        var wire = wire
        let unsigned: [UInt8] = try wire.serializedBytes()
        wire.signature = Data(Samples.ana.sign(try UnverifiedRecord(unsigned).id.digest).bytes)
        return try UnverifiedRecord(wire.serializedBytes())
    }

    /// Checks the rules of the envelope differently: decodes, inspects, re-encodes, compares.
    private func isCanonical(_ bytes: [UInt8]) -> Bool {
        var options = BinaryDecodingOptions()
        options.discardUnknownFields = true
        guard bytes.count <= 65_536,
            let wire = try? WireRecord(serializedBytes: bytes, options: options),
            let again: [UInt8] = try? wire.serializedBytes(), again == bytes,
            (1...32).contains(wire.network.utf8.count), (1...255).contains(wire.kind),
            wire.author.count == 20, wire.slot.count == 32, wire.createdAtMs > 0,
            wire.summary.utf8.count <= 1_024, [0, 8].contains(wire.stamp.count),
            let signature = Signature(wire.signature)
        else { return false }
        return signature.isLowS
    }
}
