package import Market
package import Storage

/// Moves records to the anchored lane once the chain bears them out, and removes those that it
/// refutes.
///
/// A record may come before this node's own chain shows as final what it rests on; it is then kept
/// in the open lane, which forgets it after some days and leaves it out when nodes compare.
package struct RecordAnchoring: Sendable {
    /// How many records of one kind are looked at for one sale.
    private static let recordsMax = 64

    /// A record of the open lane, and what the chain says of it now.
    private struct AnchorChange: Sendable {
        let id: RecordID
        let anchorStatus: AnchorStatus
    }

    private let store: Store
    private let saleIndex: SaleIndex

    package init(store: Store, saleIndex: SaleIndex) {
        (self.store, self.saleIndex) = (store, saleIndex)
    }

    /// Looks at all that may rest on these sales: listings that name them, and what their parties
    /// say of themselves.
    package func look(at sales: Set<SaleID>) async throws {
        for id in sales.sorted() {
            let reference = SaleReference(contract: saleIndex.deployment.contract, id: id)
            guard let sale = saleIndex.sale(reference) else { continue }
            let judged = try candidates(for: sale).compactMap { stored in
                stored.readable().map { record in
                    AnchorChange(
                        id: record.id,
                        anchorStatus: AnchorStatus.of(record, on: saleIndex)
                    )
                }
            }
            guard !judged.isEmpty else { continue }
            let time = Timestamp(sale.listedAt.time.date)
            try await store.writeOnceThereIsRoom { transaction in
                for record in judged {
                    switch record.anchorStatus {
                    case .anchored:
                        _ = try transaction.anchor(record.id, at: time)
                    case .refused: _ = try transaction.refuse(record.id)
                    case .open, .held: continue
                    }
                }
            }
        }
    }

    private func candidates(for sale: SaleState) throws -> [StoredRecord] {
        try store.read { transaction in
            var found = try transaction.records(
                of: .listing,
                about: sale.reference.id.hash,
                limit: Self.recordsMax
            )
            for party in sale.parties {
                for kind in [RecordKind.profile, .device] {
                    found += try transaction.records(
                        of: kind,
                        by: party,
                        limit: Self.recordsMax
                    )
                }
            }
            return found.filter { $0.lane == .open }
        }
    }
}
