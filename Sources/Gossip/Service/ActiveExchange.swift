import Concurrency
import GossipProtocol
import Market
import Synchronization

/// One exchange that this node leads: its position, its budget and the peer's speed.
///
/// The service can revoke it at any time. If the exchange is waiting for the peer, its stream is
/// then reset; records that are being validated are validated to the end.
final class ActiveExchange: Sendable {
    /// The outcome of the exchange, for the service.
    struct Result: Sendable {
        var positions: [Topic: RecordExchange.Position] = [:]
        var fetchedBytes = 0
        var accepted = 0
        /// Whether it stopped at a limit of this node with more to fetch.
        var isBounded = false
        /// Whether the peer answered anything.
        var isAnswered = false
        /// How long this node waited in total; below, for how many answers and streams.
        var waited = Duration.zero
        var waits = 0
        var answeredBytes = 0
    }

    private struct State {
        var result: Result
        var isRevoked = false
        var stream: (any PeerStream)?
        var waitingSince: Duration?
    }

    let peer: PeerID
    /// The group of the peer's address, unless it is this machine or unknown.
    let group: AddressGroup?
    let topics: [Topic]
    /// Bytes it may fetch, given the bytes that the peer sent before.
    let fetchedBytesMax: Int
    /// Finishes when the exchange is revoked.
    let revocation = BoundedQueue<Never>(elementsMax: 1)
    private let clock: any MonotonicClock
    private let state: Mutex<State>

    init(
        peer: PeerID,
        group: AddressGroup? = nil,
        topics: [Topic],
        positions: [Topic: RecordExchange.Position],
        fetchedBytesMax: Int,
        clock: any MonotonicClock
    ) {
        (self.peer, self.group) = (peer, group)
        (self.topics, self.fetchedBytesMax, self.clock) = (topics, fetchedBytesMax, clock)
        state = Mutex(State(result: Result(positions: positions)))
    }

    var isRevoked: Bool { state.withLock { $0.isRevoked } }

    var result: Result { state.withLock { $0.result } }

    /// How long this node has been waiting for the peer's present answer.
    var waitingTime: Duration {
        state.withLock { $0.waitingSince.map { clock.uptime - $0 } ?? .zero }
    }

    /// Revokes the exchange.
    func revoke() {
        let stream = state.withLock { state in
            state.isRevoked = true
            return state.stream
        }
        revocation.finish()
        stream?.reset()
    }

    /// Runs `body`, which waits for the peer; `revoke` ends the wait by resetting `stream`.
    func waiting<Value>(
        for stream: (any PeerStream)?,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let isRevoked = state.withLock { state in
            state.stream = stream
            state.waitingSince = clock.uptime
            return state.isRevoked
        }
        defer {
            state.withLock { state in
                state.stream = nil
                if let since = state.waitingSince {
                    state.result.waited += clock.uptime - since
                    state.result.waits += 1
                }
                state.waitingSince = nil
            }
        }
        if isRevoked { throw LinkError.timedOut }
        return try await body()
    }

    func noteAnswer(_ byteCount: Int) {
        state.withLock { state in
            state.result.isAnswered = true
            state.result.answeredBytes += byteCount
        }
    }

    /// Stores the position of a topic, and adds the fetched amounts to the totals of `before`.
    func note(_ exchange: RecordExchange, after before: Result) {
        state.withLock { state in
            state.result.positions[exchange.topic] = exchange.position
            state.result.fetchedBytes = before.fetchedBytes + exchange.fetchedBytes
            state.result.accepted = before.accepted + exchange.accepted
        }
    }

    func noteBound() { state.withLock { $0.result.isBounded = true } }
}

extension ActiveExchange.Result {
    /// Whether the peer kept this node waiting long and sent little.
    ///
    /// Each wait has a grace time, since a distant peer needs a round trip or two.
    func isSlow(by limits: ExchangeLimits) -> Bool {
        let seconds = waited / .seconds(1)
        return waited > limits.slowGrace * waits
            && Double(answeredBytes) < seconds * Double(limits.slowBytesPerSecond)
    }
}
