package import Keys
package import Texts

extension DirectSale {
    /// Returns why the contract refuses a move; `nil` if it accepts it.
    ///
    /// Events are checked by the same rules.
    ///
    /// Source: Docs/contracts.md, section 11; Sources/Contracts/Vyper/DirectSale.vy.
    ///
    /// - Parameters:
    ///   - move: The move.
    ///   - account: The account that makes it.
    ///   - time: The time of its block.
    /// - Returns: The fault that an event of this move would have here.
    package func refusal(
        of move: DirectSaleMove,
        by account: Address,
        at time: ChainTime
    ) -> SaleFault? {
        guard move != .list else { return .listedTwice }
        guard status == .ready else { return .impossible(from: status.name) }
        let isLate = time >= terms.offerUntil
        switch move {
        case .pay where account == seller || account == .zero: return .wrongAccount
        case .pay where (terms.buyer ?? account) != account: return .wrongAccount
        case .pay: return isLate ? .wrongTime : nil
        case .list, .abort: return account == seller || isLate ? nil : .wrongAccount
        }
    }

    /// Returns the moves that `account` can make at `time`, and the next deadline.
    ///
    /// The rules are those by which events are checked: the contract would accept exactly these
    /// moves in a block of this time.
    package func actions(for account: Address, at time: ChainTime) -> DirectSaleOutlook {
        let moves = DirectSaleMove.allCases.filter {
            refusal(of: $0, by: account, at: time) == nil
        }
        let open = moves.map { move in
            OpenMove(
                move: move,
                before: move == .pay ? terms.offerUntil : nil,
                consequence: [consequence(of: move)]
            )
        }
        return DirectSaleOutlook(
            role: role(of: account),
            moves: open,
            next: nextDeadline(after: time)
        )
    }

    /// Returns the next deadline after `time`, with its effect.
    package func nextDeadline(after time: ChainTime) -> DirectSaleDeadline? {
        guard status == .ready, time < terms.offerUntil else { return nil }
        return DirectSaleDeadline(at: terms.offerUntil, effect: .offerEnds)
    }

    /// Returns `abort` for the seller of an offer whose time has ended: the token is returned.
    package func dueMoves(for account: Address, at time: ChainTime) -> [DueMove] {
        guard status == .ready, time >= terms.offerUntil, account == seller else { return [] }
        let name = DirectSaleMove.abort.name
        return [DueMove(name, as: .end, since: terms.offerUntil, rank: 0)]
    }

    /// Describes the consequence of a move, for the person who is about to sign it.
    package func consequence(of move: DirectSaleMove) -> Sentence {
        let payout = ItemPayout(of: terms.price, fees: fees)
        return switch move {
        case .list: Sentence("direct.list", ["price": money(terms.price)])
        case .pay:
            Sentence(
                "direct.pay",
                [
                    "price": money(terms.price), "seller": money(payout.seller),
                    "fees": money(payout.platform.adding(payout.maker) ?? .max),
                ]
            )
        case .abort: Sentence("direct.abort")
        }
    }

    private func money(_ amount: Amount) -> String {
        amount.value(in: terms.currency, on: reference.contract.chain)
    }
}
