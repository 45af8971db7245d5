import Client
import Foundation
import Keys
import Support
import Testing
import TradeSupport

/// How the seller of a direct sale says that the item was sent, on a whole node with a chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SentNoticeTests {
    /// Lists Ana's bicycle as a direct sale, and has Bo buy it; returns the sale.
    private static func sold(
        _ market: MarketNode,
        _ change: (inout ListingContent) -> Void = { _ in }
    ) async throws -> String {
        var content = MarketNode.bicycle
        content.payment = "direct"
        change(&content)
        let offered = content
        let listing = try await market.asking(market.ana) { ana in
            try await ana.waitUntilFunded()
            let ended = try await ana.follow(try await ana.list(offered)) { _ in }
            return ended.subject ?? ""
        }
        try await market.harness.dev.fund(try Address(text: market.bo.account.address))
        return try await market.asking(market.bo) { bo in
            try await bo.waitUntilFunded()
            let begun = try await bo.buy(Purchase(listing: listing, shipTo: "DE"))
            let ended = try await bo.follow(begun) { _ in }
            #expect(ended.state == .done)
            return ended.subject ?? ""
        }
    }

    /// Says a notice once the sale is final, some blocks after its payment.
    private static func tell(
        _ notice: SentNotice,
        of sale: String,
        _ client: StoaClient
    ) async throws {
        try await waitUntil {
            do { try await client.tellSent(notice, forSale: sale) } catch let problem as Problem {
                guard problem.code == "not_final_yet" else { throw problem }
                return false
            }
            return true
        }
    }

    private static func toSend(_ client: StoaClient) async throws -> [String] {
        try await client.sales(list: "to_send").items.map(\.id)
    }

    private static func refused(_ body: () async throws -> Void) async -> String? {
        await #expect(throws: Problem.self) { try await body() }?.code
    }

    /// - From people: that a thing was sent, said by another account than the seller, twice, again with
    ///   other pictures, or of an escrow → not_your_sale, not_allowed
    @Test func `the seller of a direct sale says once that it was sent`() async throws {
        try await MarketNode.run { market in
            let sale = try await Self.sold(market)
            let notice = SentNotice(note: "DHL 0034")
            try await market.asking(market.ana) { ana in
                try await waitUntil { try await Self.toSend(ana) == [sale] }
                let shown = try await ana.sale(sale)
                #expect(shown.isToBeSent == true && shown.status.code == "standing.toBeSent")
                let wrong = await Self.refused {
                    try await ana.tellSent(SentNotice(note: " "), forSale: sale)
                }
                #expect(wrong == "malformed_value")
            }
            try await market.asking(market.bo) { bo in
                let listed = try await Self.toSend(bo)
                #expect(listed == [sale])
                let code = await Self.refused { try await bo.tellSent(notice, forSale: sale) }
                #expect(code == "not_your_sale")
            }
            try await market.asking(market.ana) { ana in
                try await Self.tell(notice, of: sale, ana)
                try await ana.tellSent(notice, forSale: sale)
                let code = await Self.refused {
                    try await ana.tellSent(SentNotice(note: "DHL 1"), forSale: sale)
                }
                #expect(code == "not_allowed")
                let pictures = [Bytes32(repeating: 1).hex]
                let more = await Self.refused {
                    try await ana.tellSent(
                        SentNotice(note: "DHL 0034", pictures: pictures),
                        forSale: sale
                    )
                }
                #expect(more == "not_allowed")
                #expect(try await Self.toSend(ana).isEmpty)
                #expect(try await ana.sale(sale).isToBeSent == nil)
                let (_, escrow) = try await market.list(title: "Blue bicycle")
                let other = await Self.refused { try await ana.tellSent(notice, forSale: escrow) }
                #expect(other == "not_allowed")
            }
            try await market.asking(market.bo) { bo in
                try await waitUntil {
                    let shown = try await bo.sale(sale)
                    return shown.history.first?.note == "DHL 0034" && shown.isToBeSent == nil
                }
            }
        }
    }

    @Test func `the seller of what is collected says that it is ready`() async throws {
        try await MarketNode.run { market in
            let sale = try await Self.sold(market) {
                ($0.delivery, $0.shipsTo) = ("pickup", [])
                $0.pickupPlace = "The old bridge"
            }
            try await market.asking(market.ana) { ana in
                #expect(try await Self.toSend(ana).isEmpty)
                let before = try await ana.sale(sale).nextSteps.map(\.words.code)
                #expect(before.contains("next.ready"), "\(before)")
                try await Self.tell(SentNotice(), of: sale, ana)
                let left = try await ana.sale(sale).nextSteps.map(\.words.code)
                #expect(!left.contains("next.ready"), "\(left)")
                let again = await Self.refused {
                    try await ana.tellSent(SentNotice(note: "At six"), forSale: sale)
                }
                #expect(again == "not_allowed")
            }
            try await market.asking(market.bo) { bo in
                try await waitUntil {
                    try await bo.sale(sale).history.first?.note == "It is ready to be picked up."
                }
            }
        }
    }
}
