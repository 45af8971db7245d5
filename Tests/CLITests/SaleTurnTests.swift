import Client
import Foundation
import Testing

@testable import CLI

/// Whose turn a sale says it is.
struct SaleTurnTests {
    @Test(
        arguments: [
            ("listed", false, "nobody's: anyone can buy it"),
            ("paid", false, "yours, to send it"),
            ("paid", true, "nobody's: anyone can give the buyer's money back"),
            ("transferred", false, "of the buyer, 0x2, to confirm or dispute"),
            ("transferred", true, "nobody's: anyone can complete it"),
            ("disputed", false, "yours and the other side's, to agree how the price is split"),
        ]
    )
    func `a sale begins with whose turn it is`(phase: String, isLate: Bool, words: String) {
        let text = SaleText.full(
            NextStepTests.sale(phase, ["transfer"], isLate: isLate),
            nil,
            Names([], own: NextStepTests.seller)
        )
        #expect(text.hasPrefix("turn       " + words), "\(text)")
        let second = text.split(separator: "\n")[1]
        #expect(second.hasPrefix(isLate ? "next       Send it" : "until      2027-01-15 08:00:00Z"))
    }

    @Test func `a taken dispute is the arbiter's turn and an ended sale nobody's`() {
        var sale = NextStepTests.sale("disputed")
        var terms = EscrowTerms()
        terms.arbiter = "0x9"
        sale.escrow = Sale.Escrow(terms: terms, isTaken: true)
        #expect(SaleTurn.line(sale, .none).hasPrefix("turn       of the arbiter, 0x9, to rule"))
        let over = NextStepTests.sale("complete", stage: "over", isLate: true)
        #expect(SaleTurn.line(over, .none) == "turn       nobody's: it is over")
        let left = SaleText.full(over, nil, Names([], own: NextStepTests.seller))
        #expect(left.hasPrefix("turn       it is over; left to you:\nnext       Review it: "))
    }

    @Test func `a round is its teacher's turn, and its students' once it ends`() {
        func line(
            _ phase: String,
            starts: UInt64,
            ends: UInt64,
            enrolled: UInt64 = 1
        ) -> String {
            var sale = NextStepTests.sale(phase)
            let terms = CourseTerms(seats: 2, startsAt: starts, endsAt: ends)
            let round = Sale.Round(
                number: 0,
                phase: phase,
                price: sale.price,
                terms: terms,
                enrolled: enrolled,
                raters: 0
            )
            sale.course = Sale.Course(rounds: [round])
            return String(SaleTurn.line(sale, .none).dropFirst("turn       ".count))
        }
        let now: UInt64 = 1_800_000_000 - 60
        #expect(line("open", starts: now + 9, ends: now + 99) == "nobody's: anyone can enrol")
        let full = line("open", starts: now + 9, ends: now + 99, enrolled: 2)
        #expect(full == "nobody's: all seats are taken, and it has not started")
        #expect(line("open", starts: now, ends: now + 99) == "of the teacher, 0x1, to begin it")
        #expect(line("begun", starts: now - 9, ends: now + 9) == "of the teacher, 0x1, to teach it")
        #expect(line("begun", starts: now - 9, ends: now) == "of the students, to rate it")
    }
}
