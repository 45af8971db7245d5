import Ethereum
import Market
import Testing

struct FeePolicyTests {
    private let policy = FeePolicy(ceiling: Amount(small: 1_000), tipMin: Amount(small: 1))

    private func amounts(_ numbers: [UInt64]) -> [Amount] { numbers.map { Amount(small: $0) } }

    private func history(baseFee: UInt64, tips: [[UInt64]]) -> FeeHistory {
        FeeHistory(baseFees: amounts([1, baseFee]), tips: tips.map(amounts))
    }

    private func market(_ histories: FeeHistory...) -> FeeMarket { market(histories) }

    private func market(_ histories: [FeeHistory]) -> FeeMarket {
        FeeMarket(reports: histories.map { FeeReport(head: nil, history: $0) })
    }

    @Test(
        arguments: zip(FeeSpeed.allCases, [(10, 160), (20, 220), (30, 330)] as [(UInt64, UInt64)])
    )
    func `a faster transaction may cost more`(speed: FeeSpeed, expected: (UInt64, UInt64)) {
        let history = history(baseFee: 100, tips: [[10, 20, 30], [0, 0, 0], [10, 20, 30]])
        let pricing = policy.pricing(market(history), speed: speed)
        let (tip, cap) = expected

        #expect(pricing == .dynamic(priorityFee: Amount(small: tip), feeCap: Amount(small: cap)))
    }

    @Test func `pays nothing above the ceiling`() {
        let dear = policy.pricing(
            market(history(baseFee: 900, tips: [[500, 500, 500]])),
            speed: .fast
        )
        #expect(dear?.feeCap == Amount(small: 1_000))
        let tooDear = policy.pricing(
            market(history(baseFee: 1_001, tips: [])),
            speed: .slow
        )
        #expect(tooDear == nil)
    }

    @Test func `uses an advised tip if the newest blocks contain no tips`() {
        func tip(_ tips: [[UInt64]], advised: [UInt64]) -> TransactionPricing? {
            let history = history(baseFee: 100, tips: tips)
            let told: [Amount?] = advised.isEmpty ? [nil] : amounts(advised)
            let reports = told.map { FeeReport(head: nil, history: history, advisedTip: $0) }
            return policy.pricing(FeeMarket(reports: reports), speed: .slow)
        }
        func price(_ tip: UInt64) -> TransactionPricing {
            .dynamic(priorityFee: Amount(small: tip), feeCap: Amount(small: 150 + tip))
        }
        #expect(tip([[0, 0, 0]], advised: [7]) == price(7))
        // Of two, the lower; of three, the middle one.
        #expect(tip([], advised: [9, 5]) == price(5))
        #expect(tip([], advised: [9, 90, 5]) == price(9))
        #expect(tip([[3, 3, 3]], advised: [7]) == price(3))
        #expect(tip([], advised: []) == price(1))
    }

    @Test func `a chain without a base fee has a single price`() {
        func price(_ prices: UInt64...) -> FeeMarket {
            FeeMarket(
                reports: prices.map { FeeReport(head: nil, gasPrice: Amount(small: $0)) }
            )
        }
        let pricing = policy.pricing(price(200), speed: .normal)
        #expect(pricing == .legacy(gasPrice: Amount(small: 220)))
        #expect(policy.pricing(price(1_001), speed: .slow) == nil)
        // No price is no price: nobody would mine it.
        #expect(policy.pricing(price(0), speed: .slow) == .legacy(gasPrice: Amount(small: 1)))
        #expect(price(200, 400).isConsistent && !price(200, 401).isConsistent)
        #expect(!price(0, 5).isConsistent && price(7, 8, 0).outlier?.index == 2)
    }

    /// - From endpoints: fees that do not fit the newest block's base fee, or none → the block's counts
    @Test func `the newest block bounds what an endpoint tells of the base fee`() {
        let tips: [[UInt64]] = [[9, 9, 9]]
        func report(_ head: UInt64?, told: UInt64) -> FeeReport {
            FeeReport(
                head: head.map { Amount(small: $0) },
                history: told == 0 ? .none : history(baseFee: told, tips: tips),
                gasPrice: Amount(small: 1_000)
            )
        }
        #expect(report(100, told: 112).baseFee == Amount(small: 112))
        #expect(report(100, told: 50).history.tips.count == 1)
        for told in [0, 1, 49, 201, 400_000] as [UInt64] {
            #expect(report(100, told: told).baseFee == Amount(small: 100))
            #expect(report(100, told: told).history == .none)
        }
        #expect(report(0, told: 400).baseFee == nil)
        #expect(report(nil, told: 400).baseFee == Amount(small: 400))
        // One endpoint has base fees, and the other one has none: they are not of one chain.
        let two = FeeMarket(reports: [report(100, told: 0), report(nil, told: 0)])
        #expect(!two.isConsistent)
    }

