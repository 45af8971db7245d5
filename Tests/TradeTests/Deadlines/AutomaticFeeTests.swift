import Client
import Market
import Testing
import Trade

/// What a move may cost that nobody asked for.
struct AutomaticFeeTests {
    private static func preview(
        _ gains: [(String, String)],
        feeMax: String? = "100"
    ) -> ActionPreview {
        ActionPreview(
            action: "claim",
            summary: [],
            comesBack: gains.map { .init(amount: $0, currency: $1, when: Sentence("back.credit")) },
            feeMax: feeMax
        )
    }

    private func most(_ amount: UInt64) -> AutomaticFee { .atMost(Amount(small: amount)) }

    @Test func `a fee is at most a tenth of all that comes back`() {
        let fee = AutomaticFee(Self.preview([("600", "native"), ("399", "native")]))
        #expect(fee == .tooHigh(fee: Amount(small: 100), gain: Amount(small: 999)))
        #expect(AutomaticFee(Self.preview([("600", "native"), ("400", "native")])) == most(100))
        // It may rise up to a tenth.
        #expect(AutomaticFee(Self.preview([("5000", "native")])) == most(500))
    }

    @Test func `a fee that cannot be compared becomes at most four times as high`() {
        #expect(AutomaticFee(Self.preview([])) == most(400))
        let token = "0x00000000000000000000000000000000000000AA"
        #expect(AutomaticFee(Self.preview([("1", token)])) == most(400))
        #expect(AutomaticFee(Self.preview([("1", "native"), ("1", token)])) == most(400))
    }

    @Test func `an unknown fee has the limit 0, and a problem removes no limit`() {
        #expect(AutomaticFee(Self.preview([("1", "native")], feeMax: nil)) == most(0))
        var refused = Self.preview([("600", "native"), ("399", "native")])
        refused.problems = [
            Problem(
                type: "",
                title: "",
                status: 409,
                detail: "",
                code: "move_not_open"
            )
        ]
        let (fee, gain) = (Amount(small: 100), Amount(small: 999))
        #expect(AutomaticFee(refused) == .tooHigh(fee: fee, gain: gain))
        refused.comesBack = []
        #expect(AutomaticFee(refused) == most(400))
    }
}
