import BigInt
import Contracts
import Ethereum
import Keys
import Market
import Testing

/// Random auctions and direct sales, recorded from the contracts step by step.
///
/// `STOA_TRACES` replays long files in place of the committed ones.
struct ItemTraceTests {
    @Test func `the auction fold agrees with the contract after every step`() throws {
        let file = try TraceFiles.read("auction", as: ItemTraceFile.self)
        let contract = AuctionContract(address: try Address(text: #require(file.auction)))
        try replay(file, contract.address, .auction, contract.decode) { sale, step, comment in
            let auction = try #require(sale as? AuctionSale, comment)
            let shown = step.sale
            let stored = try stored(step, "sale") { values in
                try contract.sale(auction.reference.id).decode(values)
            }
            #expect(try #require(stored, comment).agrees(with: auction), comment)
            #expect(auction.status.number == shown.status, comment)
            #expect(auction.highest?.bidder ?? .zero == (try address(shown.bidder)), comment)
            #expect(auction.highest?.amount.decimal ?? "0" == shown.highest, comment)
            #expect(auction.ends.seconds == shown.ends, comment)
            #expect(auction.lastEnd.seconds == shown.lastEnd, comment)
            if let least = step.minimumBid.flatMap({ BigUInt($0) }) {
                let isTooHigh = least > SaleLimits.priceMax.units
                #expect(auction.minimalBid?.units == (isTooHigh ? nil : least), comment)
            }
            #expect(!auction.isIncomplete, comment)
            return { account, time in
                auction.actions(for: account, at: time).moves.map(\.move.name)
            }
        }
    }

    @Test func `the direct sale fold agrees with the contract after every step`() throws {
        let file = try TraceFiles.read("direct", as: ItemTraceFile.self)
        let contract = DirectSaleContract(address: try Address(text: #require(file.direct)))
        try replay(file, contract.address, .direct, contract.decode) { sale, step, comment in
            let direct = try #require(sale as? DirectSale, comment)
            let shown = step.sale
            let stored = try stored(step, "sale") { values in
                try contract.sale(direct.reference.id).decode(values)
            }
            #expect(try #require(stored, comment).agrees(with: direct), comment)
            #expect(direct.status.number == shown.status, comment)
            #expect(direct.buyer ?? .zero == (try address(shown.buyer)), comment)
            #expect(direct.terms.offerUntil.seconds == shown.offerUntil, comment)
            #expect(!direct.isIncomplete, comment)
            return { account, time in
                direct.actions(for: account, at: time).moves.map(\.move.name)
            }
        }
    }

    private typealias Moves = (Address, ChainTime) -> [String]

    private func replay(
        _ file: ItemTraceFile,
        _ contract: Address,
        _ kind: SaleKind,
        _ decode: (ContractLog, EventPosition) throws -> SaleLedger.Event,
        _ check: (any SaleState, ItemTraceFile.Step, Comment) throws -> Moves
    ) throws {
        var steps = 0
        for trace in file.traces {
            var ledger = SaleLedger(
                chain: ChainID(file.chainId),
                contracts: [contract: .init(kind: kind, fees: try file.fees)],
                folds: SaleFolds([AuctionSale.self, DirectSale.self])
            )
            for (height, step) in trace.steps.enumerated() {
                let comment: Comment = "trace \(trace.seed), step \(height), \(step.move)"
                #expect(step.refused == nil || step.logs.isEmpty, comment)
                for (index, log) in step.logs.enumerated() {
                    let position = TraceFiles.position(
                        height: height,
                        index: index,
                        time: step.time
                    )
                    try ledger.apply(decode(log.log(of: contract), position))
                }
                let id = SaleID(try #require(Bytes32(hex: trace.id)))
                let sale = try #require(ledger.sales[id], comment)
                #expect(sale.state.item == Amount(small: step.sale.token), comment)
                let moves = try check(sale.state, step, comment)
                try expect(moves, step, trace, comment)
                try expect(ledger.money[contract], sale.currency, step, comment)
                steps += 1
            }
        }
        #expect(file.traces.count >= 30)
        print("\(kind) traces: \(file.traces.count) sales, \(steps) steps")
    }

    private func expect(
        _ moves: Moves,
        _ step: ItemTraceFile.Step,
        _ trace: ItemTraceFile.Trace,
        _ comment: Comment
    ) throws {
        for view in step.views {
            for (role, open) in view.open {
                let account = try Address(text: #require(trace.roles[role]))
                let found = moves(account, ChainTime(seconds: view.time))
                let expected = Set(open.split(separator: " ").map(String.init))
                #expect(Set(found) == expected, comment)
            }
        }
    }

    private func expect(
        _ money: ContractMoney?,
        _ currency: Currency,
        _ step: ItemTraceFile.Step,
        _ comment: Comment
    ) throws {
        let money = try #require(money, comment)
        #expect((money.owed[currency] ?? .zero).decimal == step.owed, comment)
        #expect(money.openCreditCount == step.credits.count, comment)
        for (account, amount) in step.credits {
            let credit = money.credit(of: try Address(text: account), in: currency)
            #expect(credit.decimal == amount, comment)
        }
    }

    /// Encodes what the contract answers as it does, and decodes it with the binding.
    private func stored<Sale>(
        _ step: ItemTraceFile.Step,
        _ function: String,
        _ decode: ([UInt8]) throws -> Sale?
    ) throws -> Sale? {
        let shown = step.sale
        if let bidder = shown.bidder {
            let values: [ABIValue] = [
                .small(shown.status), .address(try address(bidder)),
                .uint(try #require(BigUInt(shown.highest ?? ""))), .small(shown.token),
                .small(shown.ends ?? 0), .small(shown.lastEnd ?? 0),
            ]
            let view = try Artifact.auction.interface.function(function)
            return try decode(view.encodeResult([.tuple(values)]))
        }
        let values: [ABIValue] = [
            .small(shown.status), .address(try address(shown.buyer)), .small(shown.token),
            .small(shown.offerUntil ?? 0),
        ]
        let view = try Artifact.directSale.interface.function(function)
        return try decode(view.encodeResult([.tuple(values)]))
    }

    private func address(_ text: String?) throws -> Address { try Address(text: #require(text)) }
}
