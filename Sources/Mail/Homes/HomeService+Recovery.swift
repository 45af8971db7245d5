import AccountAccess
import Keys
import Market
import Records
import Storage

extension HomeService {
    /// Looks for the profile of an account that was restored from its key.
    ///
    /// - Returns: Whether it is not known and still looked for.
    func isAwaitingProfile(of account: Address) async throws -> Bool {
        let name = RecoveryMark.setting(of: account)
        let held = try store.read { try $0.get(Settings.self, name) }
        guard var mark = held.flatMap(RecoveryMark.init) else { return false }
        var isKnown = try hasProfileRecord(of: account)
        if !isKnown {
            let isAnswered = await client.lookUp(account)
            if isAnswered, mark.answered == nil { mark.answered = now }
            isKnown = try hasProfileRecord(of: account)
        }
        let isLooking = mark.isLooking(
            at: now,
            patience: settings.recoveryPatience,
            alone: settings.recoveryAlone
        )
        let isOver = isKnown || !isLooking
        let bytes = mark.bytes
        guard isOver || bytes != held else { return true }
        try await store.write { transaction in
            if isOver {
                try transaction.remove(Settings.self, name)
            } else {
                try transaction.put(Settings.self, name, bytes)
            }
        }
        return !isOver
    }

    /// Whether the store has the account's profile, or the record that withdrew it.
    private func hasProfileRecord(of account: Address) throws -> Bool {
        let place = RecordKey(author: account, kind: .profile, slot: .zero)
        return try store.read { try $0.record(in: place) } != nil
    }
}
