import Client
import Foundation
import Testing

@testable import CLI

/// Whose turn a sale says it is.
struct SaleTurnTests {
    @Test func `a sale begins with whose turn it is, until when, and what is next`() {
        var sale = NextStepTests.sale("paid", ["transfer"], steps: ["send"])
        sale.turn = Sentence("turn.yours", ["task": "turn.toSend"])
        let text = SaleText.full(sale, nil, Names([], own: NextStepTests.seller))
        let lines = text.split(separator: "\n")
        #expect(lines[0] == "turn       yours, to send it")
        #expect(lines[1].hasPrefix("until      2027-01-15 08:00:00Z (00:01:00 left): "))
        #expect(lines[2].hasPrefix("next       Send it, then say so"))
    }

    @Test func `the account whose turn it is stands there by its name`() {
        var sale = NextStepTests.sale("transferred")
        sale.turn = Sentence(
            "turn.of",
            ["role": "role.buyer", "account": "0x2", "task": "turn.toConfirm"]
        )
        #expect(SaleText.turn(sale, .none) == "turn       of the buyer, 0x2, to confirm or dispute")
        var names = Names.none
        names.add(profile: "Bo", of: "0x2")
        #expect(SaleText.turn(sale, names).hasPrefix("turn       of the buyer, Bo (0x2), to"))
    }

    @Test func `an ended sale shows the steps that are left below its turn`() {
        var sale = NextStepTests.sale("complete", stage: "over", isLate: true, steps: ["review"])
        sale.turn = Sentence("turn.left")
        let text = SaleText.full(sale, nil, Names([], own: NextStepTests.seller))
        #expect(text.hasPrefix("turn       it is over; left to you:\nnext       Review it: "))
    }
}
