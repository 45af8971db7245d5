/// The kinds of sale that this program can follow: the registry of ``SaleState`` types.
package struct SaleFolds: Sendable {
    private let types: [SaleKind: any SaleState.Type]

    package init(_ types: [any SaleState.Type]) {
        self.types = Dictionary(types.map { ($0.kind, $0) }) { $1 }
    }

    /// The names of all statuses of all kinds, each once.
    package var statusNames: [String] {
        var names: [String] = []
        for type in types.values.sorted(by: { $0.kind.rawValue < $1.kind.rawValue }) {
            names += type.statusNames.filter { !names.contains($0) }
        }
        return names
    }

    /// Creates a sale from the event that creates it on a contract of `kind`.
    ///
    /// - Returns: The sale, and the money that the contract took with the event.
    func sale(
        of kind: SaleKind,
        listing event: any SaleEvent,
        contract: ContractReference,
        fees: MarketFees
    ) throws(SaleFault) -> (sale: Sale, taken: Amount) {
        guard let type = types[kind] else { throw .otherKind }
        let (state, taken) = try type.opened(by: event, contract, fees)
        var sale = Sale(state)
        sale.note(event)
        return (sale, taken)
    }
}

extension SaleState {
    fileprivate static var statusNames: [String] { Status.allCases.map(\.name) }

    fileprivate static func opened(
        by event: any SaleEvent,
        _ contract: ContractReference,
        _ fees: MarketFees
    ) throws(SaleFault) -> (any SaleState, Amount) {
        guard let event = event as? Event else { throw .otherKind }
        let state = try Self(listing: event, contract: contract, fees: fees)
        return (state, state.taken(with: event))
    }
}
