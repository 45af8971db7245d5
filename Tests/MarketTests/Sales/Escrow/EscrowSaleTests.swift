import Keys
import Market
import Testing
import Texts

struct EscrowSaleTests {
    let ana = Samples.ana.address
    let bo = Samples.bo.address
    let start = Samples.chainNow

    @Test func `a complete sale credits every account exactly, to the wei`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        #expect(sale.status == .listed)

        try script.apply(.buy, by: bo, to: &sale, at: later(.days(1)))
        #expect(sale.status == .paid && sale.buyer == bo)
        #expect(sale.deadline == later(.days(4)))

        try script.apply(.transferItem, by: ana, to: &sale, at: later(.days(2)))
        try script.apply(.confirm, by: bo, to: &sale, at: later(.days(3)))

        #expect(sale.status == .complete && sale.deadline == nil)
        guard case .ended(let ending) = sale.phase else {
            Issue.record("not ended: \(sale.phase)")
            return
        }
        #expect(ending.creditsSeen == 4)
        #expect(ending.event.payout.seller.decimal == "1480000000000000000")
        #expect(ending.event.payout.buyer.decimal == "500000000000000000")
    }

    @Test func `a move at the deadline is one second late`() throws {
        var script = SaleScript(terms: try Samples.terms())
        let listed = try script.listed()
        var sale = listed
        try script.apply(.buy, by: bo, to: &sale, at: start)
        let paid = sale
        let deadline = later(.days(3))
        let before = ChainTime(seconds: deadline.seconds - 1)

        try script.apply(.transferItem, by: ana, to: &sale, at: before)
        expectFault(.wrongTime, .relist, ana, paid, deadline)
        expectFault(.wrongTime, .refund, SaleScript.stranger, paid, before)
        expectFault(.wrongTime, .buy, bo, listed, later(.days(30)))

        var refunded = paid
        try script.apply(.refund, by: SaleScript.stranger, to: &refunded, at: deadline)
        #expect(refunded.status == .refunded)
    }

    @Test func `only entitled accounts can move`() throws {
        var terms = try Samples.terms()
        terms.arbiter = SaleScript.arbiter
        var script = SaleScript(terms: terms)
        let listed = try script.listed()
        expectFault(.wrongAccount, .buy, ana, listed, start)
        expectFault(.wrongAccount, .buy, SaleScript.arbiter, listed, start)
        expectFault(.wrongTime, .abort, bo, listed, start)
        expectFault(.impossible(from: "listed"), .confirm, bo, listed, start)

        var sale = listed
        try script.apply(.buy, by: bo, to: &sale, at: start)
        expectFault(.impossible(from: "paid"), .abort, ana, sale, start)
        expectFault(.wrongAccount, .confirm, ana, sale, start)
        expectFault(.wrongAccount, .propose, SaleScript.stranger, sale, start)
        expectFault(.wrongAccount, .decline, bo, sale, start)
        expectFault(.wrongTime, .refund, ana, sale, start)

        try script.apply(.transferItem, by: ana, to: &sale, at: start)
        expectFault(.wrongAccount, .refund, bo, sale, start)
        try script.apply(.dispute, by: bo, to: &sale, at: start)
        expectFault(.impossible(from: "disputed"), .decline, ana, sale, start)
        expectFault(.wrongAccount, .take, ana, sale, start)
        expectFault(.wrongTime, .executeDefault, ana, sale, start)
        try script.apply(.take, by: SaleScript.arbiter, to: &sale, at: start)
        expectFault(.wrongAccount, .rule, ana, sale, start)
    }

    @Test func `a seller who cannot ship can decline, and nobody pays`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        try script.apply(.buy, by: bo, to: &sale, at: start)
        let end = later(.days(3))
        let last = ChainTime(seconds: end.seconds - 1)
        expectFault(.wrongTime, .decline, ana, sale, end)

        try script.apply(.decline, by: ana, to: &sale, at: last)

        guard case .ended(let ending) = sale.phase else {
            Issue.record("not ended: \(sale.phase)")
            return
        }
        #expect(sale.status == .declined && sale.outcome == nil)
        #expect(ending.event.payout.seller == sale.terms.sellerDeposit)
        #expect(ending.event.payout.buyer == sale.terms.buyerSends)
        #expect(ending.event.tokenTo == ana && ending.creditsSeen == 2)
        #expect(sale.parties == [ana, bo] && sale.lastMover == ana)
    }

    @Test func `anyone can end an expired offer`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        let end = later(.days(30))
        #expect(sale.actions(for: SaleScript.stranger, at: end).moves.map(\.move) == [.abort])
        expectFault(.wrongTime, .abort, bo, sale, ChainTime(seconds: end.seconds - 1))

        try script.apply(.abort, by: bo, to: &sale, at: end)
        #expect(sale.status == .aborted && sale.lastMover == bo)
    }

    @Test func `only an arbiter who took the case rules and gets the fee`() throws {
        var terms = try Samples.terms(price: "10000")
        terms.arbiter = SaleScript.arbiter
        terms.arbiterFee = Amount(small: 400)
        var script = SaleScript(terms: terms)
        var sale = try script.listed()
        try script.apply(.buy, by: bo, to: &sale, at: start)
        try script.apply(.transferItem, by: ana, to: &sale, at: start)
        expectFault(.impossible(from: "transferred"), .take, SaleScript.arbiter, sale, start)
        try script.apply(.dispute, by: bo, to: &sale, at: start)
        #expect(sale.parties == [ana, bo])
        #expect(sale.concerned == [ana, bo, SaleScript.arbiter])
        #expect(sale.payout(by: .confirm).arbiter == .zero)
        expectFault(.impossible(from: "disputed"), .rule, SaleScript.arbiter, sale, start)
        expectFault(.wrongTime, .take, SaleScript.arbiter, sale, later(.days(14)))

        try script.apply(.propose, by: ana, to: &sale, at: start)
        try script.apply(.propose, by: bo, to: &sale, at: start)
        try script.apply(.take, by: SaleScript.arbiter, to: &sale, at: later(.days(1)))

        #expect(sale.isTaken && sale.deadline == later(.days(14)))
        #expect(sale.parties == [ana, bo, SaleScript.arbiter])
        #expect(sale.lastMover == SaleScript.arbiter)
        #expect(sale.proposals(at: start).isEmpty)
        let end = later(.days(2))
        expectFault(.impossible(from: "disputed"), .take, SaleScript.arbiter, sale, end)
        #expect(sale.payout(by: .confirm).buyer == Amount(small: 9_600))
        #expect(sale.payout(by: .refund).seller == Amount(small: 19_400))
        #expect(sale.payout(by: .executeDefault).arbiter == .zero)

        var conceded = sale
        try script.apply(.confirm, by: bo, to: &conceded, at: end)
        #expect(conceded.isTaken && conceded.parties.contains(SaleScript.arbiter))
        #expect(conceded.payouts?.contains { $0.role == "arbiter" } == true)
        try script.apply(.rule, by: SaleScript.arbiter, to: &sale, at: end)
        #expect(sale.status == .settled)
    }

    @Test func `a proposal is open to the other party in its state, until it expires`() throws {
        let half = try #require(SellerShare(basisPoints: 5_000))
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        try script.apply(.buy, by: bo, to: &sale, at: start)
        try script.apply(.propose, by: ana, share: half, to: &sale, at: start)
        let proposal = try #require(sale.proposal(by: ana))
        let end = proposal.until
        #expect(sale.proposals(at: start) == [proposal])

        expectFault(.impossible(from: "paid"), .agree(proposal), ana, sale, start)
        expectFault(.wrongAccount, .agree(proposal), SaleScript.stranger, sale, start)
        expectFault(.wrongTime, .agree(proposal), bo, sale, end)
        #expect(sale.proposals(at: end).isEmpty)

        var transferred = sale
        try script.apply(.transferItem, by: ana, to: &transferred, at: start)
        #expect(transferred.proposals(at: start).isEmpty)
        expectFault(.impossible(from: "transferred"), .agree(proposal), bo, transferred, start)

        try script.apply(.agree(proposal), by: bo, to: &sale, at: start)
        #expect(sale.status == .settled)
    }

    @Test func `each party can make, replace and withdraw one proposal`() throws {
        let third = try #require(SellerShare(basisPoints: 3_333))
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        try script.apply(.buy, by: bo, to: &sale, at: start)
        expectFault(.impossible(from: "paid"), .withdrawProposal, ana, sale, start)
        try script.apply(.propose, by: ana, share: .all, to: &sale, at: start)
        try script.apply(.propose, by: bo, share: .none, to: &sale, at: start)
        #expect(sale.proposals(at: start).map(\.by) == [ana, bo])
        // A proposal changes nothing that the other party could do before.
        #expect(sale.lastMover == bo)
        try script.apply(.propose, by: ana, share: .all, to: &sale, at: start)
        #expect(sale.lastMover == bo)

        let first = try #require(sale.proposal(by: bo))
        try script.apply(.propose, by: bo, share: third, to: &sale, at: start)
        #expect(sale.proposals(at: start).map(\.share) == [.all, third])
        expectFault(.impossible(from: "paid"), .agree(first), ana, sale, start)

        expectFault(.wrongAccount, .withdrawProposal, SaleScript.stranger, sale, start)
        try script.apply(.withdrawProposal, by: bo, to: &sale, at: start)
        #expect(sale.proposals(at: start).map(\.by) == [ana])
        expectFault(.impossible(from: "paid"), .withdrawProposal, bo, sale, start)
        let moves = sale.actions(for: bo, at: start).moves.map(\.move)
        let sellers = try #require(sale.proposal(by: ana))
        #expect(moves == [.agree(sellers), .propose, .confirm])
    }

    @Test func `a proposal is open for at most 60 days`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        try script.apply(.buy, by: bo, to: &sale, at: start)
        let longest = later(EscrowLimits.proposalMax)
        for until in [start, ChainTime(seconds: longest.seconds + 1)] {
            let change = EscrowEvent.Change.proposed(
                SettlementProposal(by: bo, share: .none, until: until)
            )
            let event = script.event(change, at: start)
            #expect(throws: SaleFault.wrongTime) { try sale.apply(event) }
        }
        let proposal = SettlementProposal(by: bo, share: .none, until: longest)
        try sale.apply(script.event(.proposed(proposal), at: start))
        #expect(sale.proposals(at: start) == [proposal])
    }

    /// - From endpoints: an event that the contract cannot have written → refused, nothing changes
    @Test func `refuses a false event of a sale without any change`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        try script.apply(.buy, by: bo, to: &sale, at: start)
        let before = sale

        let other = SaleScript(terms: try Samples.terms(), salt: Bytes32(repeating: 1))
        let position = script.event(.listed(script.listing), at: start).position
        let confirmed = script.change(.confirm, by: bo, share: .all, in: sale, at: start)
        guard case .ended(let ended) = confirmed else { return }
        let richer = EscrowEvent.Ended(
            seller: ended.seller,
            buyer: ended.buyer,
            status: ended.status,
            exit: ended.exit,
            by: ended.by,
            share: ended.share,
            tokenTo: ended.tokenTo,
            maker: ended.maker,
            payout: EscrowPayout(seller: ended.payout.seller, buyer: .zero)
        )
        let lies: [(SaleFault, SaleID, EscrowEvent.Change)] = [
            (.otherSale, other.id, confirmed),
            (.listedTwice, sale.reference.id, .listed(script.listing)),
            (.wrongPayout, sale.reference.id, .ended(richer)),
            (.impossible(from: "paid"), sale.reference.id, .taken(arbiter: SaleScript.arbiter)),
            (
                .wrongDeadline, sale.reference.id,
                .itemTransferred(seller: ana, buyer: bo, deadline: start)
            ),
            (
                .impossible(from: "paid"), sale.reference.id,
                .credited(.init(currency: .native, account: ana, amount: Amount(small: 1)))
            ),
        ]
        for (fault, id, change) in lies {
            let event = EscrowEvent(sale: id, position: position, change: change)
            #expect(throws: fault) { try sale.apply(event) }
            #expect(sale == before)
        }
        let early = EscrowEvent(
            sale: sale.reference.id,
            position: before.listedAt,
            change: confirmed
        )
        #expect(throws: SaleFault.outOfOrder) { try sale.apply(early) }
    }

    @Test func `refuses a listing whose id is not its hash`() throws {
        var script = SaleScript(terms: try Samples.terms())
        let other = SaleScript(terms: try Samples.terms(), salt: Bytes32(repeating: 1))
        let position = script.event(.listed(script.listing), at: start).position
        let event = EscrowEvent(
            sale: other.id,
            position: position,
            change: .listed(script.listing)
        )
        let fees = try #require(SaleScript.fees)
        #expect(throws: SaleFault.wrongID) {
            try EscrowSale(listing: event, contract: SaleScript.contract, fees: fees)
        }
    }

    @Test func `refuses a listing whose token has an impossible maker`() throws {
        let fees = try #require(SaleScript.fees)
        for (maker, isMinted) in [(bo, true), (.zero, true), (.zero, false)] {
            var script = SaleScript(terms: try Samples.terms(), maker: maker, isMinted: isMinted)
            let event = script.event(.listed(script.listing), at: start)
            #expect(throws: SaleFault.wrongAccount) {
                try EscrowSale(listing: event, contract: SaleScript.contract, fees: fees)
            }
        }
    }

    @Test func `pays a resale's royalty to the maker that the offer names`() throws {
        let maker = SaleScript.stranger
        var script = SaleScript(terms: try Samples.terms(), maker: maker, isMinted: false)
        var sale = try script.listed()
        try script.apply(.buy, by: bo, to: &sale, at: start)
        let minted = SaleScript(terms: try Samples.terms())
        #expect(minted.id != script.id)
        let confirmed = script.change(.confirm, by: bo, share: .all, in: sale, at: start)
        guard case .ended(let ended) = confirmed else { return }
        let lie = EscrowEvent.Ended(
            seller: ended.seller,
            buyer: ended.buyer,
            status: ended.status,
            exit: ended.exit,
            by: ended.by,
            share: ended.share,
            tokenTo: ended.tokenTo,
            maker: ana,
            payout: ended.payout
        )
        let event = script.event(.ended(lie), at: start)
        #expect(throws: SaleFault.wrongAccount) { try sale.apply(event) }
        try script.apply(.confirm, by: bo, to: &sale, at: start)
        #expect(sale.payouts?.contains { $0.role == "maker" && $0.account == maker } == true)
    }

    @Test func `states the cost of buying and the seller's deadline`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        let outlook = sale.actions(for: bo, at: start)
        #expect(outlook.moves.map(\.move) == [.buy] && outlook.moves[0].before == later(.days(30)))
        #expect(
            outlook.moves[0].consequence.detail.hasPrefix("You send 1 ETH: the price of 0.5 ETH")
        )
        #expect(outlook.next == EscrowDeadline(at: later(.days(30)), effect: .offerEnds))
        #expect(sale.actions(for: ana, at: start).moves.map(\.move) == [.abort])

        try script.apply(.buy, by: bo, to: &sale, at: start)
        let seller = sale.actions(for: ana, at: start)
        #expect(seller.moves.map(\.move) == [.transferItem, .decline, .relist, .propose])
        #expect(seller.next == EscrowDeadline(at: later(.days(3)), effect: .refundOpens))
        let late = sale.actions(for: SaleScript.stranger, at: later(.days(3)))
        #expect(late.moves.map(\.move) == [.refund] && late.next == nil)
    }

    @Test func `shows a buyer the arbiter of a dispute and the possible cost`() throws {
        var terms = try Samples.terms()
        var script = SaleScript(terms: terms)
        let plain = try #require(try script.listed().actions(for: bo, at: start).moves.first)
        #expect(plain.consequence.detail.contains("There is no arbiter for a dispute."))
        #expect(plain.consequence.detail.contains("21 days to confirm or dispute"))

        terms.arbiter = SaleScript.arbiter
        terms.arbiterFee = Amount(small: 7)
        var ruled = SaleScript(terms: terms)
        let named = try #require(try ruled.listed().actions(for: bo, at: start).moves.first)
        #expect(
            named.consequence.detail.contains(
                "\(SaleScript.arbiter), named by the seller, can take"
            )
        )
        #expect(named.consequence.detail.contains("for a fee of 0.000000000000000007 ETH"))
    }

    func later(_ duration: Duration) -> ChainTime { start.advanced(by: duration) }

    func expectFault(
        _ fault: SaleFault,
        _ move: EscrowMove,
        _ account: Address,
        _ sale: EscrowSale,
        _ time: ChainTime,
        location: SourceLocation = #_sourceLocation
    ) {
        var script = SaleScript(terms: sale.terms)
        // After all events that have been applied.
        for _ in 0..<40 { _ = script.event(.listed(script.listing), at: time) }
        #expect(throws: fault, sourceLocation: location) {
            var sale = sale
            try script.apply(move, by: account, to: &sale, at: time)
        }
    }
}
