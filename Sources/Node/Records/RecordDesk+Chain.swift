package import Market
package import Storage

extension RecordDesk {
    private static let heldPerRoundMax = 256
    private static let heldPerSaleMax = 64
    private static let openPerRoundMax = 512
    private static let renewedPerRoundMax = 256

    /// Judges again what waited for the chain, some at a time.
    ///
    /// Call it with what it returned the time before, so that all get their turn: those in front
    /// may be such as the chain never bears out.
    ///
    /// - Returns: Where to go on; `nil` begins anew.
    @discardableResult
    package func judgeHeld(after place: HeldPlace? = nil) async throws -> HeldPlace? {
        let held = try store.read {
            try $0.heldRecords(after: place, limit: Self.heldPerRoundMax)
        }
        for (place, waiting) in held { try await judge(place.second, waiting) }
        return held.count < Self.heldPerRoundMax ? nil : held.last?.place
    }

    /// Judges at once what waited for these sales, so that it waits no longer than the chain does.
    package func judgeHeld(about sales: Set<SaleID>) async throws {
        for sale in sales.sorted() {
            let held = try store.read {
                try $0.heldRecords(about: sale.hash, limit: Self.heldPerSaleMax)
            }
            for (id, waiting) in held { try await judge(id, waiting) }
        }
    }

    private func judge(_ id: RecordID, _ waiting: HeldRecord) async throws {
        if let record = SignedRecord(readable: waiting.bytes, id: id) {
            switch RecordStanding.of(record, on: view) {
            case .held: return
            // It named a sale, or it would not wait; without one it would have needed a stamp.
            case .refused, .open: break
            case .anchored:
                let isNews = try await keep(record, .anchored, from: waiting.origin)
                if isNews { await announce(record.bytes) }
            }
        }
        try await store.write { [limits = store.limits] in try $0.release(id, limits: limits) }
    }

    /// Shows peers again the records by which accounts are found whose mail is kept here, before
    /// they forget them; some at a time.
    ///
    /// No key is needed for that, so it is done also while an account is locked.
    package func renewKept() async throws {
        let now = Timestamp(clock.now)
        let due = try store.read {
            try $0.recordsToRenew(at: now, limits: store.limits, limit: Self.renewedPerRoundMax)
        }
        for record in due where record.readable() != nil {
            let id = record.version.id
            let isRenewed = try await store.write { [limits = store.limits] in
                try $0.renew(id, at: now, limits: limits)
            }
            if isRenewed { await announce(record.bytes) }
        }
    }

    /// Moves records that the chain bears out by now to the lane that lasts, some at a time.
    ///
    /// Call it with what it returned the time before, so that all get their turn.
    ///
    /// - Returns: Where to go on; `nil` begins anew.
    package func judgeOpen(after place: RecordExpiryKey?) async throws -> RecordExpiryKey? {
        let places = try store.read {
            try $0.recordPlaces(in: .open, after: place, limit: Self.openPerRoundMax)
        }
        let now = Timestamp(clock.now)
        for id in places.map(\.id) {
            guard let record = try store.read({ try $0.record(id) })?.readable() else { continue }
            switch RecordStanding.of(record, on: view) {
            case .anchored:
                _ = try await store.write { [limits = store.limits] in
                    try $0.anchor(id, at: now, limits: limits)
                }
            case .refused:
                _ = try await store.write { [limits = store.limits] in
                    try $0.refuse(id, limits: limits)
                }
            case .open, .held: continue
            }
        }
        return places.count < Self.openPerRoundMax ? nil : places.last
    }
}
