package import Keys

/// A list of an account's sales, by its part in them and by how far they are.
package enum SaleList: String, CaseIterable, Sendable {
    /// Running sales: somebody has bought, and there is still something to do. The account is their
    /// seller, buyer, student or arbiter; those in which it bids are in ``bids``. If there can be
    /// many buyers, it runs for each from the purchase on, also while others can still buy.
    case running
    /// Sales that have not ended and in which the account has bid.
    case bids
    /// The account's offers that nobody has bought yet, and those that ended without being sold,
    /// also after a purchase that was declined or refunded.
    case postings
    /// Sales in which the account has bought, running or ended.
    case purchases
    /// Ended sales in which the account has sold, and kept the money or a part of it.
    case sold
    /// Sales that ended within ``reviewTime`` and that the account can review.
    ///
    /// Whether it has done so is not known here.
    case toReview = "to_review"
    /// Sales that ended with their payment, and whose seller may have to send the item.
    ///
    /// Whether it is shipped, and the seller has said so already, is not known here.
    case toSend = "to_send"
    /// Sales that have credited the account something that it has not collected.
    ///
    /// Which these are is not known here, see ``ContractMoney/parts(of:in:)``.
    case toCollect = "to_collect"

    /// How long after its end a sale is in ``toReview``.
    package static let reviewTime = Duration.seconds(30 * 86_400)

    /// Returns whether the list shows a sale to an account which the sale concerns.
    package func contains(_ sale: Sale, for account: Address, at time: ChainTime) -> Bool {
        let isSeller = account == sale.seller
        let hasBought = !isSeller && sale.isParty(account) && sale.role(of: account) != .bidder
        let isBid = !isSeller && sale.isParty(account) && sale.state.highestBid != nil
        let isSold = sale.state.endings.contains { !Self.undone.contains($0) }
        return switch self {
        case .running: !isBid && isRunning(sale, for: account)
        case .bids: sale.stage != .over && isBid
        case .postings:
            isSeller && (sale.stage == .offered || sale.stage == .over && !isSold)
        case .purchases:
            hasBought && sale.role(of: account) != .arbiter
                && (sale.stage == .over ? !sale.state.endings.isEmpty : !isBid)
        case .sold: isSeller && isSold
        case .toReview: canReview(sale, by: account, at: time)
        case .toSend:
            sale.stage == .over && sale.buyer != nil && sale.needsAddress(at: time)
                && [sale.seller, sale.buyer].contains(account)
        case .toCollect: true
        }
    }

    /// The statuses of ended sales in which the buyers got everything back.
    private static let undone: Set = ["declined", "refunded", "cancelled"]

    /// Returns whether somebody has bought, and `account` has still something to do or to wait for.
    private func isRunning(_ sale: Sale, for account: Address) -> Bool {
        switch sale.stage {
        case .running: true
        case .offered:
            sale.parties.contains { party in
                party != sale.seller && [party, sale.seller].contains(account)
                    && sale.state.isUnfinished(for: party)
            }
        case .over: sale.role(of: account) == .student && sale.state.isUnfinished(for: account)
        }
    }

    private func canReview(_ sale: Sale, by account: Address, at time: ChainTime) -> Bool {
        guard case .now = sale.reviewRight(of: account) else { return false }
        return time <= sale.since.advanced(by: Self.reviewTime)
    }
}
