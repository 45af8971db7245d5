import Answers
package import Client
package import Concurrency
import Foundation
import Keys
import Market
package import Storage

/// Events about the listings, reviews and profiles that this node stores, by any author.
///
/// Read from the store's feed of changes: nothing more is kept for them, and each event's id is the
/// number of its change. A record that a later one has replaced, or that is gone, is left out.
///
/// Source: Docs/api.md, section 1.3.
package struct RecordEvents: Sendable {
    /// The maximum number of events per second for one reader.
    ///
    /// If more arrive, they wait in the feed.
    static let perSecondMax = 50
    /// The pause after changes without an event, so that a reader of old ones leaves others room.
    static let skippingPause = Duration.milliseconds(5)

    let store: Store
    let clock: any MonotonicClock
    let wallClock: any WallClock

    package init(
        store: Store,
        clock: any MonotonicClock = .system,
        wallClock: any WallClock = .system
    ) {
        (self.store, self.clock, self.wallClock) = (store, clock, wallClock)
    }

    /// Returns the events after `number`, then new ones; without a number, only new ones.
    package func events(after number: UInt64?) -> RecordEventStream {
        RecordEventStream(
            source: self,
            signals: store.changeNumbers(),
            after: number ?? store.newestChange
        )
    }

    /// Returns the event of a record's change; `nil` if no event is sent for it.
    fileprivate static func event(_ number: UInt64, _ stored: StoredRecord) -> Client.Event? {
        guard let record = stored.readable() else { return nil }
        let listing = ListingID(author: record.author, slot: record.slot).description
        let (type, subject): (String, String)
        switch record.content {
        case .listing: (type, subject) = ("listing", listing)
        case .withdrawal(.listing), .withdrawal(.anchoredListing):
            (type, subject) = ("listing_withdrawn", listing)
        case .review(let review): (type, subject) = ("review", review.sale.id.description)
        case .profile, .withdrawal(.profile):
            (type, subject) = ("profile", record.author.checksummed)
        case .device, .curation, .withdrawal, .laterListing: return nil
        }
        return Client.Event(
            id: number,
            time: stored.firstSeen.date,
            type: type,
            subject: subject,
            data: ["author": record.author.checksummed, "record": record.id.digest.hex]
        )
    }
}

/// The events of records, read from the store at the consumer's speed, at most
/// `RecordEvents.perSecondMax` a second.
package struct RecordEventStream: AsyncSequence, Sendable {
    fileprivate let source: RecordEvents
    fileprivate let signals: AsyncStream<UInt64>
    fileprivate let after: UInt64

    package func makeAsyncIterator() -> Iterator {
        Iterator(source: source, signals: signals.makeAsyncIterator(), last: after)
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: RecordEvents
        fileprivate var signals: AsyncStream<UInt64>.Iterator
        fileprivate var last: UInt64
        private var ready: ArraySlice<Client.Event> = []
        private var pauseUntil = Duration.zero

        fileprivate init(
            source: RecordEvents,
            signals: AsyncStream<UInt64>.Iterator,
            last: UInt64
        ) {
            (self.source, self.signals, self.last) = (source, signals, last)
        }

        package mutating func next() async throws -> Client.Event? {
            while true {
                if let event = ready.popFirst() { return event }
                let pause = pauseUntil - source.clock.uptime
                if pause > .zero { try await source.clock.wait(pause) }
                try Task.checkCancellation()
                if try read() { continue }
                if await signals.next(isolation: #isolation) == nil { return nil }
            }
        }

        /// Reads what follows in the feed; `false` if there is nothing yet.
        private mutating func read() throws -> Bool {
            let (from, limit) = (last, RecordEvents.perSecondMax)
            let (page, events) = try source.store.read { transaction in
                let page = try transaction.changes(after: from, limit: limit)
                let events = try page.changes.compactMap { change in
                    try transaction.record(change.record)
                        .flatMap { RecordEvents.event(change.number, $0) }
                }
                return (page, events)
            }
            guard let newest = page.changes.last?.number ?? (page.isGap ? page.last : nil) else {
                return false
            }
            if page.isGap {
                let first = page.changes.first?.number ?? page.last + 1
                ready = [.gap(before: first, at: source.wallClock.now)]
            }
            ready += events
            last = newest
            let pause = Duration.seconds(1) * events.count / RecordEvents.perSecondMax
            pauseUntil = source.clock.uptime
            pauseUntil += events.isEmpty ? RecordEvents.skippingPause : pause
            return true
        }
    }
}
