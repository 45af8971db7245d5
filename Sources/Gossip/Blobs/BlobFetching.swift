import Concurrency
import GossipProtocol
import Keys
import Market
import Synchronization

/// One blob's fetch, shared by the tasks that take chunks from peers.
final class BlobFetching: Sendable {
    private struct State {
        var fetch: BlobFetch
        var holders: BlobHolders
        /// Finished when the peer is dropped for others.
        var leaving: [PeerID: BoundedQueue<Never>] = [:]
        /// Those to which there may be a stream.
        var turns: Set<PeerID> = []
        /// Whether a chunk has arrived, and since when none has.
        var hasBegun = false
        var idleSince: Moment
        /// Other lengths under which peers hold the blob, each with a chunk that fits it.
        var lengths: [BlobLength: Set<PeerID>] = [:]
    }

    /// How long nothing arrives before other peers may be asked for all chunks.
    private static let stallMax = Duration.seconds(1)
    /// How long nothing arrives before another length is tried, once something has arrived.
    private static let idleMax = Duration.seconds(3)
    /// How often a peer's task checks whether there is work for it again.
    private static let lookInterval = Duration.milliseconds(20)

    let id: Bytes32
    let length: BlobLength
    private let state: Mutex<State>
    private let sink: BlobExchange.Keep
    /// One chunk is kept at a time.
    private let turn = AsyncSemaphore(unitsMax: 1)
    private let clock: any MonotonicClock

    init(
        id: Bytes32,
        length: BlobLength,
        fetch: BlobFetch,
        holders: BlobHolders,
        clock: any MonotonicClock,
        keep: @escaping BlobExchange.Keep
    ) {
        (self.id, self.length, self.clock, sink) = (id, length, clock, keep)
        let now = Moment(sinceStart: clock.uptime)
        state = Mutex(State(fetch: fetch, holders: holders, idleSince: now))
    }

    var now: Moment { Moment(sinceStart: clock.uptime) }

    var isComplete: Bool { state.withLock { $0.fetch.isComplete } }

    /// Whether no peer is being asked and none is left to ask.
    var isExhausted: Bool { state.withLock { $0.holders.isExhausted } }

    /// Returns the peers to ask now, because slots are free.
    func fill() -> [PeerID] {
        let now = now
        return state.withLock { $0.holders.fill(at: now) }
    }

    /// Drops slow peers if little arrives; returns further peers to ask.
    func intervalPassed() -> [PeerID] {
        let now = now
        let (left, more): ([BoundedQueue<Never>], [PeerID]) = state.withLock { state in
            // Otherwise two silent peers would block a chunk until their time is over.
            if state.idleSince + Self.stallMax <= now { state.fetch.stalled() }
            let (leave, ask) = state.holders.intervalPassed(at: now)
            for peer in leave { state.fetch.gaveUp(peer) }
            return (leave.compactMap { state.leaving[$0] }, ask)
        }
        for queue in left { queue.finish() }
        return more
    }

    /// Whether peers have the blob under another length, and nothing arrives under this one.
    var isDoubtful: Bool {
        let now = now
        return state.withLock { state in
            guard !state.lengths.isEmpty else { return false }
            return state.idleSince + (state.hasBegun ? Self.idleMax : Self.stallMax) <= now
        }
    }

    func note(_ length: BlobLength, of peer: PeerID) {
        state.withLock { _ = $0.lengths[length, default: []].insert(peer) }
    }

    func result(wasLeft: Bool) -> BlobFetchResult {
        state.withLock { state in
            let lengths = state.lengths.sorted {
                ($1.value.count, $0.key) < ($0.value.count, $1.key)
            }
            return BlobFetchResult(
                isComplete: state.fetch.isComplete,
                wasLeft: wasLeft,
                otherLengths: lengths.map(\.key)
            )
        }
    }

    /// Records that a peer's task begins; returns the signal that is finished when the peer is
    /// dropped for others.
    func begin(_ peer: PeerID) -> BoundedQueue<Never> {
        let leaving = BoundedQueue<Never>(elementsMax: 1)
        state.withLock { $0.leaving[peer] = leaving }
        return leaving
    }

    /// Records that a stream to the peer may be opened; until then it is not slow itself.
    func noteTurn(of peer: PeerID) {
        let now = now
        state.withLock { state in
            state.turns.insert(peer)
            state.holders.began(peer, at: now)
        }
    }

    func hadTurn(_ peer: PeerID) -> Bool { state.withLock { $0.turns.contains(peer) } }

    func end(_ peer: PeerID) {
        state.withLock { state in
            state.leaving[peer] = nil
            state.holders.ended(peer)
            state.fetch.gaveUp(peer)
        }
    }

    /// Returns the chunks to ask a peer for, when there are some; `nil` once all have arrived.
    ///
    /// - Throws: `CancellationError`
    func next(for peer: PeerID) async throws -> Range<Int>? {
        while true {
            let now = now
            let (chunks, isComplete) = state.withLock { state in
                let chunks = state.fetch.next(
                    for: peer,
                    among: state.holders.askedCount,
                    mayRepeat: state.holders.mayRepeat(peer, at: now)
                )
                return (chunks, state.fetch.isComplete)
            }
            if chunks != nil || isComplete { return chunks }
            try await clock.wait(Self.lookInterval)
        }
    }

    /// Stores a chunk, unless another peer has delivered it in the meantime.
    func keep(_ chunk: BlobChunk, of peer: PeerID) async throws {
        let permit = try await turn.wait()
        defer { withExtendedLifetime(permit) {} }
        let isNew = state.withLock { $0.fetch.isMissing(chunk.index) }
        if isNew { try await sink(chunk.bytes, chunk.index) }
        let now = now
        state.withLock { state in
            state.holders.received(chunk.bytes.count, from: peer, isNew: isNew)
            guard isNew else { return }
            _ = state.fetch.received(chunk.index)
            (state.idleSince, state.hasBegun) = (now, true)
        }
    }
}
