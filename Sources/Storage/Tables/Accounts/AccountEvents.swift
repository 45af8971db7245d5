package import Keys
package import Market

/// Events that the API sends to an account, numbered without gaps from 1.
enum AccountEvents: Table {
    typealias Key = CompositeKey<Address, UInt64>
    typealias Value = AccountEvent
    static let name = "account-events"
}

/// One event of an account.
package struct AccountEvent: TableValue, Equatable {
    package let time: Timestamp
    /// The event, in the form of the log of events.
    package let bytes: [UInt8]

    package init(time: Timestamp, bytes: [UInt8]) {
        (self.time, self.bytes) = (time, bytes)
    }

    package var storedByteCount: Int { 8 + bytes.count }

    package func write(to writer: inout ByteWriter) { writer.write(time, bytes) }

    package init(from reader: inout ByteReader) throws(FormError) {
        time = try reader.read()
        bytes = reader.readRest()
    }
}

/// Some of an account's events, in order.
package struct AccountEventPage: Sendable {
    package let events: [(number: UInt64, event: AccountEvent)]
    package let last: UInt64
    /// Whether events after the number asked for are forgotten, or never were.
    package let isGap: Bool
}

extension WriteTransaction {
    /// Reports something to an account, and removes expired events; never the last event, which has
    /// the count.
    ///
    /// - Returns: The event's number.
    package mutating func appendEvent(
        _ event: AccountEvent,
        for account: Address
    ) throws -> UInt64 {
        let number = try lastEventNumber(of: account) + 1
        try put(AccountEvents.self, CompositeKey(account, number), event)
        let (lifetime, eventsMax) = (limits.eventLifetime, UInt64(try eventsMax()))
        let old = try entries(
            AccountEvents.self,
            .prefix(account),
            limit: limits.sweepEntriesMax
        ) { key, kept in
            let isOver = number - key.second >= eventsMax
            return key.second < number
                && (isOver || kept.time.advanced(by: lifetime) <= event.time)
        }
        for (key, _) in old { try remove(AccountEvents.self, key) }
        return number
    }

    /// The maximum number of events of one account now: an equal share of those for which the store
    /// has room.
    private func eventsMax() throws -> Int {
        let room = limits.allEventBytesMax / limits.eventBytes
        return min(limits.accountEventsMax, max(1, room / max(1, try count(AccountEntries.self))))
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The number of an account's last event; 0 if it has none.
    package func lastEventNumber(of account: Address) throws -> UInt64 {
        try keys(AccountEvents.self, .prefix(account, .descending), limit: 1).first?.second ?? 0
    }

    /// An account's events after `number`, at most `limit`.
    package func events(
        of account: Address,
        after number: UInt64,
        limit: Int
    ) throws -> AccountEventPage {
        let last = try lastEventNumber(of: account)
        let scan = Scan<CompositeKey<Address, UInt64>>.prefix(account).beyond(
            CompositeKey(account, number)
        )
        let events = try entries(AccountEvents.self, scan, limit: limit)
            .map { ($0.key.second, $0.value) }
        let isGap = number > last || events.first.map { $0.0 != number + 1 } ?? false
        return AccountEventPage(events: events, last: last, isGap: isGap)
    }
}
