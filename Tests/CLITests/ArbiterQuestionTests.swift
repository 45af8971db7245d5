import Client
import Testing

@testable import CLI

struct ArbiterQuestionTests {
    private let choices = [
        ArbiterQuestion.Choice(account: "0x01", name: "Carla", feeMin: "30"),
        ArbiterQuestion.Choice(account: "0x02", name: nil, feeMin: "40"),
    ]
    private let content = ListingContent(
        title: "Bicycle",
        price: Money(amount: "1000000", currency: "native")
    )

    @Test func `an arbiter of the market's file is chosen by number, for the fee that it takes`()
        throws
    {
        for nobody in ["", " ", "0"] {
            #expect(try ArbiterQuestion.chosen(nobody, among: choices, in: content) == content)
        }
        let second = try ArbiterQuestion.chosen(" 2 ", among: choices, in: content)
        #expect(second.terms?.arbiter == "0x02" && second.terms?.arbiterFee == "40")
        var given = content
        given.terms = EscrowTerms()
        given.terms?.arbiterFee = "35"
        let first = try ArbiterQuestion.chosen("1", among: choices, in: given)
        #expect(first.terms?.arbiter == "0x01" && first.terms?.arbiterFee == "35")
        for wrong in ["3", "-1", "carla"] {
            #expect(throws: Failure.self) {
                try ArbiterQuestion.chosen(wrong, among: choices, in: content)
            }
        }
    }
}
