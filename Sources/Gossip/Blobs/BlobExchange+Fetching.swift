import Concurrency
package import Keys
package import Market
import Metrics
import Synchronization

extension BlobExchange {
    /// Keeps a chunk that was checked against the blob's id.
    package typealias Keep = @Sendable (_ chunk: [UInt8], _ index: Int) async throws -> Void

    /// Fetches chunks of a blob from the linked peers, from several at once.
    ///
    /// A peer that brings a wrong chunk, too few or nothing in time is left, and its part asked of
    /// the others. If nothing comes for a while, more peers are asked than otherwise, so that silent
    /// ones delay little. `length` bounds what any peer can make this node take.
    ///
    /// - Parameters:
    ///   - id: The blob's id.
    ///   - length: Its length, as a public record states it.
    ///   - missing: The chunks that are wanted.
    ///   - keep: Called for each chunk once, by one task at a time.
    /// - Returns: Whether all of them have come, and what peers say of the length.
    /// - Throws: What `keep` throws; `CancellationError`.
    package func fetch(
        _ id: Bytes32,
        length: BlobLength,
        missing: [Int],
        keep: @escaping Keep
    ) async throws -> BlobFetchResult {
        // Strangers choose to link to this node; whom it links to is its own choice.
        let linked = await links.links().shuffled()
        let (own, others) = (
            linked.filter { $0.direction == .outbound }, linked.filter { $0.direction == .inbound }
        )
        let peers = knownPeers.ordered((own + others).map(\.peer))
        let fetching = BlobFetching(
            id: id,
            length: length,
            fetch: BlobFetch(missing: missing, limits: limits),
            keep: keep
        )
        var candidates = peers.prefix(limits.peersMax)
        return try await withThrowingTaskGroup(of: FetchStep.self) { group in
            func addNext() {
                guard let peer = candidates.popFirst() else { return }
                fetching.begin()
                group.addTask {
                    defer { fetching.end(peer) }
                    try await take(from: peer, for: fetching)
                    return .peerEnded
                }
            }
            func wait() {
                group.addTask { [limits] in
                    try await SystemMonotonicClock().wait(limits.nextPeerInterval)
                    return .intervalPassed
                }
            }
            /// Slow peers are last, so once they are next nobody better is left.
            func fill() {
                while let next = candidates.first,
                    fetching.peerCount
                        < (knownPeers.isSlow(next)
                            ? limits.peersAtOnceIfSlowMax : limits.peersAtOnceMax)
                {
                    addNext()
                }
            }
            fill()
            wait()
            while !fetching.isComplete, fetching.peerCount > 0 || !candidates.isEmpty,
                let step = try await group.next()
            {
                switch step {
                case .peerEnded: fill()
                case .intervalPassed:
                    let isIdle = fetching.isIdle()
                    if fetching.isDoubtful {
                        group.cancelAll()
                        return fetching.result(wasLeft: true)
                    }
                    if isIdle, fetching.peerCount < limits.peersAtOnceIfSlowMax {
                        addNext()
                    }
                    wait()
                }
            }
            group.cancelAll()
            return fetching.result(wasLeft: false)
        }
    }

    /// What has happened in a fetch.
    private enum FetchStep: Sendable {
        case peerEnded
        case intervalPassed
    }

    /// Takes chunks from one peer until there is nothing more to fetch, or it fails.
    ///
    /// - Throws: What keeping a chunk throws; `CancellationError`.
    private func take(from peer: PeerID, for fetching: BlobFetching) async throws {
        do {
            try await ask(peer, for: fetching)
            knownPeers.answered(peer)
        } catch let fault as BlobFetchFault {
            Counter(label: "stoa_blob_failed", dimensions: [("reason", fault.name)]).increment()
            if let offence = fault.offence { await charge(peer, offence) }
        } catch let error as LinkError {
            try Task.checkCancellation()
            let fault = BlobFetchFault(error)
            if case .slow? = fault { knownPeers.wasSlow(peer) }
            let reason = fault?.name ?? "link"
            Counter(label: "stoa_blob_failed", dimensions: [("reason", reason)]).increment()
            if let offence = fault?.offence { await charge(peer, offence) }
        }
    }

    private func ask(_ peer: PeerID, for fetching: BlobFetching) async throws {
        let stream = try await withTimeLimit(
            knownPeers.chunkMax(of: peer),
            throwing: LinkError.timedOut
        ) {
            try await links.open(protocols: [Self.protocolID], to: peer)
        }
        do {
            try await ask(over: stream, for: fetching)
        } catch {
            stream.reset()
            throw error
        }
        // All answers have arrived; if the peer is gone, the close is unnecessary.
        try? await stream.closeWrite()
    }

    private func ask(over stream: any PeerStream, for fetching: BlobFetching) async throws {
        let peer = stream.remotePeer
        var frames = stream.messages(bytesMax: limits.answerBytesMax, messageMax: limits.chunkMax)
        for _ in 0..<limits.questionsMax {
            guard let chunks = try await fetching.next(for: peer) else { return }
            let question = BlobQuestion(id: fetching.id, chunks: chunks)
            let chunkMax = knownPeers.chunkMax(of: peer)
            try await stream.writeMessage(question.bytes, within: chunkMax)
            for index in chunks {
                guard let frame = try await frames.next(within: chunkMax) else {
                    throw BlobFetchFault.withheld
                }
                let chunk = try chunk(frame, at: index, of: peer, for: fetching)
                try await fetching.keep(chunk)
                Counter(label: "stoa_blob_bytes_received").increment(by: chunk.bytes.count)
            }
            await noteUse(peer)
        }
    }

