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
            (.abort, [2_002, 0, 0, 0, 0, 0]),
            (.confirm, [2_963, 1_001, 20, 20, 0, 0]),
            (.claim, [2_963, 1_001, 20, 20, 0, 0]),
            (.refund, [1_982, 2_022, 0, 0, 0, 0]),
            // p = ⌊1001 × 0.3333⌋ = 333, f = r = 6
            (.settle, [2_323, 1_669, 6, 6, 0, 0]),
            // L′ = ⌊20 × 0.6667⌋ = 13, A′ = ⌊50 × 0.6667⌋ = 33
            (.rule, [2_277, 1_665, 6, 6, 50, 0]),
            // p = 500, f = r = 10, F = 750
            (.executeDefault, [1_732, 752, 10, 10, 0, 1_500]),
        ] as [(EscrowExit, [UInt64])]
    )
    func `each exit pays as its row of the table says`(exit: EscrowExit, parts: [UInt64]) throws {
        var terms = try Samples.terms(price: "1001")
        terms.arbiter = SaleScript.arbiter
        terms.arbiterFee = Amount(small: 50)
        let share = try #require(SellerShare(basisPoints: 3_333))
        let payout = try #require(
            EscrowPayout(exit: exit, share: share, terms: terms, fees: fees)
        )
        let found = [
            payout.seller, payout.buyer, payout.platform, payout.maker, payout.arbiter,
            payout.nobody,
        ]
        #expect(found == parts.map(Amount.init(small:)))
    }

    @Test(arguments: 0..<32 as Range<UInt64>)
    func `nothing is made and nothing is lost, whatever the terms`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<40 {
            let terms = try randomTerms(using: &random)
            try terms.check()
            let paidIn = try #require(terms.sellerDeposit.adding(terms.buyerSends))
            for exit in EscrowExit.allCases {
                let basisPoints = UInt64.random(in: 0...10_000, using: &random)
                let share = try #require(SellerShare(basisPoints: basisPoints))
                let payout = try #require(
                    EscrowPayout(exit: exit, share: share, terms: terms, fees: fees)
                )
                #expect(payout.total == (exit == .abort ? terms.sellerDeposit : paidIn))
            }
        }
    }

    private func randomTerms(using random: inout SeededRandom) throws -> EscrowTerms {
        let bits = Int.random(in: 1...128, using: &random)
        let price = (BigUInt(random.next()) << 64 | BigUInt(random.next())) >> (128 - bits) | 1
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
