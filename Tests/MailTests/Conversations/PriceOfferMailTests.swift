import Answers
import Client
import Foundation
import Keys
import MailSupport
import Market
import Storage
import Support
import Synchronization
import Testing

@testable import Mail

/// Offers to buy at another price in conversations.
@Suite(.timeLimit(.minutes(5)))
struct PriceOfferMailTests {
    private static let slot = Bytes32(repeating: 7)
    private static let sale = SaleReference(
        contract: SampleSale.contract,
        id: SaleID(Bytes32(repeating: 2))
    )

    private static func offer(
        _ price: UInt64,
        for sale: SaleReference = sale,
        until: ChainTime = ChainTime(seconds: 1_763_800_000)
    ) throws -> MailPriceOffer {
        let content = try MailPriceOffer.Content(
            price: Amount(small: price),
            until: until,
            paymentSeconds: 3_600
        )
        return MailPriceOffer(for: sale, content)
    }

    /// Returns the price that counts; `nil` if none was offered or it was withdrawn.
    private static func price(
        from buyer: Address,
        on node: ChatNode,
        of unlocked: UnlockedAccount
    ) throws -> Amount? {
        let subject = StoredTradeNote.subject(ofOfferFor: sale, from: buyer)
        let stored = try node.store.read { try $0.tradeNote(on: subject, of: unlocked) }
        guard let bytes = stored?.note?.offer else { return nil }
        return try MailPriceOffer(content: [UInt8](bytes)).content?.price
    }

