import Client
import Foundation
import Testing

@testable import CLI

/// What a person reads before and after something is signed.
struct PreviewTextTests {
    private static let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    private static let money = Money(amount: "20000000000000000", currency: "native")

    @Test func `a preview of a move names the sale and the other party`() {
        let party = ActionPreview.Party(role: "buyer", account: Self.address)
        var preview = ActionPreview(
            action: "confirm",
            sale: ActionPreview.PreviewedSale(
                id: "0x0123456789" + String(repeating: "0", count: 54),
                title: "Red\nbicycle",
                others: [party]
            ),
            summary: [Sentence("escrow.dispute")]
        )
        let names = Names([AccountName(account: Self.address, name: "bo", isHere: false)])
        let lines = PreviewText.text(preview, names).split(separator: "\n")
        #expect(
            lines == [
                "You reject the item that was handed over.",
                "  about   'Red bicycle', sale 01234567",
                "  buyer   bo (0x5aAe…eAed)",
            ]
        )
        preview.sale?.title = nil
        let text = PreviewText.text(preview)
        #expect(text.contains("a listing that is not here, sale 01234567"))
        #expect(text.contains("buyer   " + Self.address))
    }

    @Test func `sentences of a preview name accounts that have a name`() {
        let other = "0x" + String(repeating: "b", count: 40)
        var preview = ActionPreview(
            action: "buy",
            summary: [Sentence("preview.buy", ["title": other, "seller": Self.address])],
            warnings: [Sentence("preview.reserved", ["account": other])]
        )
        #expect(Set(PreviewText.accounts(in: preview)) == [Self.address, other])
        let names = Names([AccountName(account: Self.address, name: "bo", isHere: false)])
        let lines = PreviewText.text(preview, names).split(separator: "\n")
        #expect(
            lines == [
                "You buy '\(other)' from bo (0x5aAe…eAed).",
                "  warning Only \(other) can buy it.",
            ]
        )
        // Money goes to a whole address, which the preview shows.
        preview.receiver = ActionPreview.Receiver(account: Self.address)
        #expect(PreviewText.accounts(in: preview) == [other])
    }

    @Test func `names an account by its own profile if nobody named it`() {
        let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
        var names = Names([])
        #expect(names.text(address) == address)
        names.profiles[address] = "ana"
        #expect(names.text(address) == "ana (0x5aAe…eAed)")
        var known = AccountName(account: address, name: "bo", isHere: false)
        #expect(Names([known]).text(address) == "bo (0x5aAe…eAed)")
        // Without its address only if the reader, or nobody else here, can have the name.
        #expect(Names([known]).short(address) == "bo (0x5aAe…eAed)")
        known.isNamedByCaller = true
        #expect(Names([known]).short(address) == "bo")
        var misled = Names([])
        misled.add(profile: "ana (0x1fD1…cE82)", of: address)
        #expect(misled.text(address) == address)
    }

    @Test func `a preview shows the price of gas and what the account has`() {
        var preview = ActionPreview(action: "send", summary: [Sentence("escrow.dispute")])
        preview.leaves = [.init(purpose: "fee", amount: "31500000147000", currency: "native")]
        (preview.gas, preview.gasPrice) = (21_000, "1500000007")
        preview.balances = [Self.money]
        let lines = PreviewText.text(preview).split(separator: "\n")
        #expect(lines[1].hasSuffix(" ETH at most, for 21000 gas at 1.500000007 gwei each"))
        #expect(lines[2] == "  have    0.02 ETH")
        for (price, text) in [("0", "0"), ("7", "0.000000007"), ("20000000000", "20")] {
            #expect(MoneyText.gwei(price) == text + " gwei")
        }
    }

    @Test func `states the time from which a refund needs no other party`() {
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        let preview = ActionPreview(
            action: "buy",
            summary: [],
            comesBack: [
                ActionPreview.Incoming(
                    amount: Self.money.amount,
                    currency: "native",
                    when: Sentence("back.onceMined")
                ),
                ActionPreview.Incoming(
                    amount: Self.money.amount,
                    currency: "native",
                    when: Sentence("escrow.insteadDeclined"),
                    from: time
                ),
            ]
        )
        let lines = PreviewText.text(preview).split(separator: "\n")
        #expect(lines[0] == "  back    0.02 ETH once it is mined")
        let end = "; from \(TimeText.text(time)) on you need nobody else for it"
        let words = Sentence("escrow.insteadDeclined").detail
        #expect(lines[1] == "  back    0.02 ETH \(words)" + end)
    }

    @Test func `shows an arbiter's full address, and only names from this node`() {
        let preview = ActionPreview(
            action: "list",
            summary: [],
            arbiter: ActionPreview.Arbiter(account: Self.address, fee: Self.money)
        )
        for (isHere, name) in [(true, " (eve)"), (false, "")] {
            let names = Names([AccountName(account: Self.address, name: "eve", isHere: isHere)])
            let line = "  arbiter \(Self.address)\(name), for 0.02 ETH a dispute"
            #expect(PreviewText.text(preview, names).hasSuffix(line))
        }
    }

    @Test func `shows who can agree to which share, and any agreement`() {
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        let proposals = [("seller", UInt64(5_000)), ("buyer", 4_000)].map { role, share in
            Sale.Proposal(by: Self.address, role: role, share: share, until: time)
        }
        let escrow = Sale.Escrow(terms: EscrowTerms(), isTaken: true, proposals: proposals)
        let lines = EscrowText.proposals(in: escrow)
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("taken") && lines[0].contains("unless the default"))
        #expect(lines[1].contains("the seller gets 50 % of the price; the buyer can agree until"))
        #expect(lines[2].contains("the seller gets 40 % of the price; the seller can agree until"))
        #expect(EscrowText.proposals(in: Sale.Escrow(terms: EscrowTerms())).isEmpty)
    }

    @Test func `mentions the arbiter's penalty and times only if there is an arbiter`() {
        var terms = EscrowTerms()
        (terms.latePenalty, terms.rulingSeconds) = ("20000000000000000", 1_209_600)
        let without = EscrowText.lines(terms, "native", .none).joined(separator: "\n")
        #expect(
            without.contains(
                "if nothing is sent in time, or if the seller pays the buyer back after a dispute\n"
            )
        )
        #expect(without.contains("14 days to settle a dispute\n") || without.hasSuffix("dispute"))
        #expect(!without.contains("rul"))
        (terms.arbiter, terms.arbiterFee) = (Self.address, "10000000000000000")
        let with = EscrowText.lines(terms, "native", .none).joined(separator: "\n")
        #expect(with.contains("0.01 ETH for a dispute once taken"))
        #expect(with.contains("after a dispute; a part of it if a ruling divides the price"))
        #expect(with.contains("14 days to settle a dispute or have it ruled"))
    }
}
