import Client
import Market
import Testing
import Trade

/// When a deadline's move costs more than it brings.
struct PredictedLossTests {
    private static func preview(
        _ gains: [(String, String)],
        feeMax: String? = "100"
    ) -> ActionPreview {
        ActionPreview(
            action: "claim",
            summary: "",
            comesBack: gains.map { .init(amount: $0, currency: $1, when: "at once") },
            feeMax: feeMax
        )
    }

    @Test func `a fee is a loss only if it exceeds all that comes back`() {
        let loss = PredictedLoss(Self.preview([("60", "native"), ("39", "native")]))
        #expect(loss?.fee == Amount(small: 100) && loss?.gain == Amount(small: 99))
        #expect(PredictedLoss(Self.preview([("60", "native"), ("40", "native")])) == nil)
    }

    @Test func `a move that cannot be compared or made is not a loss`() {
        #expect(PredictedLoss(Self.preview([])) == nil)
        let token = "0x00000000000000000000000000000000000000AA"
        #expect(PredictedLoss(Self.preview([("1", token)])) == nil)
        #expect(PredictedLoss(Self.preview([("1", "native"), ("1", token)])) == nil)
        #expect(PredictedLoss(Self.preview([("1", "native")], feeMax: nil)) == nil)
        var refused = Self.preview([("1", "native")])
        refused.problems = [
            Problem(
                type: "",
                title: "",
                status: 409,
                detail: "",
                code: "move_not_open"
            )
        ]
        #expect(PredictedLoss(refused) == nil)
    }
}
