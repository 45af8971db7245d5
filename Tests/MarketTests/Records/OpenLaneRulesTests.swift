import Foundation
import Keys
import Market
import SwiftProtobuf
import Testing
import WireMessages

struct OpenLaneRulesTests {
    private static let rules = OpenLaneRules(triesPerKibibyte: 64)

    private static func profile(about: Int = 0, homes: [HomeLease] = []) throws -> SignedRecord {
        let profile = try Profile(
            name: String(repeating: "n", count: Profile.nameByteCountMax),
            about: String(repeating: "a", count: about),
            homes: homes
        )
        return try Samples.draft(.profile(profile)).signed(by: Samples.ana)
    }

    private static func lease(_ number: Int, addresses: [String]) throws -> HomeLease {
        let key = Samples.key("home \(number)")
        return try HomeLease(
            peer: NodeKey.peer(of: key.publicKey),
            addresses: addresses,
            quotaByteCount: 64 << 20,
            until: Samples.now,
            account: Samples.ana.address,
            key: key
        )
    }

    @Test func `a stamp does not change a record's id or signature`() throws {
        let plain = try Self.profile()
        let stamped = try Self.rules.stamped(plain)
        let received = try UnverifiedRecord(stamped.bytes)

        #expect(stamped.bytes.count == plain.bytes.count + 10)
        #expect(stamped.bytes.starts(with: plain.bytes))
        #expect(stamped.id == plain.id && received.id == plain.id)
        #expect(try received.verified() == stamped)
        #expect(try WireRecord(serializedBytes: stamped.bytes).stamp.count == 8)
        try Self.rules.check(received)
        #expect(try SignedRecord(stored: stamped.bytes) == stamped && stamped.isStamped)
    }

    @Test func `refuses a stamp that is missing, another record's or too weak`() throws {
        let plain = try Self.profile()
        let stamped = try Self.rules.stamped(plain)
        #expect(throws: OpenLaneFault.unstamped) {
            try Self.rules.check(UnverifiedRecord(plain.bytes))
        }
        let other = try Self.profile(about: 1)
        let borrowed = other.bytes + stamped.bytes.suffix(10)
        #expect(throws: OpenLaneFault.unstamped) {
            try Self.rules.check(UnverifiedRecord(borrowed))
        }
        // Twenty thousand times the work, which the sample's stamp does not prove.
        let dear = OpenLaneRules(triesPerKibibyte: 64 * 20_000)
        #expect(throws: OpenLaneFault.unstamped) {
            try dear.check(UnverifiedRecord(stamped.bytes))
        }
    }

    @Test func `requires work for each KiB or part of one`() throws {
        let listing = try Samples.listing(description: String(repeating: "a", count: 7_000))
        let record = try Samples.draft(.listing(listing)).signed(by: Samples.ana)
        let stamped = try Self.rules.stamped(record)
        let work = ProofOfWork("stoa record stamp 1", for: record.id.digest)
        let received = try UnverifiedRecord(stamped.bytes)
        let stamp = try #require(received.stamp)
        #expect(stamp == work.nonce(tries: 64 * UInt64((stamped.bytes.count + 1_023) / 1_024)))
        #expect(stamp > work.nonce(tries: 64))
    }

    @Test func `a profile of 2 KiB has room for four homes with their addresses`() throws {
        let addresses = [
            "/ip4/203.0.113.207/tcp/54001",
            "/ip6/2001:db8:1234:5678:9abc:def0:1234:5678/tcp/54001",
            "/ip6/2001:db8:8765:4321:9abc:def0:1234:5678/tcp/54001",
        ]
        let leases = try (0..<4).map { try Self.lease($0, addresses: addresses) }
        let homed = try Self.rules.stamped(Self.profile(homes: leases))
        #expect(homed.bytes.count == 1_353)

        let room = OpenLaneRules.byteCountMax - (try Self.rules.stamped(Self.profile()).bytes.count)
        let longest = try Self.profile(about: room - 4)
        #expect(try Self.rules.stamped(longest).bytes.count <= OpenLaneRules.byteCountMax)
        let tooLong = try Self.profile(about: room)
        #expect(throws: OpenLaneFault.self) { try Self.rules.stamped(tooLong) }
        #expect(throws: OpenLaneFault.tooLong(byteCount: 65_000)) {
            try Self.rules.check(Self.padded(65_000))
        }
    }

    @Test func `computes the length of a record before signing`() throws {
        for about in [0, 1_500, 1_600, 1_700, 1_800, 1_900, 2_000] {
            let record = try Self.profile(about: about)
            let draft = try UnverifiedRecord(record.bytes).draft
            let fits = (try? Self.rules.stamped(record)) != nil
            #expect(Self.rules.admitsLength(of: draft) == fits, "\(about)")
        }
    }

    /// Returns the envelope of a profile of exactly `byteCount` bytes; its content is not read.
    private static func padded(_ byteCount: Int) throws -> UnverifiedRecord {
        var wire = try WireRecord(serializedBytes: try profile().bytes)
        // Long enough that its length prefix has the final size already.
        wire.payload = Data(repeating: 7, count: 60_000)
        let bytes: [UInt8] = try wire.serializedBytes()
        wire.payload = Data(repeating: 7, count: 60_000 + byteCount - bytes.count)
        return try UnverifiedRecord(wire.serializedBytes())
    }
}