    /// - From peers: more offers of a stranger than a stranger can send texts → dropped
    @Test func `offers of a stranger count like a stranger's texts`() async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            let listing = ListingID(author: ana, slot: Self.slot).description
            let opening = ConversationOpening(with: ana.checksummed, listing: listing)
            let talk = try await two.chat.open(opening, by: bo)
            var sent: UInt64 = 0
            let refused = await #expect(throws: Refusal.self) {
                while sent < 100 {
                    _ = try await two.chat.write(
                        .priceOffer(try Self.offer(10_000 + sent)),
                        asking: [],
                        in: talk.id,
                        by: bo,
                        key: "\(sent)"
                    )
                    sent += 1
                }
            }
            #expect(refused?.code == .notAllowed && sent == UInt64(StoredContact.messagesMax))
            await harness.runAll()
            #expect(try await one.requests(of: ana).count == 1)
            #expect(try await one.messages(of: ana).allSatisfy { $0.kind == "offer" })
            let unlocked = try await one.chat.unlockedAccount(ana)
            let offers = try one.chat.priceOffers(of: unlocked)
            #expect(offers.map(\.buyer) == [bo] && offers.first?.isRequest == true)
            let last = Amount(small: 9_999 + sent)
            #expect(try Self.price(from: bo, on: one, of: unlocked) == last)
            #expect(try Self.price(from: ana, on: one, of: unlocked) == nil)
            _ = try await one.chat.block(bo.checksummed, by: ana)
            #expect(try one.chat.priceOffers(of: unlocked).isEmpty)
            #expect(try one.store.read { try $0.keys(PriceOfferNotes.self, .prefix(ana)) }.isEmpty)
            let own = try two.chat.priceOffers(of: try await two.chat.unlockedAccount(bo))
            #expect(own.map(\.mail.content?.price) == [last] && own.first?.isRequest == false)
        }
    }

    /// - From peers: an offer for a sale of another account than the recipient, that is not below its
    ///   price, or that ends later than in 30 days → dropped
    @Test func `an offer that no honest node sends is dropped`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let unlocked = try await one.chat.unlockedAccount(ana)
            let own = try SampleSale(by: unlocked.key, slot: Self.slot)
            let foreign = try SampleSale(by: testKey("carla"), slot: Self.slot)
            harness.chain.sales.withLock { sales in
                for sample in [own, foreign] { sales[sample.reference] = sample.sale }
            }
            let talk = try await two.chat.open(
                ConversationOpening(with: ana.checksummed),
                by: bo
            )
            func send(_ offer: MailPriceOffer, _ key: String) async throws {
                let body = MailMessage.Body.priceOffer(offer)
                _ = try await two.chat.write(body, asking: [], in: talk.id, by: bo, key: key)
                await harness.runAll()
            }
            let end = ChainTime(seconds: UInt64(harness.clock.now.timeIntervalSince1970))
            let price = try #require(UInt64(own.sale.price.decimal))
            try await send(Self.offer(20_000, until: end.advanced(by: .days(31))), "late")
            try await send(Self.offer(price, for: own.reference), "dear")
            try await send(MailPriceOffer(for: foreign.reference, nil), "foreign")
            #expect(try await one.messages(of: ana).isEmpty)
            #expect(try one.chat.priceOffers(of: unlocked).isEmpty)
            try await send(Self.offer(20_000, until: end.advanced(by: .days(30))), "unknown")
            try await send(MailPriceOffer(for: own.reference, nil), "withdrawal")
            #expect(try await one.messages(of: ana).count == 2)
            #expect(try one.chat.priceOffers(of: unlocked).count == 2)
        }
    }

    @Test func `offers for invented sales are listed while there are few`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let unlocked = try await one.chat.unlockedAccount(ana)
            try await one.store.write { transaction in
                for number in 1..<UInt64(MailedPriceOffer.listedMax) {
                    let key = CompositeKey(ana, Bytes32(words: 1, 0, 0, number))
                    try transaction.put(PriceOfferNotes.self, key, EmptyValue())
                }
            }
            let talk = try await two.chat.open(
                ConversationOpening(with: ana.checksummed),
                by: bo
            )
            for (price, number) in [(20_000, 1), (30_000, 2), (40_000, 1)] as [(UInt64, UInt64)] {
                let invented = SaleReference(
                    contract: SampleSale.contract,
                    id: SaleID(Bytes32(words: 2, 0, 0, number))
                )
                let body = MailMessage.Body.priceOffer(try Self.offer(price, for: invented))
                let key = "\(price)"
                _ = try await two.chat.write(body, asking: [], in: talk.id, by: bo, key: key)
                harness.clock.advance(by: 1)
                await harness.runAll()
            }
            let listed = try one.chat.priceOffers(of: unlocked)
            #expect(listed.compactMap(\.mail.content?.price) == [Amount(small: 40_000)])
            #expect(try await one.messages(of: ana).count == 3)
        }
    }

    @Test func `an offer that was withdrawn does not come back with a late one`() async throws {
        try await ChatHarness.pair { harness, _, two, ana, bo in
            let opening = ConversationOpening(with: ana.checksummed)
            let talk = try await two.chat.open(opening, by: bo)
            let id = try #require(Bytes32(hex: talk.id))
            let unlocked = try await two.chat.unlockedAccount(bo)
            let start = harness.clock.now
            func write(_ offer: MailPriceOffer, after seconds: TimeInterval) async throws {
                let date = start.addingTimeInterval(seconds)
                try await two.store.write { transaction in
                    guard var kept = try transaction.conversation(id, of: unlocked) else { return }
                    _ = try unlocked.write(
                        .priceOffer(offer),
                        to: id,
                        &kept,
                        network: "test",
                        at: date,
                        in: &transaction
                    )
                }
            }
            try await write(Self.offer(20_000), after: 1)
            #expect(try Self.price(from: bo, on: two, of: unlocked) == Amount(small: 20_000))
            try await write(MailPriceOffer(for: Self.sale, nil), after: 3)
            #expect(try Self.price(from: bo, on: two, of: unlocked) == nil)
            try await write(Self.offer(30_000), after: 2)
            #expect(try Self.price(from: bo, on: two, of: unlocked) == nil)
            try await write(Self.offer(40_000), after: 4)
            #expect(try Self.price(from: bo, on: two, of: unlocked) == Amount(small: 40_000))
        }
    }
}