    @Test func `a replacement pays at least an eighth more, up to the ceiling`() {
        let old = TransactionPricing.dynamic(
            priorityFee: Amount(small: 10),
            feeCap: Amount(small: 100)
        )
        let raised = policy.replacement(of: old, by: old)
        #expect(
            raised == .dynamic(priorityFee: Amount(small: 12), feeCap: Amount(small: 114))
        )
        let high = TransactionPricing.legacy(gasPrice: Amount(small: 900))
        #expect(policy.replacement(of: high, by: high) == nil)
    }

    @Test func `ignores the outlier among three gas prices`() {
        func alone(_ fees: UInt64...) -> Int? {
            let outlier = market(fees.map { history(baseFee: $0, tips: []) }).outlier
            #expect(outlier?.isRefuted != false)
            return outlier?.index
        }
        #expect(alone(100, 1_000, 110) == 1)
        #expect(alone(10, 100, 110) == 0)
        #expect(alone(100, 110, 120) == nil)
        #expect(alone(1, 100, 10_000) == nil)
        #expect(alone(100, 1_000) == nil)
        let rest = market(history(baseFee: 100, tips: []), history(baseFee: 900, tips: []))
            .leaving(1)
        #expect(rest.baseFees == amounts([100]) && rest.isConsistent)
    }

    @Test func `a price between two others refutes neither`() {
        let prices = market([100, 50, 112].map { history(baseFee: $0, tips: []) })
        #expect(prices.outlier?.index == 2 && prices.outlier?.isRefuted == false)
    }

    @Test func `an endpoint without tips does not lower the minimum tip`() throws {
        let policy = FeePolicy.standard(for: ChainID(137))
        #expect(policy.tipMin == Amount(small: 25 * FeePolicy.gwei))
        let gwei = FeePolicy.gwei
        let told = history(baseFee: 50 * gwei, tips: [[30 * gwei, 30 * gwei, 30 * gwei]])
        let silent = history(baseFee: 50 * gwei, tips: [])
        func tip(_ histories: FeeHistory...) -> Amount? {
            let market = market(histories)
            guard case .dynamic(let tip, _, _) = policy.pricing(market, speed: .normal) else {
                return nil
            }
            return tip
        }
        #expect(tip(told, silent) == Amount(small: 30 * gwei))
        #expect(tip(silent) == Amount(small: 25 * gwei))
    }

    /// The tip that is paid for a base fee and the tips that endpoints tell.
    private func tip(baseFee: UInt64, told: UInt64...) throws -> Amount {
        let policy = FeePolicy(
            ceiling: Amount(small: 1_000_000),
            tipMin: Amount(small: 1),
            tipMax: Amount(small: 20)
        )
        let histories = told.map { history(baseFee: baseFee, tips: [[$0, $0, $0]]) }
        let pricing = policy.pricing(market(histories), speed: .normal)
        guard case .dynamic(let tip, _, _) = pricing else {
            Issue.record("\(String(describing: pricing))")
            return .zero
        }
        return tip
    }

    @Test func `a tip is the lower of two, and at most the base fee or its bound`() throws {
        #expect(try tip(baseFee: 100, told: 500_000) == Amount(small: 100))
        #expect(try tip(baseFee: 3, told: 500_000) == Amount(small: 20))
        #expect(try tip(baseFee: 100, told: 500_000, 7) == Amount(small: 7))
        #expect(try tip(baseFee: 100, told: 7, 500_000) == Amount(small: 7))
        #expect(try tip(baseFee: 100, told: 500_000, 500_000) == Amount(small: 100))
    }

    /// - From endpoints: base fees that cannot come from one chain → nothing is signed
    @Test func `detects two base fees that cannot belong to one chain`() {
        let near = market(history(baseFee: 100, tips: []), history(baseFee: 112, tips: []))
        #expect(near.isConsistent && near.leastPrice == Amount(small: 112))
        let far = market(history(baseFee: 100, tips: []), history(baseFee: 50_000, tips: []))
        #expect(!far.isConsistent)
    }

    @Test func `an agreed fee is also the ceiling`() {
        let limited = policy.limited(to: Amount(small: 15_050), gas: 100)
        #expect(limited.ceiling == Amount(small: 150))
        let fits = limited.pricing(market(history(baseFee: 100, tips: [])), speed: .normal)
        #expect(fits?.feeCap == Amount(small: 150))
        let dear = limited.pricing(market(history(baseFee: 151, tips: [])), speed: .normal)
        #expect(dear == nil)
        #expect(policy.limited(to: .max, gas: 100) == policy)
    }

    @Test func `divides an agreed fee among several transactions`() {
        let quote = FeeQuote(
            parts: [
                FeeQuote.Part(gasLimit: 10, feeMax: Amount(small: 100)),
                FeeQuote.Part(gasLimit: 30, feeMax: Amount(small: 300)),
            ],
            total: Amount(small: 400),
            least: Amount(small: 200)
        )
        #expect(quote.limits(within: Amount(small: 400)) == amounts([100, 300]))
        #expect(quote.limits(within: Amount(small: 203)) == amounts([50, 152]))
        #expect(quote.limits(within: Amount(small: 199)) == nil)
        // Gas is free today and may not be tomorrow: together they still cost what was agreed to.
        let free = FeeQuote(
            parts: [1, 3].map { FeeQuote.Part(gasLimit: $0, feeMax: .zero) },
            total: .zero,
            least: .zero
        )
        #expect(free.limits(within: Amount(small: 400)) == amounts([100, 300]))
    }

    @Test func `each chain has its own bounds`() {
        let ceilings = [1, 137, 8_453, 31_337].map {
            FeePolicy.standard(for: ChainID($0)).ceiling.decimal
        }
        #expect(ceilings == ["200", "2000", "10", "1000"].map { $0 + "000000000" })
    }
}
