package import Keys

/// A list of an account's sales, by its part in them and by how far they are.
package enum SaleList: String, CaseIterable, Sendable {
    /// Sales that run: somebody has bought, and there is still something to do. The account is
    /// their seller, buyer, student or arbiter; those in which it bids are in ``bids``.
    case running
    /// Sales that have not ended and in which the account has bid.
    case bids
    /// What the account offers and nobody has bought yet, and what ended without a buyer.
    case postings
    /// Ended sales in which the account has bought.
    case purchases
    /// Ended sales in which the account has sold.
    case sold
    /// Sales that ended within ``reviewTime`` and that the account can review.
    ///
    /// Whether it has done so is not known here.
    case toReview = "to_review"
    /// Sales of which the account has been credited something that it has not collected.
    ///
    /// Whether it has collected it is not known here.
    case toCollect = "to_collect"

    /// How long after its end a sale is in ``toReview``.
    package static let reviewTime = Duration.seconds(30 * 86_400)

    /// Returns whether the list shows a sale to an account which the sale concerns.
    package func contains(_ sale: Sale, for account: Address, at time: ChainTime) -> Bool {
        let isSeller = account == sale.seller
        let hasBought = !isSeller && sale.isParty(account) && sale.role(of: account) != .bidder
        let isBid = !isSeller && sale.isParty(account) && sale.state.highestBid != nil
        return switch self {
        case .running: sale.stage == .running && !isBid
        case .bids: sale.stage != .over && isBid
        case .postings:
            isSeller
                && (sale.stage == .offered || sale.stage == .over && sale.state.endings.isEmpty)
        case .purchases: hasBought && !sale.state.endings.isEmpty
        case .sold: isSeller && !sale.state.endings.isEmpty
        case .toReview: canReview(sale, by: account, at: time)
        case .toCollect: !sale.payout(to: account).isZero
        }
    }

    /// Returns the sales whose payouts make up an account's credit.
    ///
    /// An account collects from a contract, not from a sale: its credit there is what the latest
    /// sales have paid.
    ///
    /// - Parameters:
    ///   - sales: Sales of ``toCollect``.
    ///   - account: The account that is credited.
    ///   - credit: Its credit in a contract and currency now.
    /// - Returns: The latest of them, of each contract and currency.
    package static func uncollected(
        _ sales: [Sale],
        of account: Address,
        credit: (ContractReference, Currency) -> Amount
    ) -> [Sale] {
        struct CreditKey: Hashable {
            let contract: ContractReference
            let currency: Currency
        }
        let groups = Dictionary(grouping: sales) {
            CreditKey(contract: $0.reference.contract, currency: $0.currency)
        }
        return groups.flatMap { key, sales in
            var rest = credit(key.contract, key.currency)
            return sales.sorted { $1.since < $0.since }.prefix { sale in
                guard !rest.isZero else { return false }
                rest = rest.subtracting(sale.payout(to: account)) ?? .zero
                return true
            }
        }
    }

    private func canReview(_ sale: Sale, by account: Address, at time: ChainTime) -> Bool {
        guard case .now = sale.reviewRight(of: account) else { return false }
        return time <= sale.since.advanced(by: Self.reviewTime)
    }
}

extension Sale {
    /// What an account has been credited by the sale; zero while it runs.
    fileprivate func payout(to account: Address) -> Amount {
        (state.payouts ?? []).reduce(.zero) { sum, payout in
            payout.account == account ? sum.adding(payout.amount) ?? .max : sum
        }
    }
}
