package import Concurrency
import Contracts
import Ethereum
import Market
package import Records

extension ClockWatch {
    /// Compares the clock with the times of chains too.
    package convenience init(clock: any WallClock, saleIndexes: SaleIndexes) {
        self.init(clock: clock) { now in
            saleIndexes.all.compactMap { $0.reading(at: now) }
        }
    }
}

extension SaleIndex {
    /// The chain's time, compared with the wall clock.
    ///
    /// No block comes from the future, so one that is ahead of the wall clock always counts. One
    /// that is behind counts only if it followed another one: an idle chain's newest block may be
    /// old.
    ///
    /// - Parameter now: The wall clock's time, in seconds of Unix time.
    /// - Returns: `nil` if the chain's time says nothing.
    fileprivate func reading(at now: Int64) -> ClockComparison.ChainReading? {
        guard let head, let time else { return nil }
        let lead = Int64(clamping: time.seconds) - now
        guard lead > 0 || head.isFollowed else { return nil }
        return ClockComparison.ChainReading(
            lead: .seconds(lead),
            isOfDevelopment: deployment.chain.isOfDevelopment
        )
    }
}
