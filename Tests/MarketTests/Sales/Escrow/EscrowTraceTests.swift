import BigInt
import Foundation
import Keys
import Market
import Support
import Testing

/// Random sequences of sale events, recorded from the contract step by step.
struct EscrowTraceTests {
    @Test func `the escrow fold agrees with the contract after every step`() throws {
        let content = try Data(contentsOf: TraceFolder.file("escrow"))
        let file = try JSONDecoder().decode(TraceFile.self, from: content)
        let fees = try #require(
            MarketFees(
                platformBasisPoints: file.platformBps,
                makerBasisPoints: file.makerBps,
                platform: Address(text: file.platform)
            )
        )
        let contract = ContractReference(
            chain: ChainID(file.chainId),
            address: try Address(text: file.escrow)
        )
        var steps = 0
        for trace in file.traces {
            var ledger = SaleLedger(
                chain: contract.chain,
                contracts: [contract.address: .init(kind: .escrow, fees: fees)],
                folds: SaleFolds([EscrowSale.self])
            )
            for (height, step) in trace.steps.enumerated() {
                for (index, log) in step.logs.enumerated() {
                    let event = try log.event(height: height, index: index, time: step.time)
                    try ledger.apply(.init(of: contract.address, .sale(event)))
                }
                try expect(ledger, agreesWith: step, of: trace)
                steps += 1
            }
        }
        #expect(file.traces.count >= 50)
        print("escrow traces: \(file.traces.count) sales, \(steps) steps")
    }

    private func expect(
        _ ledger: SaleLedger,
        agreesWith step: TraceFile.Step,
        of trace: TraceFile.Trace
    ) throws {
        let place: Comment = "trace \(trace.seed), \(step.move)"
        let id = SaleID(try #require(Bytes32(hex: trace.id)))
        let folded = try #require(ledger.sales[id], place)
        let sale = try #require(folded.state as? EscrowSale, place)
        let money = try #require(ledger.money[folded.reference.contract.address], place)
        let shown = step.sale
        #expect(sale.status.number == shown.status, place)
        #expect(sale.buyer ?? .zero == (try Address(text: shown.buyer)), place)
        #expect(sale.listing.token == Amount(small: shown.token), place)
        #expect(sale.deadline?.seconds ?? 0 == shown.deadline, place)
        // Of an ended sale the contract keeps only how it ended.
        #expect((sale.isTaken && sale.status.stage != .over) == shown.taken, place)
        #expect(TraceFile.Proposal(sale.deal?.sellerProposal) == shown.sellerProposal, place)
        #expect(TraceFile.Proposal(sale.deal?.buyerProposal) == shown.buyerProposal, place)

        let currency = sale.terms.currency
        #expect(money.owed[currency]?.decimal == step.owed, place)
        #expect(money.openCreditCount == step.credits.count, place)
        for (account, amount) in step.credits {
            let credit = money.credit(of: try Address(text: account), in: currency)
            #expect(credit.decimal == amount, place)
        }
        for view in step.views {
            for (role, open) in view.open {
                let account = try Address(text: #require(trace.roles[role]))
                let time = ChainTime(seconds: view.time)
                let moves = sale.actions(for: account, at: time).moves.map(\.move.name)
                #expect(Set(moves) == Set(open.split(separator: " ").map(String.init)), place)
            }
        }
    }
}
