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
    func `one honest party can end the sale from every state, given time`(hasArbiter: Bool) throws {
        let visits = try everyVisit(hasArbiter: hasArbiter)
        #expect(Set(visits.map(\.sale.status)) == Set(EscrowStatus.allCases))
        #expect(visits.contains { $0.sale.isTaken } == hasArbiter)
        var endings: Set<EscrowExit> = []
        for visit in visits {
            if case .ended(let ending) = visit.sale.phase {
                endings.insert(ending.event.exit)
                continue
            }
            try expectExit(of: visit, by: ana, sellersGuarantee(visit))
            if let buyer = visit.sale.deal?.buyer {
                try expectExit(of: visit, by: buyer, buyersGuarantee(visit.sale))
            }
        }
        let all = Set(EscrowExit.allCases).subtracting(hasArbiter ? [] : [.rule])
        #expect(endings == all)
    }

    @Test(arguments: [true, false])
    func `accepts exactly the open moves`(hasArbiter: Bool) throws {
        for visit in try everyVisit(hasArbiter: hasArbiter) {
            for account in accounts {
                let open = visit.sale.actions(for: account, at: visit.time).moves
                for move in EscrowMove.every(visit.sale.deal, for: account) {
                    var (script, sale) = (visit.script, visit.sale)
                    let isAccepted: Bool
                    do {
                        try script.apply(move, by: account, to: &sale, at: visit.time)
                        isAccepted = true
                    } catch {
                        isAccepted = false
                        #expect(sale == visit.sale)
                    }
                    let isOpen = open.contains { $0.move == move }
                    #expect(isAccepted == isOpen, "\(move) by \(account) in \(visit.sale.phase)")
                }
                for move in open { #expect(!move.consequence.isEmpty) }
            }
        }
    }

    @Test(arguments: ["10000", "10001", "10002", "1000000000000000007", "least", "most"])
    func `no end pays a side less than zero at any bound of the terms`(
        price text: String
    ) throws {
        let named = ["least": SaleLimits.priceMin, "most": SaleLimits.priceMax]
        let price = try #require(named[text] ?? Amount(decimal: text))
        let most = try #require(price.portion(basisPoints: 500))
        let deposits = [
            EscrowTerms.depositMin(price: price), try #require(price.multiplied(by: 10)),
        ]
        let fees = MarketFees(
            platformBasisPoints: 500,
            makerBasisPoints: 1_000,
            platform: SaleScript.platform
        )
        let costliest = try #require(fees)
        let shares = try [0, 1, 4_999, 5_000, 9_999, 10_000].map { points in
            try #require(SellerShare(basisPoints: points))
        }
        var terms = try Samples.terms()
        (terms.price, terms.arbiter) = (price, SaleScript.arbiter)
        for (seller, buyer) in deposits.flatMap({ one in deposits.map { (one, $0) } }) {
            for (penalty, fee) in [EscrowTerms.penaltyMin(price: price), most].flatMap({ penalty in
                [Amount.zero, most].map { (penalty, $0) }
            }) {
                (terms.sellerDeposit, terms.buyerDeposit) = (seller, buyer)
                (terms.latePenalty, terms.arbiterFee) = (penalty, fee)
                try terms.checkLimits()
                let paid = try #require(seller.adding(terms.buyerSends))
                for exit in EscrowExit.allCases {
                    for (share, isTaken) in shares.flatMap({ [($0, true), ($0, false)] }) {
                        // `nil` if any part would be below nothing.
                        let found = EscrowPayout(
                            exit: exit,
                            share: share,
                            terms: terms,
                            fees: costliest,
                            isTaken: isTaken
                        )
                        let payout = try #require(found)
                        #expect(payout.total == (exit == .abort ? seller : paid))
                    }
                }
            }
        }
    }

    @Test func `anyone can end a sale whose deadline has passed`() throws {
        // In some visits the script's stranger is the buyer.
        let outsider = Samples.key("outsider").address
        for visit in try everyVisit(hasArbiter: true) {
            guard let deadline = visit.sale.deadline else { continue }
            let time = max(visit.time, deadline)
            let moves = visit.sale.actions(for: outsider, at: time).moves
            #expect(moves.count == 1 && moves[0].move.exit != nil, "\(visit.sale.phase)")
        }
    }

    private var accounts: [Address] { [ana, bo, SaleScript.arbiter, SaleScript.stranger] }

    /// Ends the sale by moves of `account` alone: its best move now, or by waiting.
    ///
    /// Only the other party's proposal can give more than what the rules guarantee.
    private func expectExit(of visit: Visit, by account: Address, _ guarantee: Amount) throws {
        let (script, sale) = (visit.script, visit.sale)
        var time = visit.time
        var best: Amount?
        var isOffered = false
        for _ in 0..<3 {
            for open in sale.actions(for: account, at: time).moves where open.move.exit != nil {
                if case .agree = open.move { isOffered = true }
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
        if isOffered {
            #expect(found >= guarantee, "\(account) gets \(found) from \(visit.sale.phase)")
        } else {
            #expect(found == guarantee, "\(account) gets \(found) from \(visit.sale.phase)")
        }
    }

    /// Returns what an honest seller can be sure of.
    ///
    /// Before the handover that is the deposit, less the penalty if the seller was late; after it,
    /// the price if the buyer is silent; in a dispute, the deposit less the penalty and a fee that
    /// is due. The seller is the maker here.
    private func sellersGuarantee(_ visit: Visit) throws -> Amount {
        let (sale, terms) = (visit.sale, visit.sale.terms)
        let isLate = sale.deadline.map { visit.time >= $0 } ?? false
        let lessPenalty = try #require(terms.sellerDeposit.subtracting(terms.latePenalty))
        switch sale.status {
        case .listed: return terms.sellerDeposit
        case .paid: return isLate ? lessPenalty : terms.sellerDeposit
        case .transferred:
            let claimed = sale.payout(by: .claim)
            return try #require(claimed.seller.adding(claimed.maker))
        default:
            return try #require(lessPenalty.subtracting(sale.isTaken ? terms.arbiterFee : .zero))
        }
    }

    /// Returns what an honest buyer can be sure of.
    ///
    /// That is everything back with the penalty if the seller is silent, otherwise the deposit and
    /// the thing, less a fee that is due.
    private func buyersGuarantee(_ sale: EscrowSale) throws -> Amount {
        let terms = sale.terms
        guard sale.status == .paid else {
            return try #require(
                terms.buyerDeposit.subtracting(sale.isTaken ? terms.arbiterFee : .zero)
            )
        }
        return try #require(terms.buyerSends.adding(terms.latePenalty))
    }

    private func everyVisit(hasArbiter: Bool) throws -> [Visit] {
        var terms = try Samples.terms(price: "10007")
        if hasArbiter {
            terms.arbiter = SaleScript.arbiter
            terms.arbiterFee = Amount(small: 499)
            // The least deposits, too, bear every end.
            terms.sellerDeposit = EscrowTerms.depositMin(price: terms.price)
            terms.buyerDeposit = terms.sellerDeposit
        }
        var script = SaleScript(terms: terms)
        let sale = try script.listed()
        _ = script.event(.listed(script.listing), at: Samples.chainNow)
        var seen: Set<Key> = []
        var queue = [Visit(script: script, sale: sale, time: Samples.chainNow)]
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
        for time in Self.times(of: visit) {
            followers.append(Visit(script: visit.script, sale: visit.sale, time: time))
        }
        for account in accounts {
            for open in visit.sale.actions(for: account, at: visit.time).moves {
                for share in [SellerShare.none, .all] {
                    var next = visit
                    try next.script.apply(
                        open.move,
                        by: account,
                        share: share,
                        to: &next.sale,
                        at: visit.time
                    )
                    followers.append(next)
                    guard open.move == .rule || open.move == .propose else { break }
                }
            }
        }
        return followers
    }

    /// Returns the times just before and on the next deadlines, those of proposals included.
    private static func times(of visit: Visit) -> [ChainTime] {
        guard visit.sale.status.stage != .over else { return [] }
        var ends = visit.sale.proposals(at: visit.time).map(\.until)
        if let deadline = visit.sale.deadline { ends.append(deadline) }
        return ends.flatMap { end in
            [ChainTime(seconds: end.seconds - 1), end].filter { $0 > visit.time }
        }
    }

    /// What distinguishes two visits: the possible moves, not the times.
    private struct Key: Hashable {
        struct Proposal: Hashable {
            let share: SellerShare
            let isOver: Bool

            init(_ proposal: SettlementProposal, at time: ChainTime) {
                (share, isOver) = (proposal.share, time >= proposal.until)
            }
        }

        let status: EscrowStatus
        let buyer: Address?
        let isTaken: Bool
        let isLate: Bool
        let isLastSecond: Bool
        let sellers: Proposal?
        let buyers: Proposal?
        let exit: EscrowExit?
        let payout: EscrowPayout?

        init(_ visit: Visit) {
            let sale = visit.sale
            status = sale.status
            (buyer, isTaken) = (sale.buyer, sale.isTaken)
            isLate = sale.deadline.map { visit.time >= $0 } ?? false
            isLastSecond = sale.deadline.map { visit.time.seconds + 1 == $0.seconds } ?? false
            sellers = sale.deal?.sellerProposal.map { Proposal($0, at: visit.time) }
            buyers = sale.deal?.buyerProposal.map { Proposal($0, at: visit.time) }
            if case .ended(let ending) = sale.phase {
                (exit, payout) = (ending.event.exit, ending.event.payout)
            } else {
                (exit, payout) = (nil, nil)
            }
        }
    }
}

extension EscrowMove {
    /// Returns every move, with the agreements to the proposals of others than `account`.
    fileprivate static func every(
        _ deal: EscrowSale.Deal?,
        for account: Address
    ) -> [EscrowMove] {
        let proposals = [deal?.sellerProposal, deal?.buyerProposal]
            .compactMap { $0 }.filter { $0.by != account }
        return [
            .abort, .buy, .decline, .relist, .transferItem, .confirm, .refund, .dispute, .claim,
            .take,
            .executeDefault, .rule, .propose, .withdrawProposal,
        ] + proposals.map { .agree($0) }
    }
}
