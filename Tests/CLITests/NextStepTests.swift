import ArgumentParser
import Client
import Foundation
import Testing

@testable import CLI

/// Which steps a person is told.
struct NextStepTests {
    static let seller = "0x1"
    private static let buyer = "0x2"

    private static func action(_ move: String, share: UInt64? = nil) -> SaleAction {
        SaleAction(move: move, share: share, until: nil, consequence: [Sentence("escrow.dispute")])
    }

    static func sale(
        _ phase: String,
        _ moves: [String] = [],
        stage: String = "running",
        isLate: Bool = false,
        payouts: [Sale.Payout]? = nil,
        own: String? = nil,
        steps: [String] = []
    ) -> Sale {
        let end = Date(timeIntervalSince1970: 1_800_000_000)
        return Sale(
            id: "0x5a1e5a1e5a1e",
            kind: "escrow",
            chain: 1,
            contract: "0xe5",
            listing: "0x1.7777777777",
            phase: phase,
            stage: stage,
            seller: seller,
            buyer: buyer,
            item: "1",
            price: Money(amount: "400000000000000000", currency: "native"),
            payouts: payouts,
            actions: moves.map { action($0, share: $0 == "agree" ? 4_000 : nil) },
            deadline: isLate
                ? nil : Sale.Deadline(at: end, consequence: [Sentence("escrow.dispute")]),
            confirmations: 3,
            confirmationsNeeded: 3,
            asOf: end.addingTimeInterval(-60),
            own: own,
            nextSteps: steps.map { code in
                Sale.NextStep(words: Sentence("next.\(code)"), until: isLate ? nil : end)
            }
        )
    }

    static func listing(_ delivery: String, type: String = "goods") -> Listing {
        let time = Date(timeIntervalSince1970: 0)
        return Listing(
            id: "0x1.7",
            record: "0x4e",
            author: seller,
            content: ListingContent(
                type: type,
                title: "Lamp",
                price: Money(amount: "4", currency: "native"),
                delivery: delivery
            ),
            anchor: nil,
            isAsPromised: true,
            salePhase: nil,
            createdAt: time,
            firstSeenAt: time
        )
    }

    @Test func `each step is a command that the program takes`() throws {
        for kind in NextStep.Kind.allCases {
            let detail =
                switch kind {
                case .agree: " --share 40%"
                case .raise: " '0.5 ETH'"
                case .leaveRound: " --round 0"
                case .evaluate:
                    " --preparation 1 --content 1 --delivery 1 --communication 1 --overall 1"
                default: ""
                }
            let command = NextStep(kind, "7f3a2b", detail).command
            let typed = command.replacing("<per cent>", with: "5%")
                .replacing(/<[^>]*>/, with: "5")
            let words = ShellWords.split(String(typed.dropFirst("stoa ".count)))
            #expect(command.hasPrefix("stoa ") && command.last != " ")
            #expect(NextStep(kind).words != "\(kind)")
            if !words.contains("--help") {
                #expect(throws: Never.self, "\(command)") { try Stoa.parseAsRoot(words) }
            }
        }
        let fund = "stoa cluster fund ana --folder <the cluster's folder>"
        #expect(NextStep(.fund, "ana").command == fund)
        #expect(NextStep(.confirm, "red bicycle").command == "stoa sale confirm 'red bicycle'")
        #expect(
            NextStep.lines([NextStep(.watch, "7f3a"), NextStep(.collect)]) == [
                "next  Follow it: stoa sale watch 7f3a",
                "      Collect what it credited to you: stoa wallet collect",
            ]
        )
    }

    @Test func `reads the steps of the node as its own commands`() {
        var sale = Self.sale("disputed")
        let bid = Money(amount: "420000000000000000", currency: "native")
        for (code, change, command) in [
            ("confirm", { _ in }, "stoa sale confirm 5a1e5a1e"),
            ("agree", { $0.share = 4_000 }, "stoa sale agree 5a1e5a1e --share 40%"),
            ("raise", { $0.bid = bid }, "stoa sale bid 77777777 '0.42 ETH'"),
            ("leaveRound", { $0.round = 2 }, "stoa course refund 5a1e5a1e --round 2"),
            ("sending", { $0.operation = "0x5d21ee07aa" }, "stoa operation wait 5d21ee07"),
            ("collect", { _ in }, "stoa wallet collect"),
            ("review", { _ in }, "stoa review write 5a1e5a1e --stars <1 to 5>"),
        ] as [(String, (inout Sale.NextStep) -> Void, String)] {
            var step = Sale.NextStep(words: Sentence("next.\(code)"))
            change(&step)
            sale.nextSteps = [step]
            #expect(NextStep.of(sale).map(\.command) == [command])
        }
    }

    @Test func `leaves out a step that it does not know`() {
        var sale = Self.sale("paid")
        sale.nextSteps = ["later", "send"].map { Sale.NextStep(words: Sentence("next.\($0)")) }
        #expect(NextStep.of(sale).map(\.command) == ["stoa sale transfer 5a1e5a1e"])
    }
}
