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

    @Test func `a sale of 1 ETH with default terms pays as Solirey did`() throws {
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
            Row(.abort, [2_002, 0, 0, 0, 0, 0]),
            Row(.decline, [2_002, 2_002, 0, 0, 0, 0]),
            Row(.confirm, [2_963, 1_001, 20, 20, 0, 0]),
            Row(.confirm, isTaken: true, [2_963, 952, 20, 20, 49, 0]),
            Row(.claim, [2_963, 1_001, 20, 20, 0, 0]),
            Row(.refund, [1_982, 2_022, 0, 0, 0, 0]),
            Row(.refund, isTaken: true, [1_933, 2_022, 0, 0, 49, 0]),
            // p = ⌊1001 × 0.3333⌋ = 333, f = r = 6
            Row(.settle, [2_323, 1_669, 6, 6, 0, 0]),
            // The seller pays ⌊49 ÷ 2⌋ = 24, the buyer 25
            Row(.settle, isTaken: true, [2_299, 1_644, 6, 6, 49, 0]),
            // L′ = ⌊20 × 0.6667⌋ = 13, A′ = ⌊49 × 0.6667⌋ = 32
            Row(.rule, isTaken: true, [2_278, 1_665, 6, 6, 49, 0]),
            // p = 500, f = r = 10, F = 750
            Row(.executeDefault, [1_732, 752, 10, 10, 0, 1_500]),
            Row(.executeDefault, isTaken: true, [1_732, 752, 10, 10, 0, 1_500]),
        ]
    )
    func `each exit pays as its row of the table says`(row: Row) throws {
        var terms = try Samples.terms(price: "1001")
        terms.arbiter = SaleScript.arbiter
        terms.arbiterFee = Amount(small: 49)
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
    func `nothing is made and nothing is lost, whatever the terms`(seed: UInt64) throws {
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
            let terms = try randomTerms(using: &random, bitsMin: 8)
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
        bitsMin: Int = 1
    ) throws -> EscrowTerms {
        let bits = Int.random(in: bitsMin...128, using: &random)
        let word = BigUInt(random.next()) << 64 | BigUInt(random.next())
        // Exactly so many bits.
        let price = word >> (128 - bits) | BigUInt(1) << (bits - 1)
        func amount(_ units: BigUInt) throws -> Amount { try #require(Amount(units)) }
        func part(_ most: BigUInt, _ least: BigUInt = 0) -> BigUInt {
            least + BigUInt(random.next()) * (most - least) / BigUInt(UInt64.max)
        }
        var terms = try Samples.terms(price: "1")
        terms.price = try amount(price)
        terms.sellerDeposit = try amount(part(price * 10, price))
        terms.buyerDeposit = try amount(part(price * 10, price))
        terms.latePenalty = try amount(part(price * 500 / 10_000))
        terms.arbiter = SaleScript.arbiter
        terms.arbiterFee = try amount(part(price * 500 / 10_000))
        return terms
    }
}
