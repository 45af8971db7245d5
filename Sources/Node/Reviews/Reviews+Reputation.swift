package import Client
import Keys
import Market
import Storage

extension Reviews {
    /// Returns what this node's chains show of an account as final, and what its reviews say.
    ///
    /// - Parameter text: The account's address.
    /// - Returns: Its reputation, which is empty for an account that was in no sale.
    /// - Throws: ``Refusal`` with `bad_address`.
    package func reputation(of text: String) throws -> Client.Reputation {
        let account = try Address.entered(text, field: "account")
        let sales = saleIndexes.final(saleIndexes.sales(of: account))
        let reputation = Market.Reputation(of: account, in: sales)
        let ratings = try ratings(of: account, in: sales)
        let traded = reputation.traded.map { place, amount in
            Client.Reputation.Volume(
                chain: place.chain.number,
                money: Money(amount, place.currency)
            )
        }
        return Client.Reputation(
            account: account.checksummed,
            sold: Self.endings(reputation.sold),
            bought: Self.endings(reputation.bought),
            disputed: Self.endings(
                Dictionary(uniqueKeysWithValues: reputation.disputed.map { ($0 ?? "open", $1) })
            ),
            traded: traded.sorted {
                ($0.chain, $0.money.currency) < ($1.chain, $1.money.currency)
            },
            counterparties: reputation.counterparties.count,
            rating: ratings.isEmpty ? nil : ratings.reduce(0, +) / ratings.count,
            reviewers: ratings.count,
            since: reputation.since?.date
        )
    }

    /// Counts the sales of a seller that ended as complete, sold or settled, as final here.
    ///
    /// - Parameter text: The account's address.
    /// - Returns: Their number.
    /// - Throws: ``Refusal`` with `bad_address`.
    package func completedSales(of text: String) throws -> Int {
        let account = try Address.entered(text, field: "account")
        return saleIndexes.final(saleIndexes.sales(of: account).filter { $0.seller == account })
            .reduce(0) { $0 + $1.state.endings.count(where: Self.completed.contains) }
    }

    private static let completed: Set = ["complete", "sold", "settled"]

    /// Returns the average of each reviewer's reviews of an account, in hundredths of a star.
    ///
    /// Of the sales that began last, at most ``ratedSalesMax``: reading reviews takes time.
    private func ratings(of account: Address, in sales: [Market.Sale]) throws -> [Int] {
        let reviewed = sales.filter { $0.seller == account || $0.buyer == account }
            .sorted { $0.listedAt.time > $1.listedAt.time }
            .prefix(Self.ratedSalesMax)
        var stars: [Address: [Int]] = [:]
        try store.read { transaction in
            for sale in reviewed {
                let places = try transaction.recordPlaces(
                    of: .review,
                    about: sale.id.hash,
                    beyond: nil,
                    limit: Self.reviewsOfSaleMax
                )
                let reviews = try places.compactMap {
                    try transaction.record($0.id)?.readable()
                }
                for (author, own) in Dictionary(grouping: reviews, by: \.author)
                where author != account {
                    // Two different reviews of one sale by one account weigh nothing.
                    guard own.count == 1, case .review(let review) = own[0].content,
                        review.sale == sale.reference
                    else { continue }
                    stars[author, default: []].append(review.stars)
                }
            }
        }
        return stars.values.map { $0.reduce(0, +) * 100 / $0.count }
    }

    private static let ratedSalesMax = 1_000
    /// A sale with many buyers has one of each.
    private static let reviewsOfSaleMax = 1_000

    /// Returns the endings with the most frequent one first.
    private static func endings(_ counts: [String: Int]) -> [Client.Reputation.Ending] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { Client.Reputation.Ending(phase: $0.key, count: $0.value) }
    }
}
