import Foundation
import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

/// Offers to buy at another price as bodies of mail.
struct MailPriceOfferTests {
    private static func offer(_ price: UInt64 = 400_000) throws -> MailPriceOffer {
        let address = try #require(Address([UInt8](repeating: 1, count: 20)))
        let contract = ContractReference(chain: ChainID(31_337), address: address)
        let sale = SaleReference(contract: contract, id: SaleID(Bytes32(repeating: 2)))
        let content = try MailPriceOffer.Content(
            price: Amount(small: price),
            until: ChainTime(seconds: 1_800_000_000),
            paymentSeconds: 172_800
        )
        return MailPriceOffer(for: sale, content)
    }

    @Test func `reads back an offer and its withdrawal from their bytes`() throws {
        let offer = try Self.offer()
        try MailBodySamples.expectsReading(.priceOffer(offer), from: offer.body)
        let withdrawal = MailPriceOffer(for: offer.sale, nil)
        try MailBodySamples.expectsReading(.priceOffer(withdrawal), from: withdrawal.body)
    }

    /// The test vectors of Docs/protocol.md, section 19.
    @Test func `an offer has the bytes that the protocol shows`() throws {
        let offer = try Self.offer()
        let sale = [
            "08e9f401", "1214" + String(repeating: "01", count: 20),
            "1a20" + String(repeating: "02", count: 32),
        ]
        let content = ["2203061a80", "2880a4a7da06", "3080c60a"]
        #expect(Hex.encode(offer.body.content) == (sale + content).joined())
        let withdrawal = MailPriceOffer(for: offer.sale, nil)
        #expect(Hex.encode(withdrawal.body.content) == sale.joined())
        #expect(offer.body.field == 48)
    }

    /// - From peers: an offer whose price no sale can have, without an end, with one after 2^40 seconds,
    ///   or with less than an hour or more than 7 days to pay → dropped as malformed
    @Test func `refuses an offer whose content breaks a rule`() throws {
        func fault(_ change: (inout WireMailPriceOffer) -> Void) throws -> MailFault? {
            var wire = WireMailPriceOffer()
            wire.chain = 31_337
            wire.contract = .init([UInt8](repeating: 1, count: 20))
            wire.sale = .init([UInt8](repeating: 2, count: 32))
            wire.price = .init(Amount(small: 400_000).minimalBytes)
            (wire.until, wire.paymentSeconds) = (1_800_000_000, 172_800)
            change(&wire)
            return try MailBodySamples.fault(
                MailPriceOffer.field,
                CanonicalMessage.bytes(of: wire)
            )
        }
        #expect(try fault { _ in } == nil)
        #expect(try fault { $0.price = .init(SaleLimits.priceMax.minimalBytes) } == nil)
        #expect(try fault { $0.price = .init([0x27, 0x10]) } == nil)
        #expect(try fault { $0.price = .init([0x27, 0x0F]) } == .malformed)
        #expect(
            try fault { $0.price = .init([1] + [UInt8](repeating: 0, count: 16)) } == .malformed
        )
        #expect(
            try fault { $0.price = .init([UInt8](repeating: 0xFF, count: 32)) } == .malformed
        )
        #expect(
            try fault { $0.price = .init([UInt8](repeating: 0xFF, count: 33)) } == .malformed
        )
        #expect(try fault { $0.price = .init([0, 0x27, 0x10]) } == .malformed)
        #expect(try fault { $0.price = .init() } == .malformed)
        #expect(try fault { $0.until = 0 } == .malformed)
        #expect(try fault { $0.until = 1 << 40 } == nil)
        #expect(try fault { $0.until = 1 << 40 + 1 } == .malformed)
        #expect(try fault { $0.until = .max } == .malformed)
        for seconds in [0, 3_599, 604_801, .max] as [UInt64] {
            #expect(try fault { $0.paymentSeconds = seconds } == .malformed)
        }
        for seconds in [3_600, 604_800] as [UInt64] {
            #expect(try fault { $0.paymentSeconds = seconds } == nil)
        }
        // All three or none.
        #expect(
            try fault { ($0.price, $0.until, $0.paymentSeconds) = (.init(), 0, 0) } == nil
        )
    }
}
