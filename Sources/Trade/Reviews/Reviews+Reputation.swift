import Answers
package import Client
package import Foundation
import Keys
import Market

extension Reviews {
    /// Returns an account's final record on this node's chains, and its reviews.
    ///
    /// - Parameter text: The account's address.
    /// - Returns: Its reputation, which is empty for an account that was in no sale.
    /// - Throws: ``Refusal`` with `bad_address`.
    package func reputation(of text: String) throws -> Client.Reputation {
        let account = try Address.entered(text, field: "account")
        let sales = saleIndexes.final(saleIndexes.sales(of: account))
        let reputation = Market.Reputation(of: account, in: sales) { hasFinished($0) }
        let ratings = try stars.ratings(of: account, in: sales)
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
            setAside: Self.endings(reputation.setAside),
            disputed: Self.endings(
                Dictionary(uniqueKeysWithValues: reputation.disputed.map { ($0 ?? "open", $1) })
            ),
            disputesLost: reputation.disputesLost,
            traded: traded.sorted {
                ($0.chain, $0.money.currency) < ($1.chain, $1.money.currency)
            },
            counterparties: reputation.counterparties.count,
            rating: SellerStars.average(ratings),
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
            .reduce(0) { $0 + $1.state.endings.count(where: SellerOutcomes.finished.contains) }
    }

    /// Returns listings that state an identifier, with how many sales of each author are complete,
    /// and since when each has its token.
    package func uses(
        _ listings: [Client.Listing],
        since: @Sendable (Client.Listing) throws -> Date?
    ) async throws -> [IdentifierCheck.Use] {
        var uses: [IdentifierCheck.Use] = []
        for listing in listings {
            uses.append(
                IdentifierCheck.Use(
                    listing: listing.id,
                    title: listing.content.title,
                    author: listing.author,
                    state: listing.state,
                    status: listing.status,
                    authorsSales: try completedSales(of: listing.author),
                    tokenSince: try since(listing)
                )
            )
        }
        return uses
    }

    /// Returns whether an account has a sale that ended well, as final here.
    private func hasFinished(_ account: Address) -> Bool {
        saleIndexes.final(saleIndexes.sales(of: account)).contains { sale in
            sale.role(of: account) != .stranger
                && !SellerOutcomes.finished.isDisjoint(with: sale.state.endings)
        }
    }

    /// Returns the endings with the most frequent one first.
    private static func endings(_ counts: [String: Int]) -> [Client.Reputation.Ending] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { Client.Reputation.Ending(phase: $0.key, count: $0.value) }
    }
}
