import Keys
import Market
import Storage

/// Says of an account that it came here with a key that may be older than this node: its profile is
/// looked for at other nodes before this one publishes any, which would take the place of the one
/// that names the account's homes.
struct RecoveryMark: Equatable {
    /// When the account came here.
    let began: Timestamp
    /// When a peer first answered a question about it; `nil` if none has.
    var answered: Timestamp?

    init(began: Timestamp, answered: Timestamp? = nil) {
        (self.began, self.answered) = (began, answered)
    }

    /// Reads ``bytes``; `nil` if they are damaged.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let numbers = [bytes[..<8], bytes[8...]].map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
        began = Timestamp(milliseconds: numbers[0])
        answered = numbers[1] == 0 ? nil : Timestamp(milliseconds: numbers[1])
    }

    var bytes: [UInt8] {
        [began.milliseconds, answered?.milliseconds ?? 0].flatMap { number in
            (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
    }

    /// Returns whether to look on.
    ///
    /// Peers that do not know the profile answer too, so others get some time; a node without peers
    /// waits for one, but not for ever.
    func isLooking(at now: Timestamp, _ settings: ChatSettings) -> Bool {
        guard let answered else { return began.advanced(by: settings.recoveryAlone) > now }
        return answered.advanced(by: settings.recoveryPatience) > now
    }

    /// The name of the setting that holds an account's mark.
    static func setting(of account: Address) -> String { "recovery \(account)" }
}

extension HomeService {
    /// Looks for the profile of an account that came here with its key.
    ///
    /// - Returns: Whether it is not known and still looked for.
    func isAwaitingProfile(of account: Address) async throws -> Bool {
        let name = RecoveryMark.setting(of: account)
        let held = try store.read { try $0.get(Settings.self, name) }
        guard var mark = held.flatMap(RecoveryMark.init) else { return false }
        var isKnown = try store.read { try $0.profile(of: account) } != nil
        if !isKnown {
            let isAnswered = await client.lookUp(account)
            if isAnswered, mark.answered == nil { mark.answered = now }
            isKnown = try store.read { try $0.profile(of: account) } != nil
        }
        let isOver = isKnown || !mark.isLooking(at: now, settings)
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
}
