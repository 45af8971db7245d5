package import Concurrency
import Keys
import Market
package import Storage
import Synchronization

/// How many stars accounts got in reviews, as their reputation says.
///
/// Reading reviews takes time. So an average is used for a minute, and a search reads those of a
/// limited number of accounts (``Lookups``).
package final class SellerStars: Sendable {
    /// How many averages one search can still read.
    struct Lookups {
        var left = 200
        /// Whether one was wanted and could not be read.
        var areOver = false
    }

    /// The stars that an account got.
    struct Reviews {
        /// In hundredths of a star.
        let average: Int
        /// How many accounts reviewed it.
        let reviewers: Int
    }

    /// How long an average is used.
    static let lifetime = Duration.seconds(60)
    /// The maximum number of averages that are kept.
    private static let keptMax = 10_000
    /// The maximum number of sales whose reviews count: those that began last.
    private static let salesMax = 1_000
    /// A sale with many buyers has one review of each.
    private static let reviewsOfSaleMax = 1_000

    private struct Average {
        /// `nil` without a review.
        let reviews: Reviews?
        /// When it was read, as uptime.
        let read: Duration
    }

    private let saleIndexes: SaleIndexes
    private let store: Store
    private let clock: any MonotonicClock
    private let averages = Mutex<[Address: Average]>([:])

    package init(
        saleIndexes: SaleIndexes,
        store: Store,
        clock: any MonotonicClock
    ) {
        (self.saleIndexes, self.store, self.clock) = (saleIndexes, store, clock)
    }

    /// Returns the average of an account, up to a minute old, in hundredths of a star; `nil` if
    /// there are no reviews, or the search has read too many.
    func average(of account: Address, _ lookups: inout Lookups) throws -> Int? {
        try reviews(of: account, &lookups)?.average
    }

    /// Returns the stars of an account, as ``average(of:_:)``.
    func reviews(of account: Address, _ lookups: inout Lookups) throws -> Reviews? {
        let now = clock.uptime
        if let known = averages.withLock({ $0[account] }), now - known.read < Self.lifetime {
            return known.reviews
        }
        guard lookups.left > 0 else {
            lookups.areOver = true
            return nil
        }
        lookups.left -= 1
        let ratings = try ratings(
            of: account,
            in: saleIndexes.final(saleIndexes.sales(of: account))
        )
        let reviews = Self.average(ratings).map {
            Reviews(average: $0, reviewers: ratings.count)
        }
        averages.withLock { averages in
            if averages.count >= Self.keptMax {
                averages = averages.filter { now - $0.value.read < Self.lifetime }
            }
            guard averages.count < Self.keptMax else { return }
            averages[account] = Average(reviews: reviews, read: now)
        }
        return reviews
    }

    /// The average of several accounts' ratings; `nil` if there are none.
    static func average(_ ratings: [Int]) -> Int? {
        ratings.isEmpty ? nil : ratings.reduce(0, +) / ratings.count
    }

    /// Returns the average of each reviewer's reviews of an account, in hundredths of a star.
    func ratings(of account: Address, in sales: [Market.Sale]) throws -> [Int] {
        let reviewed = sales.filter { $0.seller == account || $0.buyer == account }
            .sorted { $0.listedAt.time > $1.listedAt.time }
            .prefix(Self.salesMax)
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
                for own in Dictionary(grouping: reviews, by: \.key).values
                where own[0].author != account {
                    // Two different reviews of one round by one account weigh nothing.
                    guard own.count == 1, case .review(let review) = own[0].content,
                        review.sale == sale.reference
                    else { continue }
                    stars[own[0].author, default: []].append(review.stars)
                }
            }
        }
        return stars.values.map { $0.reduce(0, +) * 100 / $0.count }
    }
}
