import BigInt
import Keys
import Market
import Testing

/// Visits every reachable state of an auction, at times before, on and after each deadline.
///
/// The starting bid is so high, and the increment so great, that at most four bids are possible.
struct AuctionExplorerTests {
    private let ana = Samples.ana.address
    private let bo = Samples.bo.address
    private let cleo = ItemSamples.cleo
    private let terms = AuctionTerms(
        currency: .native,
        duration: .days(1),
        startingBid: ItemSamples.amount(BigUInt(1) << 126),
        minIncrementBasisPoints: 5_000
    )

    /// A state, with what was paid in and credited on the path to it.
    private struct Visit {
        var run: AuctionRun
        var time: ChainTime
        var money = ContractTotals()
    }

    @Test(arguments: [true, false])
    func `anyone can end the auction from every state and credit all money`(
        isMinted: Bool
    ) throws {
        let visits = try everyVisit(isMinted: isMinted)
        #expect(Set(visits.map(\.run.sale.status)) == Set(AuctionStatus.allCases))
        #expect(visits.count > 100)
        for visit in visits {
            guard visit.run.sale.status.stage != .over else {
                #expect(visit.money.paid == visit.money.credited)
                continue
            }
            for account in accounts {
                var end = visit
                end.time = max(end.time, end.run.sale.ends)
                let open = end.run.sale.actions(for: account, at: end.time).moves.map(\.move)
                #expect(open == [.end])
                try make(.end, by: account, in: &end)
                expectResult(of: end, from: visit)
            }
        }
    }

