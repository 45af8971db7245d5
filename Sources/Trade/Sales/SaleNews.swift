package import Keys
package import Market

/// Notices to accounts about one sale: an event when it is seen and when it is final, or the
/// remaining state after events were taken back.
package struct SaleNews: Equatable, Sendable {
    package let sale: SaleReference
    /// The event; `nil` if events were taken back.
    package let event: EventPosition?
    /// The status of the sale then, by its name in the API.
    package let phase: String
    /// The fields that the kind of sale adds, by the names of the API.
    package let details: [String: String]
    /// The accounts to notify, each with the name of its role then.
    package let roles: [Address: String]
    /// Confirmations of the event, or else of the last one that is left.
    package fileprivate(set) var confirmations: UInt64
    package let isFinal: Bool

    /// Creates the news of a sale for some accounts; `nil` if it concerns none of them.
    init?(
        of sale: Market.Sale,
        event: EventPosition?,
        to audience: [Address: SaleRole],
        confirmations: UInt64,
        isFinal: Bool
    ) {
        let roles = audience.filter { $0.value != .stranger }.mapValues(\.name)
        guard !roles.isEmpty else { return nil }
        (self.sale, self.event, self.roles) = (sale.reference, event, roles)
        (phase, details) = (sale.status.name, sale.state.news)
        (self.confirmations, self.isFinal) = (confirmations, isFinal)
    }
}

extension SaleBook {
    /// Records the news for watched accounts about an event that was just applied to `sale`.
    ///
    /// An event that accompanies another one, such as a credit, is not news of its own.
    mutating func note(_ event: any SaleEvent, of sale: Market.Sale, isFinal: Bool) {
        guard !watched.isEmpty, Self.move(sale.state, event) != nil else { return }
        let item = SaleNews(
            of: sale,
            event: event.position,
            to: sale.audience(of: event).filter { watched.contains($0.key) },
            confirmations: isFinal ? confirmations : 0,
            isFinal: isFinal
        )
        if let item { news.append(item) }
    }

    /// Returns the watched accounts that events concern as the sales are now, by sale.
    func audiences(of events: [SaleLedger.Event]) -> [SaleID: Set<Address>] {
        var audiences: [SaleID: Set<Address>] = [:]
        for event in events.compactMap(\.saleEvent) where !watched.isEmpty {
            guard let sale = newest.sales[event.sale],
                let mover = Self.move(sale.state, event)?.account
            else { continue }
            let told = sale.audience(of: event).keys + [mover]
            audiences[event.sale, default: []].formUnion(watched.intersection(told))
        }
        return audiences
    }

    /// Returns the move that an event reports, which some events name only with their sale's state.
    private static func move<State: SaleState>(
        _ state: State,
        _ event: any SaleEvent
    ) -> ReportedMove? {
        (event as? State.Event).flatMap { state.move(reportedBy: $0) }
    }

    /// Records that sales have changed their state, for the accounts that this concerns.
    mutating func noteTakenBack(_ audiences: [SaleID: Set<Address>]) {
        for (id, accounts) in audiences.sorted(by: { $0.key < $1.key }) {
            guard let sale = newest.sales[id] else { continue }
            let view = SaleView(sale, in: self)
            let item = SaleNews(
                of: sale,
                event: nil,
                to: Dictionary(uniqueKeysWithValues: accounts.map { ($0, sale.role(of: $0)) }),
                confirmations: view.confirmations,
                isFinal: view.isFinal
            )
            if let item { news.append(item) }
        }
    }

    /// Returns the news since the last call: first the events that were taken back, then events in
    /// their order.
    ///
    /// An event that is already final is reported only as final.
    package mutating func takeNews() -> [SaleNews] {
        defer { news = [] }
        let final = Set(news.filter(\.isFinal).compactMap(\.event))
        var takenBack: [SaleNews] = []
        var told: [(event: EventPosition, news: SaleNews)] = []
        for var item in news {
            guard let event = item.event else {
                takenBack.append(item)
                continue
            }
            guard item.isFinal || !final.contains(event) else { continue }
            if !item.isFinal {
                let depth = confirmations(ofHeight: event.blockNumber)
                item.confirmations = min(depth, confirmations - 1)
            }
            told.append((event, item))
        }
        return takenBack + told.sorted { $0.event < $1.event }.map(\.news)
    }
}
