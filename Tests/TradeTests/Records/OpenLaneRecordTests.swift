import Answers
import Client
import Concurrency
import Foundation
import GossipProtocol
import Keys
import Mail
import Market
import Records
import Storage
import Support
import Synchronization
import Testing

/// What a record that no chain vouches for must bring along, and how many of them one may bring.
struct OpenLaneRecordTests {
    private static func key(_ number: Int) -> PrivateKey { testKey("open \(number)") }

    /// - From peers: open records without a stamp, or with too little work → ignored, not
    ///   remembered
    @Test
    func `refuses an open record without a stamp`() async throws {
        let folder = try TemporaryFolder()
        let market = try OpenLaneMarket(in: folder)
        let plain = try market.profile(Self.key(1))
        let stamped = try OpenLaneMarket.rules.stamped(plain)
        // Another stamp, as who passes it on might write it.
        let spoilt = Array(stamped.bytes.dropLast()) + [(stamped.bytes.last ?? 0) ^ 1]

        for bytes in [plain.bytes, spoilt, plain.bytes] {
            #expect(await market.recordService.validate(bytes) == .ignoreForNow)
        }
        #expect(try !market.isHere(plain))
        #expect(await market.recordService.validate(stamped.bytes) == .accept)
        #expect(try market.store.read { try $0.record(plain.id)?.bytes } == stamped.bytes)
        #expect(await market.recordService.validate(plain.bytes) == .ignore)
    }

    @Test func `an anchored record needs no stamp`() async throws {
        let folder = try TemporaryFolder()
        let market = try OpenLaneMarket(in: folder)
        let (early, late) = (Self.key(1), Self.key(2))
        let profile = try market.profile(
            early,
            about: String(repeating: "long ", count: 400).trimmed
        )
        #expect(await market.recordService.validate(profile.bytes) == .ignoreForNow)
        market.chain.parties.withLock { $0 = [early.address, late.address] }
        #expect(await market.recordService.validate(profile.bytes) == .accept)
        #expect(try await market.recordService.validate(market.profile(late).bytes) == .accept)
        #expect(try market.store.read { try $0.recordCount(in: .anchored) } == 2)
        // A node whose chain view is behind takes the profile of a party as an open one.
        let own = try await market.recordService.publish(.profile(Profile(name: "Known")), by: late)
        let other = try TemporaryFolder()
        let behind = try OpenLaneMarket(in: other)
        #expect(await behind.recordService.validate(own.bytes) == .accept)
    }

