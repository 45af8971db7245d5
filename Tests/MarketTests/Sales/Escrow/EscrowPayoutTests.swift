import BigInt
import Keys
import Market
import Support
import Testing

struct EscrowPayoutTests {
    private let fees: MarketFees

    init() throws {
        fees = try #require(SaleScript.fees)
    }

    @Test func `a sale of 1 ETH with default terms pays the same as in Solirey`() throws {
        let ether = Samples.amount("1000000000000000000")
        let terms = try EscrowTerms.standard(
            price: ether,
            currency: .native,
            form: .goods,
            now: Samples.chainNow
        )
        let payout = try #require(
            EscrowPayout(exit: .confirm, share: .all, terms: terms, fees: fees)
        )
        #expect(payout.seller.decimal == "2960000000000000000")
        #expect(payout.buyer == ether)
        #expect(payout.platform.decimal == "20000000000000000")
        #expect(payout.maker == payout.platform)
    }

    @Test(
        arguments: [
            Row(.abort, [20_014, 0, 0, 0, 0, 0]),
            Row(.decline, [20_014, 20_014, 0, 0, 0, 0]),
            Row(.confirm, [29_621, 10_007, 200, 200, 0, 0]),
            Row(.confirm, isTaken: true, [29_621, 9_508, 200, 200, 499, 0]),
            Row(.claim, [29_621, 10_007, 200, 200, 0, 0]),
            Row(.refund, [19_814, 20_214, 0, 0, 0, 0]),
            Row(.refund, isTaken: true, [19_315, 20_214, 0, 0, 499, 0]),
            // p = ⌊10007 × 0.3333⌋ = 3335, f = r = 66
            Row(.settle, [23_217, 16_679, 66, 66, 0, 0]),
            // The seller pays ⌊499 ÷ 2⌋ = 249, the buyer 250
            Row(.settle, isTaken: true, [22_968, 16_429, 66, 66, 499, 0]),
            // L′ = ⌊200 × 0.6667⌋ = 133, A′ = ⌊499 × 0.6667⌋ = 332
            Row(.rule, isTaken: true, [22_752, 16_645, 66, 66, 499, 0]),
            // p = 5003, f = r = 100, F = 7505
            Row(.executeDefault, [17_312, 7_506, 100, 100, 0, 15_010]),
            Row(.executeDefault, isTaken: true, [17_312, 7_506, 100, 100, 0, 15_010]),
        ]
    )
    func `each exit pays as in its row of the table`(row: Row) throws {
        var terms = try Samples.terms(price: "10007")
        terms.arbiter = SaleScript.arbiter
        terms.arbiterFee = Amount(small: 499)
        let share = try #require(SellerShare(basisPoints: 3_333))
        let payout = try #require(
            EscrowPayout(
                exit: row.exit,
                share: share,
                terms: terms,
                fees: fees,
                isTaken: row.isTaken
            )
        )
        let found = [
            payout.seller, payout.buyer, payout.platform, payout.maker, payout.arbiter,
            payout.nobody,
        ]
        #expect(found == row.parts.map(Amount.init(small:)))
    }

    /// A row of the table: an exit and its parts, in the order of the contract's event.
    struct Row: Sendable {
        let exit: EscrowExit
        let isTaken: Bool
        let parts: [UInt64]

        init(_ exit: EscrowExit, isTaken: Bool = false, _ parts: [UInt64]) {
            (self.exit, self.isTaken, self.parts) = (exit, isTaken, parts)
        }
    }

    @Test(arguments: 0..<32 as Range<UInt64>)
    func `payouts sum to the deposits under any terms`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<40 {
            let terms = try randomTerms(using: &random)
            try terms.checkLimits()
            let paidIn = try #require(terms.sellerDeposit.adding(terms.buyerSends))
            for exit in EscrowExit.allCases {
                let payout = try payout(exit, terms, isTaken: .random(using: &random), &random)
                #expect(payout.total == (exit == .abort ? terms.sellerDeposit : paidIn))
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `the default is worse for both than any other end of a dispute`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<40 {
            let terms = try randomTerms(using: &random)
            for isTaken in [false, true] {
                let worst = try payout(.executeDefault, terms, isTaken: isTaken, &random)
                for exit: EscrowExit in [.confirm, .refund, .settle, .rule] {
                    let other = try payout(exit, terms, isTaken: isTaken, &random)
                    #expect(worst.seller < other.seller, "\(exit) \(terms)")
                    #expect(worst.buyer < other.buyer, "\(exit) \(terms)")
                }
            }
        }
    }

    private func payout(
        _ exit: EscrowExit,
        _ terms: EscrowTerms,
        isTaken: Bool,
        _ random: inout SeededRandom
    ) throws -> EscrowPayout {
        let basisPoints = UInt64.random(in: 0...10_000, using: &random)
        let share = try #require(SellerShare(basisPoints: basisPoints))
        return try #require(
            EscrowPayout(exit: exit, share: share, terms: terms, fees: fees, isTaken: isTaken)
        )
    }

    private func randomTerms(
        using random: inout SeededRandom,
        bitsMin: Int = 14
    ) throws -> EscrowTerms {
        let bits = Int.random(in: bitsMin...128, using: &random)
        let word = BigUInt(random.next()) << 64 | BigUInt(random.next())
        // Exactly so many bits.
        let price = max(10_000, word >> (128 - bits) | BigUInt(1) << (bits - 1))
        func amount(_ units: BigUInt) throws -> Amount { try #require(Amount(units)) }
        func part(_ most: BigUInt, _ least: BigUInt = 0) -> BigUInt {
            least + BigUInt(random.next()) * (most - least) / BigUInt(UInt64.max)
        }
        var terms = try Samples.terms()
        terms.price = try amount(price)
        terms.sellerDeposit = try amount(part(price * 10, (price + 2) / 3))
        terms.buyerDeposit = try amount(part(price * 10, (price + 2) / 3))
        terms.latePenalty = try amount(part(price * 500 / 10_000, (price + 99) / 100))
        terms.arbiter = SaleScript.arbiter
        terms.arbiterFee = try amount(part(price * 500 / 10_000))
        return terms
    }
}
