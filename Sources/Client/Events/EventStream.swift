import Concurrency

/// The events of the signed-in account, one after the other, as long as they are asked for.
///
/// Connects at the first event asked for and reconnects by itself, going on behind the last event
/// handed out, or the one it was told to begin behind; so nothing is missed and nothing comes twice.
/// Before there is either, what happens while it is not connected is missed. Where the node no longer keeps what
/// lies between, an event of type `gap` says so. Ends by an error where the node refuses, and by
/// cancellation.
public struct EventStream: AsyncSequence, Sendable {
    public typealias Element = Event

    let client: StoaClient
    let after: UInt64?

    public func makeAsyncIterator() -> Iterator { Iterator(client: client, last: after) }

    /// One reader of the events.
    public struct Iterator: AsyncIteratorProtocol {
        private let client: StoaClient
        private var last: UInt64?
        private var connection: AsyncThrowingStream<Event, any Error>.Iterator?
        private var failures = 0

        init(client: StoaClient, last: UInt64?) {
            (self.client, self.last) = (client, last)
        }

        /// Connects now, so that what happens from here on is not missed.
        ///
        /// - Throws: ``Problem`` if the node refuses; a node that is away is waited for.
        public mutating func connect() async throws {
            while connection == nil {
                try Task.checkCancellation()
                do {
                    let events = try await EventConnection.open(client, after: last)
                    connection = events.makeAsyncIterator()
                } catch ClientError.unreachable {
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
            try await SystemMonotonicClock().wait(client.limits.wait(afterFailures: failures))
        }
    }
}
