package import Keys

/// What the final sales of a market show of an account.
///
/// Everything here cost somebody a transaction; reviews, which are opinions, are not part of it.
package struct Reputation: Equatable, Sendable {
    /// How often its sales ended in which way, such as `complete` or `declined`: as the seller, and as
    /// the buyer or student.
    package private(set) var sold: [String: Int] = [:]
    package private(set) var bought: [String: Int] = [:]
    /// How sales ended in which one side opened a dispute; `nil` counts those that still run.
    package private(set) var disputed: [String?: Int] = [:]
    /// The prices of its completed sales, those of each side together, by chain and currency.
    package private(set) var traded: [MarketCurrency: Amount] = [:]
    /// The accounts with which it has completed a sale.
    package private(set) var counterparties: Set<Address> = []
    /// When it made its first move in a sale, on that sale's chain.
    package private(set) var since: ChainTime?

    /// Creates the reputation of an account from sales as they are final; others do not count.
    package init(of account: Address, in sales: some Sequence<Sale>) {
        for sale in sales where sale.isParty(account) { note(sale, of: account) }
    }

    private mutating func note(_ sale: Sale, of account: Address) {
        let first = sale.history.first { $0.move.account == account }?.time
        if let first { since = min(since ?? first, first) }
        let isSeller = account == sale.seller
        let right = sale.reviewRight(of: account)
        if isSeller {
            for ending in sale.state.endings { sold[ending, default: 0] += 1 }
        } else if account == sale.buyer {
            for ending in sale.state.endings { bought[ending, default: 0] += 1 }
        } else if case .now(let deal) = right {
            // One of several buyers, such as a student.
            bought[deal.outcome.rawValue, default: 0] += 1
        }
        if sale.history.contains(where: { $0.move.name == Self.disputeMove }) {
            disputed[sale.state.endings.last, default: 0] += 1
        }
        if case .now(let deal) = right, deal.outcome == .complete {
            add(deal.price, of: deal.currency, in: sale)
            counterparties.insert(isSeller ? sale.buyer ?? account : sale.seller)
        } else if isSeller, sale.state.freeSeats != nil {
            // Who sells to many reviews nobody, and has traded what they have paid.
            for payout in sale.state.payouts ?? [] where payout.account == account {
                add(payout.amount, of: sale.currency, in: sale)
            }
        }
        counterparties.remove(account)
    }

    private mutating func add(_ amount: Amount, of currency: Currency, in sale: Sale) {
        let place = MarketCurrency(chain: sale.reference.contract.chain, currency: currency)
        // What all contracts of a market hold fits; the sum of made-up tokens need not.
        traded[place] = (traded[place] ?? .zero).adding(amount) ?? traded[place]
    }

    /// The move by which a side of a sale asks for its arbiter.
    private static let disputeMove = "dispute"
}

/// A currency of one chain.
package struct MarketCurrency: Hashable, Sendable {
    package let chain: ChainID
    package let currency: Currency

    package init(chain: ChainID, currency: Currency) {
        (self.chain, self.currency) = (chain, currency)
    }
}