    /// Reads a chunk, and checks it before anything is kept of it.
    private func chunk(
        _ frame: [UInt8],
        at index: Int,
        of peer: PeerID,
        for fetching: BlobFetching
    ) throws(BlobFetchFault) -> BlobChunk {
        guard let answer = BlobAnswer(frame) else { throw .malformed }
        switch answer {
        case .refused(let refusal): throw .refused(refusal)
        case .chunk(let chunk):
            // It may hold the file of a record that states the right length.
            guard chunk.length == fetching.length else {
                if chunk.isProved(of: fetching.id) { fetching.note(chunk.length, of: peer) }
                throw .otherLength
            }
            guard chunk.index == index, chunk.isProved(of: fetching.id) else { throw .wrong }
            return chunk
        }
    }
}

/// How a fetch of a blob under one length ended.
package struct BlobFetchResult: Sendable {
    /// Whether all chunks that were wanted have come.
    package let isComplete: Bool
    /// Whether it ended early because another length is likelier.
    package let wasLeft: Bool
    /// Other lengths under which peers hold the blob, first that of most peers.
    ///
    /// Each peer has shown a chunk that the blob's id proves for that length, which some wrong lengths
    /// have too (11.3).
    package let otherLengths: [BlobLength]
}

/// Why nothing more is taken from a peer.
private enum BlobFetchFault: Error {
    /// A message that is not an answer, or too long.
    case malformed
    /// A chunk that is not the blob's, or not the one that was asked for.
    case wrong
    /// It ended its answer before the last chunk.
    case withheld
    /// The next chunk did not come in time.
    case slow
    /// It holds the blob under another length than the record states.
    case otherLength
    case refused(BlobRefusal)

    /// The fault behind a link's error; `nil` if the peer need not be at fault.
    init?(_ error: LinkError) {
        switch error {
        case .messageTooLong, .malformedLength: self = .malformed
        case .cutOff: self = .withheld
        case .stalled, .timedOut: self = .slow
        default: return nil
        }
    }

    var name: String {
        switch self {
        case .malformed: "malformed"
        case .wrong: "wrong"
        case .withheld: "withheld"
        case .slow: "slow"
        case .otherLength: "other_length"
        case .refused(let refusal): refusal.name
        }
    }

    var offence: PeerOffence? {
        switch self {
        case .malformed: .malformedBlob
        case .wrong: .wrongBlob
        case .withheld: .withheldBlob
        case .slow: .slowBlob
        case .otherLength, .refused: nil
        }
    }
}

/// One blob's fetch, shared by the tasks that take chunks from peers.
private final class BlobFetching: Sendable {
    private struct State {
        var fetch: BlobFetch
        var peers = 0
        var arrivals = 0
        /// Whether a chunk has come, and for how many intervals none has.
        var hasBegun = false
        var idleIntervals = 0
        /// Other lengths under which peers hold the blob, each with a chunk that fits it.
        var lengths: [BlobLength: Set<PeerID>] = [:]
    }

    /// How long nothing comes before another length is tried, once something has come.
    private static let idleIntervalsMax = 3

    /// How often a peer's task looks whether there is something to do for it again.
    private static let lookInterval = Duration.milliseconds(20)

    let id: Bytes32
    let length: BlobLength
    private let state: Mutex<State>
    private let sink: BlobExchange.Keep
    /// One chunk is kept at a time.
    private let turn = AsyncSemaphore(unitsMax: 1)
    private let clock = SystemMonotonicClock()

    init(
        id: Bytes32,
        length: BlobLength,
        fetch: BlobFetch,
        keep: @escaping BlobExchange.Keep
    ) {
        (self.id, self.length, sink) = (id, length, keep)
        state = Mutex(State(fetch: fetch))
    }

    var isComplete: Bool { state.withLock { $0.fetch.isComplete } }

    /// The peers that are asked now.
    var peerCount: Int { state.withLock { $0.peers } }

    /// Whether no chunk has come since the last call; if so, all may be asked of other peers.
    func isIdle() -> Bool {
        state.withLock { state in
            defer { state.arrivals = 0 }
            guard state.arrivals == 0 else {
                state.idleIntervals = 0
                return false
            }
            state.idleIntervals += 1
            state.fetch.stalled()
            return true
        }
    }

    /// Whether peers hold the blob under another length, and nothing comes under this one.
    var isDoubtful: Bool {
        state.withLock { state in
            guard !state.lengths.isEmpty else { return false }
            return state.idleIntervals >= (state.hasBegun ? Self.idleIntervalsMax : 1)
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

    func begin() { state.withLock { $0.peers += 1 } }

    func end(_ peer: PeerID) {
        state.withLock { state in
            state.peers -= 1
            state.fetch.gaveUp(peer)
        }
    }

    /// Returns the chunks to ask a peer for, when there are some; `nil` once all have come.
    ///
    /// - Throws: `CancellationError`
    func next(for peer: PeerID) async throws -> Range<Int>? {
        while true {
            let (chunks, isComplete) = state.withLock { state in
                (state.fetch.next(for: peer, among: state.peers), state.fetch.isComplete)
            }
            if chunks != nil || isComplete { return chunks }
            try await clock.wait(Self.lookInterval)
        }
    }

    /// Keeps a chunk, unless another peer has brought it meanwhile.
    func keep(_ chunk: BlobChunk) async throws {
        let permit = try await turn.wait()
        defer { withExtendedLifetime(permit) {} }
        guard state.withLock({ $0.fetch.isMissing(chunk.index) }) else { return }
        try await sink(chunk.bytes, chunk.index)
        state.withLock { state in
            _ = state.fetch.received(chunk.index)
            state.arrivals += 1
            state.hasBegun = true
        }
    }
}
