package import Keys

extension EscrowSale {
    /// Returns the moves that `account` can make at `time`, and the next deadline.
    ///
    /// The rules are those by which events are checked: the contract would accept exactly these
    /// moves in a block of this time.
    package func actions(for account: Address, at time: ChainTime) -> EscrowOutlook {
        let moves = candidates(for: account, at: time).map { move in
            EscrowOpenMove(
                move: move,
                before: limit(of: move, by: account),
                consequence: consequence(of: move, for: account)
            )
        }
        return EscrowOutlook(role: role(of: account), moves: moves, next: nextDeadline(after: time))
    }

    /// Returns the next deadline after `time`, with its effect.
    package func nextDeadline(after time: ChainTime) -> EscrowDeadline? {
        guard let deadline, time < deadline else { return nil }
        let effect: EscrowDeadline.Effect? =
            switch phase {
            case .listed: .offerEnds
            case .paid: .refundOpens
            case .transferred: .claimOpens
            case .disputed: .defaultOpens
            case .ended: nil
            }
        return effect.map { EscrowDeadline(at: deadline, effect: $0) }
    }

    private func candidates(for account: Address, at time: ChainTime) -> [EscrowMove] {
        let isEarly = deadline.map { time < $0 } ?? false
        var moves: [EscrowMove] = []
        switch phase {
        case .listed:
            let mayBuy = account != seller && account != terms.arbiter && account != .zero
            if mayBuy, isEarly { moves.append(.buy) }
        case .paid:
            if account == seller, isEarly { moves.append(.transferItem) }
        case .transferred(let deal):
            if account == deal.buyer, isEarly { moves.append(.dispute) }
        case .disputed, .ended: break
        }
        for move: EscrowMove in [.abort, .confirm, .refund, .claim, .rule, .executeDefault] {
            guard let exit = move.exit else { continue }
            if isAllowed(exit, account, .none, time) { moves.append(move) }
        }
        guard let deal, account == seller || account == deal.buyer else { return moves }
        if let proposal = deal.proposal, isAllowed(.settle, account, proposal.share, time) {
            moves.append(.agree(proposal))
        }
        moves.append(.proposeSettlement)
        return moves
    }

    private func isAllowed(
        _ exit: EscrowExit,
        _ account: Address,
        _ share: SellerShare,
        _ time: ChainTime
    ) -> Bool {
        switch EscrowRules.allows(exit, by: account, share: share, in: self, at: time) {
        case .success: true
        case .failure: false
        }
    }

    private func limit(of move: EscrowMove, by account: Address) -> ChainTime? {
        switch move {
        case .buy, .transferItem, .dispute, .rule: deadline
        case .agree(let proposal): proposal.settleBy
        case .abort, .confirm, .refund, .claim, .executeDefault, .proposeSettlement: nil
        }
    }
}
