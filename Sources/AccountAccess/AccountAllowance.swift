import Answers
package import Foundation
package import Keys

/// The accounts that other machines created without the operator's token in the last hour.
///
/// Pure: the caller passes the time. In total there can be as many as the operator allows, at most
/// a quarter of them from one network, which is a subnet here (/24 of IPv4, /48 of IPv6). A slot
/// stays taken when its account is removed or the node restarts.
///
/// Source: Docs/limits.md, section 3.1.
package struct AccountAllowance: Equatable, Sendable {
    private static let hour: TimeInterval = 3_600

    /// One account.
    package struct Entry: Equatable, Sendable {
        package let network: String
        package let time: Date

        package init(network: String, time: Date) { (self.network, self.time) = (network, time) }
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    /// Returns how long a network must wait for its next account, in seconds; `nil` if it need not.
    package func wait(for network: String, perHour: Int, at now: Date) -> TimeInterval? {
        let recent = entries.filter { $0.time.addingTimeInterval(Self.hour) > now }
        let own = recent.filter { $0.network == network }
        let share = max(1, perHour / 4)
        // The entry that has to become an hour old before there is room again.
        let blocking = [
            recent.count >= perHour ? recent.dropLast(max(0, perHour - 1)).last : nil,
            own.count >= share ? own.dropLast(share - 1).last : nil,
        ]
        return blocking.compactMap { $0?.time.addingTimeInterval(Self.hour) }.max()
            .map { max(1, $0.timeIntervalSince(now)) }
    }

    package mutating func take(_ entry: Entry) {
        // Measured from the new entry, so that a clock that was set back frees no slot.
        entries.removeAll { $0.time.addingTimeInterval(Self.hour) <= entry.time }
        entries.append(entry)
    }

    /// Frees the slot of an account that was not created after all.
    package mutating func giveBack(_ entry: Entry) {
        if let place = entries.lastIndex(of: entry) { entries.remove(at: place) }
    }
}

extension AccountAllowance: StoredValue {
    package func write(to writer: inout StoredWriter) { writer.write(entries) }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        entries = try reader.values(of: Entry.self)
    }
}

extension AccountAllowance.Entry: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(network)
        writer.write(time)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        (network, time) = (try reader.text(), try reader.date())
    }
}
