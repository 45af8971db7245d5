package import Keys

/// An account's record in the final sales of a market.
///
/// Everything here cost somebody a transaction; reviews, which are opinions, are not part of it.
package struct Reputation: Equatable, Sendable {
    /// How often its sales ended in which way, such as `complete` or `declined`: as the seller, and
    /// as the buyer or student.
    package private(set) var sold: [String: Int] = [:]
    package private(set) var bought: [String: Int] = [:]
    /// How often it gave the money back to a buyer without any finished sale, by `declined` or
    /// `relisted`.
    ///
    /// That is not counted in ``sold``: anybody can make a buyer who only costs a seller time.
    package private(set) var setAside: [String: Int] = [:]
    /// How sales ended in which one side opened a dispute; `nil` counts those that still run.
    package private(set) var disputed: [String?: Int] = [:]
    /// How many disputes ended against it: it gave in, the arbiter gave the other side more, or
    /// nobody ended it in time.
    package private(set) var disputesLost = 0
    /// The prices of its completed sales, those of each side together, by chain and currency.
    package private(set) var traded: [MarketCurrency: Amount] = [:]
    /// The accounts with which it has completed a sale.
    package private(set) var counterparties: Set<Address> = []
    /// When it made its first move in a sale, on that sale's chain.
    package private(set) var since: ChainTime?

    /// Creates the reputation of an account from its final sales; others do not count.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - sales: The final state of the sales.
    ///   - hasFinished: Whether a buyer of one of them has a finished sale.
    package init(
        of account: Address,
        in sales: some Sequence<Sale>,
        hasFinished: (Address) -> Bool
    ) {
        for sale in sales where sale.isParty(account) {
            note(sale, of: account, hasFinished: hasFinished)
        }
    }

    private mutating func note(
        _ sale: Sale,
        of account: Address,
        hasFinished: (Address) -> Bool
    ) {
        let first = sale.history.first { $0.move.account == account }?.time
        if let first { since = min(since ?? first, first) }
        let isSeller = account == sale.seller
        let right = sale.reviewRight(of: account)
        if isSeller {
            let outcomes = SellerOutcomes(of: [sale], hasFinished: hasFinished)
            sold.merge(outcomes.counted, uniquingKeysWith: +)
            setAside.merge(outcomes.setAside, uniquingKeysWith: +)
        } else if account == sale.buyer {
            for ending in sale.state.endings { bought[ending, default: 0] += 1 }
        } else if case .now(let deal) = right {
            // One of several buyers, such as a student.
            bought[deal.outcome.rawValue, default: 0] += 1
        }
        if sale.history.contains(where: { $0.move.name == Self.disputeMove }) {
            disputed[sale.state.endings.last, default: 0] += 1
            if sale.state.disputeLosers.contains(account) { disputesLost += 1 }
        }
        if case .now(let deal) = right, deal.outcome == .complete {
            add(deal.price, of: deal.currency, in: sale)
            counterparties.insert(isSeller ? sale.buyer ?? account : sale.seller)
        } else if isSeller, sale.state.freeSeats != nil {
            // A seller with many buyers reviews no one, but has traded the money that they paid.
            for payout in sale.state.payouts ?? [] where payout.account == account {
                add(payout.amount, of: sale.currency, in: sale)
            }
        }
        counterparties.remove(account)
    }

    private mutating func add(_ amount: Amount, of currency: Currency, in sale: Sale) {
        let place = MarketCurrency(chain: sale.reference.contract.chain, currency: currency)
        // The money in all contracts of a market fits; a sum of invented tokens might not.
        traded[place] = (traded[place] ?? .zero).adding(amount) ?? traded[place]
    }

    /// The move by which a side of a sale asks for its arbiter.
    private static let disputeMove = "dispute"
}

/// How the sales of a seller have ended, and how often the seller gave the money back before.
package struct SellerOutcomes: Equatable, Sendable {
    /// The counted endings by name, `relisted` included.
    package private(set) var counted: [String: Int] = [:]
    /// The endings that do not count, because the buyer has no finished sale.
    package private(set) var setAside: [String: Int] = [:]

    /// Counts the endings of one seller's sales.
    package init(of sales: some Sequence<Sale>, hasFinished: (Address) -> Bool) {
        for sale in sales {
            let returns = sale.returns
            for ending in sale.state.endings where ending != Self.declined {
                counted[ending, default: 0] += 1
            }
            for (name, buyer) in returns {
                if hasFinished(buyer) {
                    counted[name, default: 0] += 1
                } else {
                    setAside[name, default: 0] += 1
                }
            }
        }
    }

    fileprivate static let declined = "declined"
    fileprivate static let relisted = "relisted"
    /// The endings after which both sides had what they agreed to.
    package static let finished: Set = ["complete", "sold", "settled"]
}

extension Sale {
    /// How the seller gave the money back, and to whom: `relisted`, each time, and `declined`.
    var returns: [(name: String, buyer: Address)] {
        var buyer: Address?
        var returns: [(name: String, buyer: Address)] = []
        for step in history {
            switch step.move.name {
            case "buy": buyer = step.move.account
            case "relist":
                if let buyer { returns.append((SellerOutcomes.relisted, buyer)) }
                buyer = nil
            default: break
            }
        }
        if state.endings.contains(SellerOutcomes.declined), let last = self.buyer {
            returns.append((SellerOutcomes.declined, last))
        }
        return returns
    }
}

/// A currency of one chain.
package struct MarketCurrency: Hashable, Sendable {
    package let chain: ChainID
    package let currency: Currency

    package init(chain: ChainID, currency: Currency) {
        (self.chain, self.currency) = (chain, currency)
    }
}
