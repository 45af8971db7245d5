import Answers
import Client
import Foundation
import Keys
import Market
import NIOCore
import Storage
import Support
import Testing

@testable import Trade

struct ListingTextsTests {
    private static func texts(_ count: UInt8) async throws -> [ListingTexts.Text] {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path("store"), mapBytes: 1 << 26)
        var texts: [ListingTexts.Text] = []
        for number in 1...count {
            let sale = try SampleSale(by: testKey(1), slot: Bytes32(repeating: number))
            let record = try RecordDraft(
                network: SampleSale.network,
                author: sale.seller.address,
                content: .listing(sale.listing),
                slot: sale.slot,
                createdAt: Timestamp(milliseconds: 1_763_700_000_000)
            ).signed(by: sale.seller)
            _ = try await store.ingest([RecordEntry(record, lane: .anchored)], at: record.createdAt)
            let stored = try #require(try store.read { try $0.record(record.id) })
            let found = try #require(FoundListing(stored))
            let json = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000)
            let summary = ListingTexts.Summary(position: nil, state: "open")
            texts.append(ListingTexts.Text(found: found, summary: summary, json: json))
        }
        return texts
    }

    @Test func `keeps recent texts within a limit`() async throws {
        let made = try await Self.texts(30)
        let texts = ListingTexts(bytesMax: 10 * made[0].byteCount)
        let ids = made.map(\.found.record)
        for text in made {
            texts.keep(text)
            // The first one is asked for all the time.
            #expect(texts.texts(of: [ids[0]])[0] != nil)
        }
        let kept = texts.texts(of: ids).compactMap { $0 }
        #expect(kept.count <= 10)
        #expect(kept.contains { $0.found.record == ids[0] })
        #expect(kept.contains { $0.found.record == ids[29] })
        #expect(texts.texts(of: [ids[1]])[0] == nil)
    }

    @Test(arguments: [0, 1, 3], [nil, "5f-2"])
    func `serves a page as the JSON of its listings`(count: Int, next: String?) throws {
        let listing = Client.Listing(
            id: "0x01.02",
            record: "0x03",
            author: "0x01",
            content: ListingContent(
                title: "\"Lamp\", 20 W / 230 V",
                price: Money(amount: "1", currency: "native")
            ),
            anchor: nil,
            isAsPromised: nil,
            salePhase: nil,
            createdAt: Date(timeIntervalSince1970: 1_763_700_000),
            firstSeenAt: Date(timeIntervalSince1970: 1_763_700_000)
        )
        let json = [UInt8](try WireCoding.encoder().encode(listing))
        let items = [[UInt8]](repeating: json, count: count)
        let page = ListingPage(items: items, next: next)
        let read = try WireCoding.decoder()
            .decode(Page<Client.Listing>.self, from: Data(page.json.readableBytesView))
        #expect(read == Page(items: Array(repeating: listing, count: count), next: next))
    }

    @Test func `keeps a page until something changes or one of its listings ends`() throws {
        func state(
            _ record: UInt64,
            _ sale: UInt64,
            isCurrent: Bool = true
        ) -> ListingPages.State {
            ListingPages.State(record: record, sale: sale, isCurrent: isCurrent)
        }
        func time(_ milliseconds: UInt64, _ seconds: UInt64) -> ListingTimes {
            // Of the two chains, the other one stands still.
            ListingTimes(
                wall: Timestamp(milliseconds: milliseconds),
                chains: [ChainTime(seconds: 1), ChainTime(seconds: seconds)]
            )
        }
        func page(_ title: String) -> DatedListingPage {
            let page = ListingPage(items: [Array(title.utf8)])
            var ends = time(9_500, 9)
            ends.chains[0] = ListingTime.end.chain
            return DatedListingPage(page, made: time(500, 5), ends: ends)
        }
        let query = ListingQuery()
        var another = query
        another.text = "bicycle"
        let pages = ListingPages()
        pages.keep(page("lamp"), for: query, in: state(1, 1))
        for right in [time(500, 5), time(9_499, 8)] {
            #expect(pages.page(for: query, in: state(1, 1), at: right) == page("lamp").json)
            #expect(pages.page(for: another, in: state(1, 1), at: right) == nil)
            #expect(pages.page(for: query, in: state(2, 1), at: right) == nil)
            #expect(pages.page(for: query, in: state(1, 2), at: right) == nil)
            let away = state(1, 1, isCurrent: false)
            #expect(pages.page(for: query, in: away, at: right) == nil)
        }
        for wrong in [time(499, 5), time(500, 4), time(9_500, 8), time(9_499, 9)] {
            #expect(pages.page(for: query, in: state(1, 1), at: wrong) == nil)
        }
        pages.keep(page("bicycle"), for: another, in: state(1, 2))
        let right = time(500, 5)
        #expect(pages.page(for: another, in: state(1, 2), at: right) == page("bicycle").json)
        #expect(pages.page(for: query, in: state(1, 1), at: right) == nil)
    }
}
