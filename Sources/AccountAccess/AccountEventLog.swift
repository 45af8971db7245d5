import Answers
package import Client
package import Concurrency
import Foundation
package import Keys
import Logging
import Market
package import Storage

/// An event, as accounts receive it.
package struct News: Equatable, Sendable {
    package let type: String
    package let subject: String
    package let data: [String: String]

    package init(_ type: String, subject: String, data: [String: String] = [:]) {
        (self.type, self.subject, self.data) = (type, subject, data)
    }
}

/// The events of each account, in order, kept for a week and sent to all listeners.
///
/// Source: Docs/api.md, section 1.3.
package struct AccountEventLog: Sendable {
    private let store: Store
    private let clock: any WallClock
    private let changes = Broadcast<Void>()

    package init(store: Store, clock: any WallClock = .system) {
        self.store = store
        self.clock = clock
    }

    /// Records an event for one account, or for every account of the node if `account` is `nil`.
    package func record(
        _ type: String,
        subject: String,
        data: [String: String] = [:],
        words: [Sentence]? = nil,
        for account: Address?
    ) async throws {
        try await store.writeOnceThereIsRoom { transaction in
            try note(
                type,
                subject: subject,
                data: data,
                words: words,
                for: account,
                in: &transaction
            )
        }
        signal()
    }

    /// Writes an event in the transaction of its change, so that both are kept or neither.
    ///
    /// Call ``signal()`` once the transaction is durable, so that listeners get the event.
    package func note(
        _ type: String,
        subject: String,
        data: [String: String] = [:],
        words: [Sentence]? = nil,
        for account: Address?,
        in transaction: inout WriteTransaction
    ) throws {
        let event = StoredEvent(type: type, subject: subject, data: data, words: words)
        let stored = AccountEvent(time: clock.timestamp, bytes: event.storedBytes)
        let accounts = try account.map { [$0] } ?? transaction.keys(AccountEntries.self, .all())
        for address in accounts { _ = try transaction.appendEvent(stored, for: address) }
    }

    /// Signals new events to all streams.
    package func signal() { changes.send() }

    /// Returns an account's events after `number`, then new ones; without a number, only new ones.
    package func events(of account: Address, after number: UInt64?) -> AccountEventStream {
        AccountEventStream(
            store: store,
            clock: clock,
            signals: changes.values(),
            account: account,
            after: number
        )
    }

    /// Ends every stream of events.
    package func end() { changes.finish() }
}

/// The events of one account, read from the store as fast as the consumer takes them.
package struct AccountEventStream: AsyncSequence, Sendable {
    private static let pageSize = 100

    fileprivate let store: Store
    fileprivate let clock: any WallClock
    fileprivate let signals: AsyncStream<Void>
    fileprivate let account: Address
    fileprivate let after: UInt64?

    package func makeAsyncIterator() -> Iterator {
        Iterator(source: self, signals: signals.makeAsyncIterator())
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: AccountEventStream
        fileprivate var signals: AsyncStream<Void>.Iterator
        private var last: UInt64?
        private var ready: ArraySlice<Client.Event> = []

        fileprivate init(source: AccountEventStream, signals: AsyncStream<Void>.Iterator) {
            self.source = source
            self.signals = signals
            last = source.after
        }

        package mutating func next() async throws -> Client.Event? {
            while true {
                if let event = ready.popFirst() { return event }
                try read()
                if ready.isEmpty, await signals.next(isolation: #isolation) == nil { return nil }
            }
        }

        private mutating func read() throws {
            let account = source.account
            guard let behind = last else {
                last = try source.store.read { try $0.lastEventNumber(of: account) }
                return
            }
            let page = try source.store.read {
                try $0.events(of: account, after: behind, limit: AccountEventStream.pageSize)
            }
            var events: [Client.Event] = []
            if page.isGap {
                let first = page.events.first?.number ?? page.last + 1
                events.append(.gap(before: first, at: source.clock.now))
                last = page.events.first.map { $0.number - 1 } ?? page.last
            }
            for (number, stored) in page.events {
                events.append(try stored.shown(number))
                last = number
            }
            ready = events[...]
        }
    }
}