    @Test func `accepts exactly the open moves`() throws {
        for visit in try everyVisit(isMinted: true) {
            for account in accounts {
                let sale = visit.run.sale
                let open = sale.actions(for: account, at: visit.time).moves
                for move in open { #expect(!move.consequence.isEmpty) }
                for (move, amount) in attempts(in: visit) {
                    let model = visit.run.model
                    let time = visit.time
                    let isAccepted = model.accepts(move, by: account, amount: amount, at: time)
                    var next = visit
                    do {
                        try make(move, by: account, amount, in: &next)
                        #expect(isAccepted, "\(move) of \(amount) in \(sale.phase)")
                        expectAgreement(next)
                    } catch {
                        #expect(!isAccepted, "\(move) of \(amount) in \(sale.phase): \(error)")
                    }
                    let isOpen = open.contains { $0.move == move }
                    let isLeast = move != .bid || amount == model.minimum
                    #expect(isLeast ? isOpen == isAccepted : isOpen || !isAccepted)
                }
            }
        }
    }

    @Test func `detects a missing, forged or misordered event`() throws {
        for visit in try everyVisit(isMinted: false) {
            for (move, amount) in attempts(in: visit) {
                let model = visit.run.model
                guard model.accepts(move, by: bo, amount: amount, at: visit.time) else { continue }
                let clock = visit.run.clock
                var next = model
                let changes = next.make(move, by: bo, amount: amount, at: visit.time)
                for index in changes.indices {
                    var missing = changes
                    missing.remove(at: index)
                    if !missing.isEmpty { try expectDetected(missing, in: visit, clock) }
                    guard index > 0 else { continue }
                    var swapped = changes
                    swapped.swapAt(index, index - 1)
                    if swapped != changes { try expectDetected(swapped, in: visit, clock) }
                }
            }
        }
    }

    private var accounts: [Address] { [ana, bo, cleo, ItemSamples.stranger] }

    private func attempts(in visit: Visit) -> [(AuctionMove, BigUInt)] {
        let minimum = visit.run.model.minimum
        return [
            (.abort, 0), (.end, 0), (.bid, minimum), (.bid, minimum - 1),
            (.bid, AuctionModel.bidMax), (.bid, AuctionModel.bidMax + 1),
        ]
    }

    private func make(
        _ move: AuctionMove,
        by account: Address,
        _ amount: BigUInt = 0,
        in visit: inout Visit
    ) throws {
        let changes = visit.run.model.make(move, by: account, amount: amount, at: visit.time)
        let events = visit.run.model.events(changes, &visit.run.clock, at: visit.time)
        for event in events {
            try visit.run.sale.apply(event)
            visit.money.add(visit.run.sale.taken(with: event), event.credit)
        }
    }

    private func expectAgreement(_ visit: Visit) {
        let (model, sale) = (visit.run.model, visit.run.sale)
        #expect(sale.status == model.status && sale.highest?.bidder == model.bidder)
        #expect(sale.highest?.amount.units ?? 0 == model.highest)
        #expect(sale.ends.seconds == model.ends && sale.lastEnd.seconds == model.lastEnd)
        #expect(!sale.isIncomplete)
    }

    /// Expects that the seller gets the highest bid less fees, or the token, and that each bidder who
    /// was outbid gets the whole bid back.
    private func expectResult(of end: Visit, from visit: Visit) {
        let (sale, model) = (end.run.sale, visit.run.model)
        guard case .ended(let ending) = sale.phase else {
            Issue.record("\(sale.phase)")
            return
        }
        #expect(end.money.paid == end.money.credited)
        #expect(ending.event.tokenTo == model.bidder ?? ana)
        let parts = ItemSamples.parts(of: model.highest)
        let makers = ending.event.maker == ana ? parts.maker : 0
        #expect(end.money.credits[ana] ?? 0 == parts.seller + makers)
        #expect(end.money.credits[ItemSamples.platform] ?? 0 == parts.platform)
        let outbid = visit.money.credits
        #expect(end.money.credits[bo] ?? 0 == outbid[bo] ?? 0)
    }

    private func expectDetected(
        _ changes: [AuctionEvent.Change],
        in visit: Visit,
        _ clock: EventClock
    ) throws {
        var (sale, clock) = (visit.run.sale, clock)
        do {
            for event in visit.run.model.events(changes, &clock, at: visit.time) {
                try sale.apply(event)
            }
            #expect(sale.isIncomplete, "\(changes) is complete")
        } catch {
            // The fault that says so.
        }
    }

    private func everyVisit(isMinted: Bool) throws -> [Visit] {
        let run = try AuctionRun(terms, isMinted: isMinted)
        var seen: Set<Key> = []
        var queue = [Visit(run: run, time: Samples.chainNow)]
        var visits: [Visit] = []
        while let visit = queue.popLast() {
            guard seen.insert(Key(visit)).inserted else { continue }
            visits.append(visit)
            queue += try followers(of: visit)
        }
        return visits
    }

    private func followers(of visit: Visit) throws -> [Visit] {
        guard visit.run.sale.status.stage != .over else { return [] }
        let ends = visit.run.model.ends
        let marks = [ends - visit.run.model.extensionTime, ends]
        var followers = marks.flatMap { [$0 - 1, $0] }.filter { $0 > visit.time.seconds }.map {
            Visit(run: visit.run, time: ChainTime(seconds: $0), money: visit.money)
        }
        for account in [ana, bo, cleo] {
            for (move, amount) in attempts(in: visit) {
                let model = visit.run.model
                guard model.accepts(move, by: account, amount: amount, at: visit.time) else {
                    continue
                }
                var next = visit
                try make(move, by: account, amount, in: &next)
                followers.append(next)
            }
        }
        return followers
    }

    /// What distinguishes two visits: state and phase of the time, not the times themselves.
    private struct Key: Hashable {
        let status: AuctionStatus
        let bidder: Address?
        let highest: BigUInt
        let isExtended: Bool
        let marksPassed: Int
        let credits: [Address: BigUInt]

        init(_ visit: Visit) {
            let model = visit.run.model
            (status, bidder, highest) = (model.status, model.bidder, model.highest)
            isExtended = model.ends + 30 * AuctionModel.day != model.lastEnd
            let marks = [model.ends - model.extensionTime, model.ends].flatMap { [$0 - 1, $0] }
            marksPassed = marks.filter { $0 <= visit.time.seconds }.count
            credits = visit.money.credits
        }
    }
}

/// What was paid into a contract and what accounts were credited, on one path.
struct ContractTotals: Hashable {
    private(set) var paid: BigUInt = 0
    private(set) var credits: [Address: BigUInt] = [:]

    var credited: BigUInt { credits.values.reduce(0, +) }

    mutating func add(_ taken: Amount, _ credit: ContractMoney.Credit?) {
        paid += taken.units
        if let credit { credits[credit.account, default: 0] += credit.amount.units }
    }
}

private func max(_ left: ChainTime, _ right: ChainTime) -> ChainTime { left < right ? right : left }
