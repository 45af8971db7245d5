package import Keys

extension AuctionSale {
    /// Returns why the contract refuses a move; `nil` if it accepts it.
    ///
    /// Events are checked by the same rules. A bid's amount is checked by ``refusal(ofBid:)``.
    ///
    /// Source: Docs/contracts.md, section 10; Sources/Contracts/Vyper/Auction.vy.
    ///
    /// - Parameters:
    ///   - move: The move.
    ///   - account: The account that makes it.
    ///   - time: The time of its block.
    /// - Returns: The fault that an event of this move would have here.
    package func refusal(
        of move: AuctionMove,
        by account: Address,
        at time: ChainTime
    ) -> SaleFault? {
        guard move != .list else { return .listedTwice }
        guard status.stage != .over, move != .abort || status == .ready else {
            return .impossible(from: status.name)
        }
        switch move {
        case .abort where account != seller: return .wrongAccount
        case .bid where account == seller || account == .zero: return .wrongAccount
        case .end: return time >= ends ? nil : .wrongTime
        case .list, .abort, .bid: return time < ends ? nil : .wrongTime
        }
    }

    /// Returns why the contract refuses a bid of `amount`; `nil` if it is high enough.
    package func refusal(ofBid amount: Amount) -> SaleFault? {
        guard let minimalBid, amount >= minimalBid, amount <= SaleLimits.priceMax else {
            return .wrongTerms(TermsFault(term: "amount"))
        }
        return nil
    }

    /// Returns the moves that `account` can make at `time`, and the next deadline.
    ///
    /// The rules are those by which events are checked: the contract would accept exactly these
    /// moves in a block of this time. A bid needs ``minimalBid`` at least.
    package func actions(for account: Address, at time: ChainTime) -> AuctionOutlook {
        let moves = AuctionMove.allCases.filter { isOpen($0, for: account, at: time) }
        let open = moves.map { move in
            OpenMove(
                move: move,
                before: move == .end ? nil : ends,
                consequence: consequence(of: move)
            )
        }
        return AuctionOutlook(role: role(of: account), moves: open, next: nextDeadline(after: time))
    }

    /// Returns the next deadline after `time`, with its effect.
    package func nextDeadline(after time: ChainTime) -> AuctionDeadline? {
        guard status.stage != .over, time < ends else { return nil }
        return AuctionDeadline(at: ends, effect: .biddingEnds)
    }

    /// When the bidding got its present end: when it began, or by the last bid that moved the end.
    package var deadlineSetAt: ChainTime {
        let first = listedAt.time.advanced(by: terms.duration)
        return ends == first ? listedAt.time : position.time
    }

    /// Returns `end` once the bidding is over, for the seller, who is paid or gets the token back,
    /// and then for the highest bidder, who gets the token.
    package func dueMoves(for account: Address, at time: ChainTime) -> [DueMove] {
        guard status.stage != .over, time >= ends,
            let rank = [seller, highest?.bidder].firstIndex(of: account)
        else { return [] }
        return [DueMove(AuctionMove.end.name, as: .end, since: ends, rank: rank)]
    }

    private func isOpen(_ move: AuctionMove, for account: Address, at time: ChainTime) -> Bool {
        guard refusal(of: move, by: account, at: time) == nil else { return false }
        return move != .bid || minimalBid != nil
    }
}
