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
                before: limit(of: move),
                consequence: consequence(of: move, for: account)
            )
        }
        return EscrowOutlook(role: role(of: account), moves: moves, next: nextDeadline(after: time))
    }

    /// Returns the next deadline after `time`, with its effect.
    package func nextDeadline(after time: ChainTime) -> EscrowDeadline? {
        guard let deadline, time < deadline else { return nil }
        let effect: EscrowDeadlineEffect? =
            switch phase {
            case .listed: .offerEnds
            case .paid: .refundOpens
            case .transferred: .claimOpens
            case .disputed: .defaultOpens
            case .ended: nil
            }
        return effect.map { EscrowDeadline(at: deadline, effect: $0) }
    }

    /// Returns the move that the end of the present window opens to anyone, if it has passed.
    ///
    /// Seller and buyer gain by it, first the one who is credited more; the arbiter never does.
    package func dueMoves(for account: Address, at time: ChainTime) -> [DueMove] {
        guard let deadline, time >= deadline else { return [] }
        let due: (move: EscrowMove, unattended: UnattendedMove)? =
            switch phase {
            case .listed: (.abort, .end)
            case .paid: (.refund, .refund)
            case .transferred: (.claim, .claim)
            case .disputed: (.executeDefault, .claim)
            case .ended: nil
            }
        guard let (move, unattended) = due, let exit = move.exit else { return [] }
        let payout = payout(by: exit)
        let gains = [(seller, payout.seller)] + (buyer.map { [($0, payout.buyer)] } ?? [])
        let name = move.name
        return [DueMove(name, as: unattended, since: deadline, by: account, gains: gains)]
            .compactMap(\.self)
    }

    private func candidates(for account: Address, at time: ChainTime) -> [EscrowMove] {
        var moves: [EscrowMove] = [
            .buy, .transferItem, .dispute, .abort, .decline, .relist,
        ]
        // Nobody should confirm what was not sent, so that comes last then.
        if status != .paid { moves.append(.confirm) }
        moves += [.refund, .claim, .take, .rule, .executeDefault]
        if let deal {
            let others = [deal.sellerProposal, deal.buyerProposal].compactMap { $0 }
            moves += others.map { .agree($0) }
        }
        moves += [.propose, .withdrawProposal]
        if status == .paid { moves.append(.confirm) }
        return moves.filter { allows($0, by: account, at: time) }
    }

    private func allows(_ move: EscrowMove, by account: Address, at time: ChainTime) -> Bool {
        do {
            try EscrowRules.check(move, by: account, in: self, at: time)
            return true
        } catch {
            return false
        }
    }

    private func limit(of move: EscrowMove) -> ChainTime? {
        switch move {
        case .buy, .decline, .relist, .dispute, .take, .rule: deadline
        case .agree(let proposal): proposal.until
        case .abort, .transferItem, .confirm, .refund, .claim, .executeDefault, .propose,
            .withdrawProposal:
            nil
        }
    }
}
