import Concurrency

/// The subjects of events.
public enum EventSource: String, CaseIterable, Sendable {
    /// Events of the signed-in account: its sales, operations and mail.
    case account
    /// Events about the listings, reviews and profiles that the node stores, by any author.
    case records
}

/// The events of the signed-in account, or of the node's records, in order, as long as they are
/// asked for.
///
/// The stream connects when the first event is requested, and reconnects automatically. It
/// continues after the last event that it returned, or after the given starting event, so that no
/// event is missed or repeated. Without either, events are missed while it is not connected. If the
/// node no longer stores the events in between, an event of type `gap` says so. The stream ends
/// with an error if the node refuses, and when its task is cancelled.
public struct EventStream: AsyncSequence, Sendable {
    public typealias Element = Event

    let client: StoaClient
    let source: EventSource
    let after: UInt64?
    /// Called once each time the node has stopped answering.
    var whenAway: (@Sendable (ClientError) -> Void)?

    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, source: source, last: after, whenAway: whenAway)
    }

    /// Returns the same stream, which calls `tell` when it begins to wait for a node that does not
    /// answer: once per outage.
    public func telling(_ tell: @escaping @Sendable (ClientError) -> Void) -> EventStream {
        var stream = self
        stream.whenAway = tell
        return stream
    }

    /// One reader of the events.
    public struct Iterator: AsyncIteratorProtocol {
        private let client: StoaClient
        private let source: EventSource
        private var last: UInt64?
        private var connection: AsyncThrowingStream<Event, any Error>.Iterator?
        private var failures = 0
        private let whenAway: (@Sendable (ClientError) -> Void)?
        private var isAway = false

        init(
            client: StoaClient,
            source: EventSource,
            last: UInt64?,
            whenAway: (@Sendable (ClientError) -> Void)? = nil
        ) {
            (self.client, self.source, self.last) = (client, source, last)
            self.whenAway = whenAway
        }

        /// Connects now, so that events from here on are not missed.
        ///
        /// - Throws: ``Problem`` if the node refuses; waits for a node that is away.
        public mutating func connect() async throws {
            while connection == nil {
                try Task.checkCancellation()
                do {
                    let events = try await EventConnection.open(client, source, after: last)
                    connection = events.makeAsyncIterator()
                    isAway = false
                } catch let error as ClientError {
                    guard case .unreachable = error else { throw error }
                    if !isAway { whenAway?(error) }
                    isAway = true
                    try await pause()
                }
            }
        }

        public mutating func next() async throws -> Event? {
            while true {
                try await connect()
                guard var events = connection else { continue }
                do {
                    if let event = try await events.next(isolation: #isolation) {
                        connection = events
                        failures = 0
                        last = event.id
                        return event
                    }
                    connection = nil
                    try Task.checkCancellation()
                    try await pause()
                } catch ClientError.unreachable {
                    connection = nil
                    try await pause()
                }
            }
        }

        private mutating func pause() async throws {
            failures += 1
            let pause = client.limits.wait(afterFailures: failures)
            try await client.exchange.clock.wait(pause)
        }
    }
}

extension StoaClient {
    /// Returns events in order; see ``EventStream``.
    ///
    /// - Parameters:
    ///   - source: Which events.
    ///   - number: The last event seen; the stream continues after it. Without one, it begins with
    ///     the events after the connection.
    /// - Returns: A stream without end; each of its readers has its own connection.
    public func events(
        of source: EventSource = .account,
        after number: UInt64? = nil
    ) -> EventStream {
        EventStream(client: self, source: source, after: number)
    }
}
