import Contracts
import Market
import Testing

struct FeePolicyTests {
    private let policy = FeePolicy(ceiling: Amount(small: 1_000), tipMin: Amount(small: 1))

    private func amounts(_ numbers: [UInt64]) -> [Amount] { numbers.map { Amount(small: $0) } }

    private func history(baseFee: UInt64, tips: [[UInt64]]) -> FeeHistory {
        FeeHistory(baseFees: amounts([1, baseFee]), tips: tips.map(amounts))
    }

    @Test(
        arguments: zip(FeeSpeed.allCases, [(10, 160), (20, 220), (30, 330)] as [(UInt64, UInt64)])
    )
    func `a faster transaction may cost more`(speed: FeeSpeed, expected: (UInt64, UInt64)) {
        let history = history(baseFee: 100, tips: [[10, 20, 30], [0, 0, 0], [10, 20, 30]])
        let pricing = policy.pricing(history: history, gasPrice: .zero, speed: speed)
        let (tip, cap) = expected

        #expect(pricing == .dynamic(priorityFee: Amount(small: tip), feeCap: Amount(small: cap)))
    }

    @Test func `nothing is paid above the ceiling`() {
        let dear = policy.pricing(
            history: history(baseFee: 900, tips: [[500, 500, 500]]),
            gasPrice: .zero,
            speed: .fast
        )
        #expect(dear?.feeCap == Amount(small: 1_000))
        let tooDear = policy.pricing(
            history: history(baseFee: 1_001, tips: []),
            gasPrice: .zero,
            speed: .slow
        )
        #expect(tooDear == nil)
    }

    @Test func `a chain without a base fee has one price`() {
        let none = FeeHistory(baseFees: [], tips: [])
        let pricing = policy.pricing(history: none, gasPrice: Amount(small: 200), speed: .normal)
        #expect(pricing == .legacy(gasPrice: Amount(small: 220)))
        #expect(
            policy.pricing(history: none, gasPrice: Amount(small: 1_001), speed: .slow) == nil
        )
    }

    @Test func `a replacement pays at least an eighth more, and never above the ceiling`() {
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
}
