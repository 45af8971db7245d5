package import Keys
package import Market

/// What an account is told of by the API, numbered without gaps from 1.
enum AccountEvents: Table {
    typealias Key = Pair<Address, UInt64>
    typealias Value = AccountEvent
    static let name = "account-events"
}

/// One event of an account.
package struct AccountEvent: TableValue, Equatable {
    package let time: Timestamp
    /// The event in the API's form.
    package let bytes: [UInt8]

    package init(time: Timestamp, bytes: [UInt8]) {
        (self.time, self.bytes) = (time, bytes)
    }

    package var storedByteCount: Int { 8 + bytes.count }

    package func write(to writer: inout ByteWriter) {
        writer.append(time.milliseconds)
        writer.append(bytes)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        time = Timestamp(milliseconds: try reader.read())
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
    /// Tells an account of something, and forgets what is too old; never the last event, which
    /// holds the count.
    ///
    /// - Returns: The event's number.
    package mutating func appendEvent(
        _ event: AccountEvent,
        for account: Address
    ) throws -> UInt64 {
        let number = try lastEventNumber(of: account) + 1
        try put(AccountEvents.self, Pair(account, number), event)
        var old: [UInt64] = []
        try scan(AccountEvents.self, .prefix(account)) { key, kept in
            let end = kept.time.advanced(by: limits.eventLifetime)
            let isOver = number - key.second >= UInt64(limits.accountEventsMax)
            guard end <= event.time || isOver, key.second < number,
                old.count < limits.sweepEntriesMax
            else { return false }
            old.append(key.second)
            return true
        }
        for place in old { try remove(AccountEvents.self, Pair(account, place)) }
        return number
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The number of an account's last event; 0 where it has none.
    package func lastEventNumber(of account: Address) throws -> UInt64 {
        var number: UInt64 = 0
        try scanKeys(AccountEvents.self, .prefix(account, .descending)) { key in
            number = key.second
            return false
        }
        return number
    }

    /// An account's events behind `number`, at most `limit`.
    package func events(
        of account: Address,
        after number: UInt64,
        limit: Int
    ) throws -> AccountEventPage {
        let last = try lastEventNumber(of: account)
        var events: [(UInt64, AccountEvent)] = []
        if limit > 0, number < last {
            let scan = Scan<Pair<Address, UInt64>>.prefix(account).beyond(Pair(account, number))
            try self.scan(AccountEvents.self, scan) { key, event in
                events.append((key.second, event))
                return events.count < limit
            }
        }
        let isGap = number > last || events.first.map { $0.0 != number + 1 } ?? false
        return AccountEventPage(events: events, last: last, isGap: isGap)
    }
}
