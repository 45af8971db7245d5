import Concurrency
import Market
import Synchronization

/// One exchange that this node leads: where it goes on, what it may cost, and how quick the peer is.
///
/// The service can take the place back at any time: while the peer is waited for, its stream is
/// reset; what this node is judging is judged to its end.
final class ActiveExchange: Sendable {
    /// What the exchange has come to, for the service to keep.
    struct Result: Sendable {
        var positions: [Topic: RecordExchange.Position] = [:]
        var fetchedBytes = 0
        var accepted = 0
        /// Whether it ended at a bound of this node's, with more to fetch.
        var isBounded = false
        /// Whether the peer answered anything.
        var isAnswered = false
        /// How long this node waited in all, and for how many answers and streams.
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
    /// Of its address, if others may share that.
    let group: AddressGroup?
    let topics: [Topic]
    /// What it may fetch by what the peer sent before.
    let fetchedBytesMax: Int
    /// Ends once the place is taken back.
    let revocation = BoundedQueue<Never>(elementsMax: 1)
    private let state: Mutex<State>

    init(
        peer: PeerID,
        group: AddressGroup? = nil,
        topics: [Topic],
        positions: [Topic: RecordExchange.Position],
        fetchedBytesMax: Int
    ) {
        (self.peer, self.group) = (peer, group)
        (self.topics, self.fetchedBytesMax) = (topics, fetchedBytesMax)
        state = Mutex(State(result: Result(positions: positions)))
    }

    var isRevoked: Bool { state.withLock { $0.isRevoked } }

    var result: Result { state.withLock { $0.result } }

    /// Takes the place back.
    func revoke() {
        let stream = state.withLock { state in
            state.isRevoked = true
            return state.stream
        }
        revocation.finish()
        stream?.reset()
    }

    /// Runs what waits for the peer, which `revoke` ends by resetting `stream`.
    func waiting<Value>(
        for stream: (any PeerStream)?,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let clock = SystemMonotonicClock()
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

    /// Where to go on with a topic, and what was fetched so far beyond what was `before`.
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
    /// Whether the peer made this node wait, for little.
    ///
    /// Each wait may take its time: a peer that is far away needs a round trip or two for it.
    func isSlow(by limits: ExchangeLimits) -> Bool {
        let seconds = waited / .seconds(1)
        return waited > limits.slowGrace * waits
            && Double(answeredBytes) < seconds * Double(limits.slowBytesPerSecond)
    }
}