    @Test func `stamps its own records so that other nodes accept them`() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let (market, peer) = (try OpenLaneMarket(in: folder), try OpenLaneMarket(in: other))
        let key = Self.key(1)
        let contents: [RecordContent] = [
            .profile(try Profile(name: "Ana")), .withdrawal(.profile),
            .device(try DeviceCertificate(key: Self.key(9).publicKey, name: "desk")),
        ]
        for content in contents {
            let record = try await market.recordService.publish(content, by: key)
            try OpenLaneMarket.rules.check(UnverifiedRecord(record.bytes))
            #expect(await market.announced.receive() == record.bytes)
            #expect(await peer.recordService.validate(record.bytes) == .accept)
            market.clock.advance(by: 1)
            peer.clock.advance(by: 1)
        }
    }

    /// - From people: a profile of more than 2 KiB of an account without a sale → malformed_value
    /// - From peers: an open profile or device of more than 2 KiB → ignored
    @Test func `refuses an open profile over 2 KiB, a local one with a message`() async throws {
        let folder = try TemporaryFolder()
        let market = try OpenLaneMarket(in: folder)
        let key = Self.key(1)
        let about = String(repeating: "word ", count: 409).trimmed
        let profile = try Profile(name: "Ana", about: about)
        let refusal = await #expect(throws: Refusal.self) {
            try await market.recordService.publish(.profile(profile), by: key)
        }
        #expect(refusal?.code == .malformedValue)
        #expect(refusal?.detail.contains("can have at most 2048") == true)
        let record = try market.record(.profile(profile), by: key)
        #expect(await market.recordService.validate(record.bytes) == .ignoreForNow)
        market.chain.parties.withLock { $0 = [key.address] }
        _ = try await market.recordService.publish(.profile(profile), by: key)
    }

    @Test func `keeps a later version's listing with a stamp and hides it`() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let market = try OpenLaneMarket(in: folder)
        let key = Self.key(1)
        // Terms of a method with field number 9, and nothing else.
        let content = RecordContent.laterListing(payload: [0x52, 5, 0x4A, 3, 0x0A, 1, 7])
        let record = try market.record(content, slot: Bytes32(repeating: 5), by: key)
        #expect(record.content == content)
        #expect(await market.recordService.validate(record.bytes) == .ignoreForNow)

        let stamped = try OpenLaneMarket.rules.stamped(record)
        #expect(await market.recordService.validate(stamped.bytes) == .accept)
        #expect(try market.store.read { try $0.record(record.id) }?.bytes == stamped.bytes)
        let catalogue = try Catalogue(path: other.path("index.sqlite"), store: market.store)
        try await catalogue.catchUp()
        #expect(try await catalogue.count() == 0)

        // What its author writes later in a way that is known takes its place.
        market.clock.advance(by: 1)
        let known = try OpenLaneMarket.rules.stamped(market.listingWithoutSale(by: key))
        #expect(await market.recordService.validate(known.bytes) == .accept)
        try await catalogue.catchUp()
        #expect(try await catalogue.count() == 1)
    }

    /// - From peers: more open records of one address than its allowance → ignored for now; those
    ///   of others are accepted
    @Test func `refuses one origin's flood and accepts another's records at once`() async throws {
        let folder = try TemporaryFolder()
        var budgets = RecordAdmissionLimits()
        budgets.open.allowanceBytes = 2_000
        budgets.open.firstBytes = 2_000
        budgets.open.shareBytesPerSecond = 100
        budgets.open.bytesPerSecond = 200
        let market = try OpenLaneMarket(in: folder, budgets: budgets)
        let records = try (0..<30).map {
            try OpenLaneMarket.rules.stamped(market.profile(Self.key($0)))
        }
        var verdicts: [Verdict] = []
        for record in records.dropLast(2) {
            verdicts.append(
                await market.recordService.validate(record.bytes, from: OpenLaneMarket.origin(1))
            )
        }
        let taken = verdicts.filter { $0 == .accept }.count
        #expect(
            (5...10).contains(taken) && verdicts.dropFirst(taken).allSatisfy { $0 == .ignoreForNow }
        )
        let honest = OpenLaneMarket.origin(2)
        #expect(await market.recordService.validate(records[28].bytes, from: honest) == .accept)
        // What this node asked for is taken, whoever answers.
        #expect(
            await market.recordService.validate(
                records[27].bytes,
                from: OpenLaneMarket.origin(1),
                isAsked: true
            )
                == .accept
        )
        market.clock.advance(by: 10)
        #expect(
            await market.recordService.validate(records[20].bytes, from: OpenLaneMarket.origin(1))
                == .accept
        )
    }

    /// - From peers: records from an origin with too many bad signatures →
    ///   ignored for now, before the signature is checked
    @Test func `ignores an origin with many bad signatures until it regains allowance`()
        async throws
    {
        let folder = try TemporaryFolder()
        var budgets = RecordAdmissionLimits()
        budgets.checks.allowanceBytes = 4
        budgets.checks.firstBytes = 4
        budgets.checks.shareBytesPerSecond = 1
        let market = try OpenLaneMarket(in: folder, budgets: budgets)
        let (flood, honest) = (OpenLaneMarket.origin(1), OpenLaneMarket.origin(2))
        let good = try (10..<20).map {
            try OpenLaneMarket.rules.stamped(market.profile(Self.key($0)))
        }
        // Good records cost nothing of it, however many.
        for record in good.dropLast() {
            #expect(await market.recordService.validate(record.bytes, from: flood) == .accept)
        }
        // That it needs a stamp shows only behind its signature.
        let listing = try market.listingWithoutSale(by: Self.key(1))
        for _ in 0..<4 {
            #expect(
                await market.recordService.validate(listing.bytes, from: flood) == .ignoreForNow
            )
        }
        let forged = Self.forged(listing)
        #expect(await market.recordService.validate(forged, from: flood) == .ignoreForNow)
        #expect(await market.recordService.validate(forged, from: honest) == .reject)
        let last = good[9].bytes
        #expect(await market.recordService.validate(last, from: flood) == .ignoreForNow)
        #expect(await market.recordService.validate(last, from: honest) == .accept)
        market.clock.advance(by: 2)
        #expect(await market.recordService.validate(forged, from: flood) == .reject)
    }

    @Test func `refuses an empty withdrawal without a stamp before its signature`() async throws {
        let folder = try TemporaryFolder()
        let market = try OpenLaneMarket(in: folder)
        let withdrawal = try market.record(
            .withdrawal(.listing),
            slot: Bytes32(repeating: 1),
            by: Self.key(1)
        )
        #expect(await market.recordService.validate(Self.forged(withdrawal)) == .ignoreForNow)
        let stamped = try OpenLaneMarket.rules.stamped(withdrawal)
        #expect(await market.recordService.validate(Self.forged(stamped)) == .reject)
        #expect(await market.recordService.validate(stamped.bytes) == .accept)
    }

    /// The record with another byte in its signature.
    private static func forged(_ record: SignedRecord) -> [UInt8] {
        var bytes = record.bytes
        bytes[bytes.count - 30] ^= 1
        return bytes
    }

    /// - From peers: more open records of an author than its allowance → ignored for now
    @Test func `an author uses up its allowance, whoever delivers its records`() async throws {
        let folder = try TemporaryFolder()
        var budgets = RecordAdmissionLimits()
        budgets.author.allowanceBytes = 1_000
        budgets.author.firstBytes = 1_000
        let market = try OpenLaneMarket(in: folder, budgets: budgets)
        let key = Self.key(1)
        let records = try (0..<8).map { slot in
            let withdrawal = RecordContent.withdrawal(.listing)
            return try OpenLaneMarket.rules.stamped(
                market.record(withdrawal, slot: Bytes32(repeating: UInt8(slot + 1)), by: key)
            )
        }
        for (number, record) in records.enumerated() {
            let origin = OpenLaneMarket.origin(100 + number)
            #expect(
                await market.recordService.validate(Self.forged(record), from: origin) == .reject
            )
        }
        var verdicts: [Verdict] = []
        for (number, record) in records.enumerated() {
            let origin = OpenLaneMarket.origin(number)
            verdicts.append(await market.recordService.validate(record.bytes, from: origin))
        }
        #expect(verdicts.prefix(3).allSatisfy { $0 == .accept })
        #expect(verdicts.last == .ignoreForNow)
    }

    /// - From peers: records without a stamp handed over with mail keys → ignored
    @Test func `records delivered with mail keys obey the rules of the open lane`() async throws {
        let folder = try TemporaryFolder()
        let market = try OpenLaneMarket(in: folder)
        let room = LMDBMailStore(
            store: market.store,
            recordService: market.recordService,
            localPeer: PeerID(multihash: [0, 1, 1])
        )
        let plain = try market.profile(Self.key(1))
        let origin = OpenLaneMarket.origin(1)
        for isAsked in [false, true] {
            await room.take(records: [plain.bytes], from: origin, isAsked: isAsked)
        }
        #expect(try !market.isHere(plain))
        let stamped = try OpenLaneMarket.rules.stamped(plain)
        await room.take(records: [stamped.bytes], from: origin, isAsked: false)
        #expect(try market.isHere(plain))
    }

    @Test
    func `a listing without a stamp waits for its sale, then is forwarded`() async throws {
        let folder = try TemporaryFolder()
        let market = try OpenLaneMarket(in: folder)
        let (listing, sale) = try market.listing(by: Self.key(1))
        for _ in 0..<3 {
            #expect(await market.recordService.validate(listing.bytes) == .ignoreForNow)
        }
        #expect(try market.store.read { try $0.heldRecordCount() } == 1)
        try await market.recordService.validateHeld(about: [sale.id])
        #expect(try !market.isHere(listing) && market.announced.poll() == nil)

        let final = try market.show(listing)
        #expect(final == [sale.id])
        try await market.recordService.validateHeld(about: final)
        #expect(await market.announced.receive() == listing.bytes)
        let lane = try market.store.read { try $0.record(listing.id)?.lane }
        #expect(lane == .anchored)
        #expect(try market.store.read { try $0.heldRecordCount() } == 0)
        #expect(await market.recordService.validate(listing.bytes) == .ignore)
    }

    /// - From peers: listings whose sale never appears → held for a day, in bounded room
    @Test func `forgets a listing after a day if its sale never appears`() async throws {
        let folder = try TemporaryFolder()
        let market = try OpenLaneMarket(in: folder)
        let (listing, _) = try market.listing(by: Self.key(1))
        #expect(await market.recordService.validate(listing.bytes) == .ignoreForNow)
        let seconds = market.clock.now.timeIntervalSince1970 + 86_400
        let later = Timestamp(milliseconds: UInt64(seconds * 1_000))
        while try await market.store.write({ try $0.sweepRecords(at: later) }) > 0 {}
        #expect(try market.store.read { try $0.heldRecordCount() } == 0)
        #expect(try !market.isHere(listing))
    }
}

extension String {
    fileprivate var trimmed: String { String(reversed().drop(while: \.isWhitespace).reversed()) }
}
