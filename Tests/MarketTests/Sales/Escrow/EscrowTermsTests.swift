import Keys
import Market
import Testing

/// Terms of an offer that is listed again at another price.
struct EscrowTermsTests {
    private static let end = ChainTime(seconds: 2_000_000)

    private static func terms(_ price: UInt64) throws -> EscrowTerms {
        try EscrowTerms.standard(
            price: Amount(small: price),
            currency: .native,
            form: .goods,
            now: ChainTime(seconds: 1_000_000)
        )
    }

    @Test func `deposits, penalty and fee keep their share of another price`() throws {
        var old = try Self.terms(1_000_000)
        (old.sellerDeposit, old.buyerDeposit) = (Amount(small: 500_000), Amount(small: 3_000_000))
        (old.latePenalty, old.arbiterFee) = (Amount(small: 50_000), Amount(small: 40_000))
        old.arbiter = Samples.bo.address
        let new = try old.repriced(to: Amount(small: 2_000_001), until: Self.end)
        #expect(new.price == Amount(small: 2_000_001) && new.offerUntil == Self.end)
        #expect(new.sellerDeposit == Amount(small: 1_000_000))
        #expect(new.buyerDeposit == Amount(small: 6_000_003))
        #expect(new.latePenalty == Amount(small: 100_000))
        #expect(new.arbiterFee == Amount(small: 80_000))
        #expect(new.arbiter == old.arbiter && new.shipWindow == old.shipWindow)
        try new.checkLimits()
    }

    @Test(arguments: [10_000, 10_001, 12_345, 29_999, 1 << 40] as [UInt64])
    func `the smallest and largest terms stay within their bounds`(price: UInt64) throws {
        var least = try Self.terms(1_000_000)
        least.sellerDeposit = EscrowTerms.depositMin(price: least.price)
        least.buyerDeposit = least.sellerDeposit
        least.latePenalty = EscrowTerms.penaltyMin(price: least.price)
        try least.repriced(to: Amount(small: price), until: Self.end).checkLimits()
        var most = least
        (most.sellerDeposit, most.buyerDeposit) = (
            Amount(small: 10_000_000), Amount(small: 10_000_000)
        )
        (most.latePenalty, most.arbiterFee) = (Amount(small: 50_000), Amount(small: 50_000))
        most.arbiter = Samples.bo.address
        try most.repriced(to: Amount(small: price), until: Self.end).checkLimits()
    }

    @Test func `refuses a price that no sale can have`() throws {
        let old = try Self.terms(1_000_000)
        #expect(throws: TermsFault(term: "price")) {
            try old.repriced(to: Amount(small: 9_999), until: Self.end)
        }
    }
}
