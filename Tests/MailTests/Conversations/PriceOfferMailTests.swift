import Answers
import Client
import Foundation
import Keys
import MailSupport
import Market
import Storage
import Support
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

    private static func offer(_ price: UInt64) throws -> MailPriceOffer {
        let content = try MailPriceOffer.Content(
            price: Amount(small: price),
            until: ChainTime(seconds: 1_800_000_000),
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
