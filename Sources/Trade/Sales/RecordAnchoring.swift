import Answers
package import Market
import Records
package import Storage

/// Moves records to the anchored lane once the chain confirms them, and removes those it refutes.
///
/// A record may arrive before this node's own chain shows its sale as final. The record is then
/// kept in the open lane, which forgets it after some days and is left out when nodes compare
/// records.
package struct RecordAnchoring: Sendable {
    /// The maximum number of records of one kind that are checked for one sale.
    private static let recordsMax = 64

    private let store: Store
    /// The sales of the chain that is looked at.
    private let saleIndex: SaleIndex
    /// Those of all chains: a record may rest on any of them.
    private let view: SaleIndexes

    package init(store: Store, saleIndex: SaleIndex, view: SaleIndexes) {
        (self.store, self.saleIndex, self.view) = (store, saleIndex, view)
    }

    /// Checks all open records that may rest on these sales.
    ///
    /// These are the listings that name a sale, and the profiles and devices of its parties.
    package func look(at sales: Set<SaleID>) async throws {
        for id in sales.sorted() {
            guard let reference = saleIndex.view(of: id)?.sale.reference,
                let sale = saleIndex.sale(reference)
            else { continue }
            let decided = try candidates(for: sale).compactMap { stored in
                stored.readable().map { ($0, AnchorStatus.of($0, on: view)) }
            }.filter { $0.1.isDecided }
            guard !decided.isEmpty else { continue }
            let time = Timestamp(sale.listedAt.time.date)
            try await store.writeOnceThereIsRoom { transaction in
                for (record, status) in decided {
                    try transaction.settleOpen(record, status, at: time)
                }
            }
        }
    }

    private func candidates(for sale: Sale) throws -> [StoredRecord] {
        try store.read { transaction in
            var found = try transaction.records(
                of: .listing,
                about: sale.id.hash,
                limit: Self.recordsMax
            )
            for party in sale.parties {
                for kind in [RecordKind.profile, .device] {
                    found += try transaction.records(of: kind, by: party, limit: Self.recordsMax)
                }
            }
            return found.filter { $0.lane == .open }
        }
    }
}
