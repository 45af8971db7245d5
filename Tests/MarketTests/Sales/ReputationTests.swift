import Keys
import Market
import Testing

struct ReputationTests {
    private let ana = Samples.ana.address
    private let bo = Samples.bo.address

    /// A sale as these moves of its parties leave it, one minute apart.
    private func sale(_ moves: [(EscrowMove, Address)]) throws -> Sale {
        var script = SaleScript(terms: try Samples.terms())
        var state = try script.listed()
        var history: [SaleStep] = []
        func note(_ name: String, _ account: Address) {
            history.append(
                SaleStep(
                    move: ReportedMove(name, by: account),
                    time: state.position.time,
                    transaction: state.position.transaction
                )
            )
        }
        note("list", ana)
        for (move, account) in moves {
            let time = state.position.time.advanced(by: .seconds(60))
            try script.apply(move, by: account, to: &state, at: time)
            note(move.name, account)
        }
        return Sale(state, history: history)
    }

    @Test func `each end counts for both sides; only completed sales count as trade`() throws {
        let complete = try sale([(.buy, bo), (.transferItem, ana), (.confirm, bo)])
        let declined = try sale([(.buy, bo), (.decline, ana)])
        let disputed = try sale([(.buy, bo), (.transferItem, ana), (.dispute, bo)])
        let aborted = try sale([(.abort, ana)])
        let all = [complete, declined, disputed, aborted, complete]

        let seller = Reputation(of: ana, in: all) { $0 == bo }
        #expect(seller.sold == ["complete": 2, "declined": 1] && seller.bought.isEmpty)
        let price = try #require(complete.price.multiplied(by: 2))
        #expect(seller.traded.values.map(\.self) == [price])
        #expect(seller.counterparties == [bo])
        #expect(seller.disputed == [nil: 1])
        #expect(seller.since == Samples.chainNow)

        let buyer = Reputation(of: bo, in: all) { _ in false }
        #expect(buyer.bought == ["complete": 2, "declined": 1] && buyer.sold.isEmpty)
        #expect(buyer.traded == seller.traded && buyer.counterparties == [ana])
        #expect(buyer.since == Samples.chainNow.advanced(by: .seconds(60)))

        let stranger = Reputation(of: SaleScript.stranger, in: all) { _ in true }
        #expect(stranger == Reputation(of: bo, in: []) { _ in true })
    }

    @Test func `a dispute is lost by who gives in, and by neither who agree`() throws {
        let start: [(EscrowMove, Address)] = [(.buy, bo), (.transferItem, ana), (.dispute, bo)]
        for (move, account, lost) in [
            (EscrowMove.refund, ana, [1, 0]), (.confirm, bo, [0, 1]),
        ] {
            let ended = try sale(start + [(move, account)])
            #expect(
                [ana, bo].map { Reputation(of: $0, in: [ended]) { _ in true }.disputesLost } == lost
            )
        }
        let running = try sale(start)
        let plain = try sale([(.buy, bo), (.transferItem, ana), (.confirm, bo)])
        for account in [ana, bo] {
            #expect(Reputation(of: account, in: [running, plain]) { _ in true }.disputesLost == 0)
        }
    }

    @Test func `shows refunds separately even without a finished sale`() throws {
        let cleo = SaleScript.stranger
        let returned = try sale([(.buy, cleo), (.relist, ana), (.buy, bo), (.relist, ana)])
        let declined = try sale([(.buy, cleo), (.relist, ana), (.buy, cleo), (.decline, ana)])
        let known = Reputation(of: ana, in: [returned, declined]) { _ in true }
        #expect(known.sold == ["relisted": 3, "declined": 1] && known.setAside.isEmpty)
        let one = Reputation(of: ana, in: [returned, declined]) { $0 == bo }
        #expect(one.sold == ["relisted": 1])
        #expect(one.setAside == ["relisted": 2, "declined": 1])
        let none = Reputation(of: ana, in: [returned, declined]) { _ in false }
        #expect(none.sold.isEmpty && none.setAside == ["relisted": 3, "declined": 1])
        // It is no sale of the buyer's either.
        #expect(Reputation(of: bo, in: [returned]) { _ in true }.bought.isEmpty)
    }
}
