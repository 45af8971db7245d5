import BigInt
import Keys
import Market
import Testing

/// Visits every reachable state of a sale, at times before, on and after each deadline.
struct EscrowExplorerTests {
    private let ana = Samples.ana.address
    private let bo = Samples.bo.address

    /// A state, with the path to it.
    private struct Visit {
        var script: SaleScript
        var sale: EscrowSale
        var time: ChainTime
    }

    @Test(arguments: [true, false])
    func `from every state one honest party and time end the sale`(hasArbiter: Bool) throws {
        let visits = try everyVisit(hasArbiter: hasArbiter)
        #expect(Set(visits.map(\.sale.status)) == Set(EscrowStatus.allCases))
        var endings: Set<EscrowExit> = []
        for visit in visits {
            if case .ended(let ending) = visit.sale.phase {
                endings.insert(ending.event.exit)
                continue
            }
            try expectExit(of: visit, by: ana, floor: sellerFloor(visit.sale))
            if let buyer = visit.sale.deal?.buyer {
                try expectExit(of: visit, by: buyer, floor: buyerFloor(visit.sale))
            }
        }
        let all = Set(EscrowExit.allCases).subtracting(hasArbiter ? [] : [.rule])
        #expect(endings == all)
    }

    @Test(arguments: [true, false])
    func `every move that is open is accepted, and no other`(hasArbiter: Bool) throws {
        for visit in try everyVisit(hasArbiter: hasArbiter) {
            for account in accounts {
                let open = visit.sale.actions(for: account, at: visit.time).moves
                let proposal = visit.sale.deal?.proposal
                for move in EscrowMove.every(proposal) {
                    var (script, sale) = (visit.script, visit.sale)
                    let isAccepted: Bool
                    do {
                        try script.apply(move, by: account, to: &sale, at: visit.time)
                        isAccepted = true
                    } catch {
                        isAccepted = false
                    }
                    let isOpen = open.contains { $0.move == move }
                    #expect(isAccepted == isOpen, "\(move) by \(account) in \(visit.sale.phase)")
                }
                for move in open { #expect(!move.consequence.isEmpty) }
            }
        }
    }

    private var accounts: [Address] { [ana, bo, SaleScript.arbiter, SaleScript.stranger] }

    /// Ends the sale by moves of `account` alone: its best move now, or by waiting.
    private func expectExit(of visit: Visit, by account: Address, floor: Amount) throws {
        let (script, sale) = (visit.script, visit.sale)
        var time = visit.time
        var best: Amount?
        for _ in 0..<3 {
            for open in sale.actions(for: account, at: time).moves where open.move.exit != nil {
                guard open.move != .rule else { continue }
                var (script, sale) = (script, sale)
                try script.apply(open.move, by: account, to: &sale, at: time)
                guard case .ended(let ending) = sale.phase else { continue }
                let parts = sale.credits(of: ending.event.payout, maker: ending.event.maker)
                let own = parts.filter { $0.account == account }.map(\.amount.units).reduce(0, +)
                best = max(best ?? .zero, try #require(Amount(own)))
            }
            guard let next = sale.nextDeadline(after: time) else { break }
            time = next.at
        }
        let found = try #require(best, "\(account) is stuck in \(visit.sale.phase)")
        #expect(found >= floor, "\(account) gets \(found) from \(visit.sale.phase)")
    }

    /// Returns the least that an honest seller gets.
    ///
    /// That is the price if the seller handed over and the buyer is silent, otherwise all but the
    /// penalty.
    private func sellerFloor(_ sale: EscrowSale) -> Amount {
        switch sale.status {
        case .listed: sale.payout(by: .abort).seller
        case .transferred: sale.payout(by: .claim).seller
        default: sale.payout(by: .refund).seller
        }
    }

    /// Returns the least that an honest buyer gets.
    ///
    /// That is everything back if the seller is silent, otherwise the result of confirming.
    private func buyerFloor(_ sale: EscrowSale) -> Amount {
        sale.payout(by: sale.status == .paid ? .refund : .confirm).buyer
    }

    private func everyVisit(hasArbiter: Bool) throws -> [Visit] {
        var terms = try Samples.terms(price: "1001")
        if hasArbiter {
            terms.arbiter = SaleScript.arbiter
            terms.arbiterFee = Amount(small: 50)
        }
        var script = SaleScript(terms: terms)
        let first = Visit(script: script, sale: try script.listed(), time: Samples.chainNow)
        _ = script.event(.listed(script.listing), at: Samples.chainNow)
        var seen: Set<Key> = []
        var queue = [Visit(script: script, sale: first.sale, time: first.time)]
        var visits: [Visit] = []
        while let visit = queue.popLast() {
            guard seen.insert(Key(visit)).inserted else { continue }
            visits.append(visit)
            queue += try followers(of: visit)
        }
        return visits
    }

    private func followers(of visit: Visit) throws -> [Visit] {
        var followers: [Visit] = []
        let times = Self.times(of: visit)
        for time in times {
            followers.append(Visit(script: visit.script, sale: visit.sale, time: time))
        }
        for account in accounts {
            for open in visit.sale.actions(for: account, at: visit.time).moves {
                for share in [SellerShare.none, EscrowLimits.defaultShare, .all] {
                    var next = visit
                    try next.script.apply(
                        open.move,
                        by: account,
                        share: share,
                        to: &next.sale,
                        at: visit.time
                    )
                    followers.append(next)
                    guard open.move == .rule || open.move == .proposeSettlement else { break }
                }
            }
        }
        return followers
    }

    /// Returns the times just before and on the next deadlines, the proposal's included.
    private static func times(of visit: Visit) -> [ChainTime] {
        guard visit.sale.status.stage != .over else { return [] }
        let ends = [visit.sale.deadline, visit.sale.proposal(at: visit.time)?.settleBy]
        return ends.compactMap(\.self).flatMap { end in
            [ChainTime(seconds: end.seconds - 1), end].filter { $0 > visit.time }
        }
    }

    /// What distinguishes two visits: the possible moves, not the times.
    private struct Key: Hashable {
        let status: EscrowStatus
        let buyer: Address?
        let isLate: Bool
        let isLastSecond: Bool
        let proposal: SellerShare?
        let by: Address?
        let isProposalOver: Bool
        let exit: EscrowExit?
        let payout: EscrowPayout?

        init(_ visit: Visit) {
            let sale = visit.sale
            status = sale.status
            buyer = sale.buyer
            isLate = sale.deadline.map { visit.time >= $0 } ?? false
            isLastSecond = sale.deadline.map { visit.time.seconds + 1 == $0.seconds } ?? false
            proposal = sale.deal?.proposal?.share
            by = sale.deal?.proposal?.by
            isProposalOver = sale.deal?.proposal.map { visit.time >= $0.settleBy } ?? false
            if case .ended(let ending) = sale.phase {
                (exit, payout) = (ending.event.exit, ending.event.payout)
            } else {
                (exit, payout) = (nil, nil)
            }
        }
    }
}

extension EscrowMove {
    /// Returns every move, with the agreement to `proposal`.
    fileprivate static func every(_ proposal: SettlementProposal?) -> [EscrowMove] {
        [
            .abort, .buy, .transferItem, .confirm, .refund, .dispute, .claim, .executeDefault,
            .rule, .proposeSettlement,
        ] + (proposal.map { [.agree($0)] } ?? [])
    }
}
