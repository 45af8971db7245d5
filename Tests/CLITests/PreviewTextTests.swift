import Client
import Foundation
import Testing

@testable import CLI

/// What a person reads before and after something is signed.
struct PreviewTextTests {
    private static let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    private static let money = Money(amount: "20000000000000000", currency: "native")

    @Test func `a move says which sale it is, and with whom`() {
        let party = ActionPreview.Party(role: "buyer", account: Self.address)
        var preview = ActionPreview(
            action: "confirm",
            sale: ActionPreview.PreviewedSale(
                id: "0x0123456789" + String(repeating: "0", count: 54),
                title: "Red\nbicycle",
                others: [party]
            ),
            summary: "The sale ends."
        )
        let names = Names([AccountName(account: Self.address, name: "bo", isHere: false)])
        let lines = PreviewText.text(preview, names).split(separator: "\n")
        #expect(
            lines == [
                "The sale ends.", "  about   'Red bicycle', sale 01234567",
                "  buyer   bo (0x5aAe…eAed)",
            ]
        )
        preview.sale?.title = nil
        let text = PreviewText.text(preview)
        #expect(text.contains("a listing that is not here, sale 01234567"))
        #expect(text.contains("buyer   " + Self.address))
    }

    @Test func `an arbiter is shown by the whole address, and named by this node alone`() {
        let preview = ActionPreview(
            action: "list",
            summary: "You offer it.",
            arbiter: ActionPreview.Arbiter(account: Self.address, fee: Self.money)
        )
        for (isHere, name) in [(true, " (eve)"), (false, "")] {
            let names = Names([AccountName(account: Self.address, name: "eve", isHere: isHere)])
            let line = "  arbiter \(Self.address)\(name), for 0.02 ETH a ruling"
            #expect(PreviewText.text(preview, names).hasSuffix(line))
        }
    }

    @Test func `a settlement ends with what has become of the sale`() {
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        var sale = Sale(
            id: "0x0f",
            kind: "escrow",
            chain: 1,
            contract: "0x1",
            listing: nil,
            phase: "paid",
            stage: "running",
            seller: "0x2",
            buyer: "0x3",
            item: "1",
            price: Self.money,
            payouts: nil,
            actions: [],
            deadline: nil,
            confirmations: 3,
            confirmationsNeeded: 3
        )
        #expect(SettlementOutcome.description(of: sale, before: nil) == nil)
        let old = Sale.Proposal(by: "0x2", role: "seller", share: 5_000, until: time)
        sale.escrow = Sale.Escrow(terms: EscrowTerms(), proposal: old)
        #expect(SettlementOutcome.description(of: sale, before: old) == nil)
        sale.escrow?.proposal = Sale.Proposal(by: "0x3", role: "buyer", share: 4_000, until: time)
        let stands = SettlementOutcome.description(of: sale, before: old)
        #expect(stands?.contains("has not ended: the buyer proposes that the seller gets") == true)
        #expect(stands?.contains("40 %; the seller can accept it until") == true)
        sale.stage = "over"
        #expect(SettlementOutcome.description(of: sale, before: old) == " The sale has ended.")
    }
}
