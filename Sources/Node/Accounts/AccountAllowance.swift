import Foundation

/// The accounts that were made from other machines without the operator's token in the last hour.
///
/// Pure: it is told the time. At most so many in all as the operator allows, and of one network at
/// most a quarter of them. What was taken stays taken when the account is removed, or the node
/// restarts.
///
/// Source: Docs/operations.md, section "API".
struct AccountAllowance: Codable, Equatable, Sendable {
    /// The most that the operator can allow.
    static let perHourMax = 1_000
    private static let hour: TimeInterval = 3_600

    /// One account.
    struct Entry: Codable, Equatable, Sendable {
        let network: String
        let time: Date
    }

    private(set) var entries: [Entry] = []

    /// How long a network must wait for its next account, in seconds; `nil` if it need not.
    func wait(for network: String, perHour: Int, at now: Date) -> TimeInterval? {
        let recent = entries.filter { $0.time.addingTimeInterval(Self.hour) > now }
        let own = recent.filter { $0.network == network }
        let share = max(1, perHour / 4)
        // The one that has to be an hour old before there is room again.
        let blocking = [
            recent.count >= perHour ? recent.dropLast(max(0, perHour - 1)).last : nil,
            own.count >= share ? own.dropLast(share - 1).last : nil,
        ]
        return blocking.compactMap { $0?.time.addingTimeInterval(Self.hour) }.max()
            .map { max(1, $0.timeIntervalSince(now)) }
    }

    mutating func take(_ entry: Entry) {
        // By the latest, so that a clock that was set back frees none.
        entries.removeAll { $0.time.addingTimeInterval(Self.hour) <= entry.time }
        entries.append(entry)
    }

    /// Gives back what was taken for an account that was not made after all.
    mutating func giveBack(_ entry: Entry) {
        if let place = entries.lastIndex(of: entry) { entries.remove(at: place) }
    }
}
