import Client
import Foundation
import Keys
import Market
import Records
import Storage
import Support
import Testing

@Suite(.timeLimit(.minutes(2)))
struct RecordEventsTests {
    private static let time = Timestamp(milliseconds: 1_763_700_000_000)

    /// A store, and what comes into it.
    private struct Market {
        let store: Store
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            store = try Store(folder: folder.path("store"), mapBytes: 1 << 28)
        }

        @discardableResult
        func add(
            _ content: RecordContent,
            by author: UInt8 = 1,
            slot: Bytes32 = .zero,
            at milliseconds: UInt64 = 0
        ) async throws -> SignedRecord {
            let key = testKey(author)
            let record = try RecordDraft(
                network: SampleSale.network,
                author: key.address,
                content: content,
                slot: content.slot(author: key.address) ?? slot,
                createdAt: Timestamp(milliseconds: time.milliseconds + milliseconds)
            ).signed(by: key)
            let outcome = try await store.ingest([RecordEntry(record, lane: .anchored)], at: time)
            #expect(outcome == [.stored(replaced: nil)] || milliseconds > 0)
            return record
        }
    }

    private static func listing(_ slot: Bytes32) throws -> RecordContent {
        .listing(try SampleSale(by: testKey(1), slot: slot).listing)
    }

    @Test func `reports the newest version of each record`() async throws {
        let market = try Market()
        let first = Bytes32(repeating: 1)
        let second = Bytes32(repeating: 2)
        try await market.add(Self.listing(first), slot: first)
        let changed = try await market.add(Self.listing(first), slot: first, at: 1)
        let device = try DeviceCertificate(key: testKey(9).publicKey, name: "phone")
        try await market.add(.device(device))
        try await market.add(Self.listing(second), slot: second)
        try await market.add(.withdrawal(.listing), slot: second, at: 1)
        let profile = try await market.add(.profile(Profile(name: "Ana")), by: 2)

        var events = RecordEvents(store: market.store).events(after: 0).makeAsyncIterator()
        var told: [Client.Event] = []
        for _ in 0..<3 { told.append(try #require(try await events.next())) }
        #expect(told.map(\.type) == ["listing", "listing_withdrawn", "profile"])
        let seller = testKey(1).address.checksummed
        let digits = (first.hex.dropFirst(2), second.hex.dropFirst(2))
        #expect(
            told.map(\.subject).prefix(2) == ["\(seller).\(digits.0)", "\(seller).\(digits.1)"]
        )
        #expect(told[0].data == ["author": seller, "record": changed.id.digest.hex])
        #expect(told[2].subject == profile.author.checksummed)
        #expect(told.map(\.id) == told.map(\.id).sorted())

        // Continued after the first one, nothing is missed and nothing comes twice.
        var rest = RecordEvents(store: market.store).events(after: told[0].id).makeAsyncIterator()
        #expect(try await rest.next() == told[1])
        #expect(try await rest.next() == told[2])
    }

    @Test func `a reader gets fifty events a second, and new ones as they arrive`() async throws {
        let market = try Market()
        let clock = ManualClock()
        let source = RecordEvents(store: market.store, clock: clock)
        var none = source.events(after: nil).makeAsyncIterator()
        for number in 1...60 as ClosedRange<UInt8> {
            try await market.add(.profile(Profile(name: "Ana")), by: number)
        }
        var events = source.events(after: 0).makeAsyncIterator()
        for _ in 0..<50 { #expect(try await events.next() != nil) }
        #expect(try await none.next()?.id == 1)

        #expect(clock.uptime == .zero)
        #expect(try await events.next()?.id == 51)
        #expect(clock.uptime == .seconds(1))
    }

    @Test func `reports missing events as a gap`() async throws {
        let market = try Market()
        try await market.add(.profile(Profile(name: "Ana")))
        var events = RecordEvents(store: market.store).events(after: 7).makeAsyncIterator()
        let gap = try #require(try await events.next())
        // Continued after the gap, nothing is missed.
        #expect(gap.type == "gap" && gap.id == 1)
        try await market.add(.profile(Profile(name: "Ana")), by: 2)
        #expect(try await events.next()?.type == "profile")
    }

    @Test func `a cancelled reader ends even while it waits for a record`() async throws {
        let market = try Market()
        try await market.add(.profile(Profile(name: "Ana")))
        let isReading = AsyncStream.makeStream(of: Void.self)
        let reader = Task { [store = market.store] in
            var count = 0
            for try await _ in RecordEvents(store: store).events(after: 0) {
                count += 1
                isReading.continuation.yield()
            }
            return count
        }
        var signals = isReading.stream.makeAsyncIterator()
        _ = await signals.next()
        reader.cancel()
        switch await reader.result {
        case .success(let count): #expect(count == 1)
        case .failure(let error): #expect(error is CancellationError)
        }
    }
}
