import Client
import Keys
import Market

extension WatchedDeadline {
    /// Returns the next deadline of a sale, if the account gains or loses by it.
    ///
    /// It loses the moves that end with the deadline, and gains by later moves that are in its
    /// favour or that it alone can make.
    ///
    /// - Parameters:
    ///   - sale: The sale.
    ///   - account: An account that the sale concerns.
    ///   - service: The service of the sale's kind.
    ///   - time: The chain's present time.
    init?(
        of sale: Market.Sale,
        for account: Address,
        by service: some SaleKindService,
        at time: ChainTime
    ) {
        guard let deadline = sale.state.deadline(after: time) else { return nil }
        func names(_ account: Address, _ time: ChainTime) -> [String] {
            service.actions(in: sale, for: account, at: time).map(\.move)
        }
        // A buyer loses nothing when the offer ends, unless bids are repeated.
        let purchase = sale.state.highestBid == nil ? type(of: service).purchaseName : nil
        let closes = service.actions(in: sale, for: account, at: time)
            .filter { $0.until == deadline.at.date && $0.move != purchase }.map(\.move)
        let before = names(account, time)
        let anyone = names(.zero, deadline.at)
        let own = names(account, deadline.at).filter {
            !before.contains($0) && !anyone.contains($0)
        }
        let due = sale.state.dueMoves(for: account, at: deadline.at)
            .filter { $0.since == deadline.at }.map(\.name)
        guard !(closes.isEmpty && own.isEmpty && due.isEmpty) else { return nil }
        self.init(
            at: deadline.at,
            setAt: sale.state.deadlineSetAt,
            consequence: deadline.consequence,
            closes: closes,
            opens: due + own.filter { !due.contains($0) }
        )
    }
}
