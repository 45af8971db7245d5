import Concurrency
import GossipProtocol
package import Keys
package import Market
import Metrics
import Synchronization

extension BlobExchange {
    /// Keeps a chunk that was checked against the blob's id.
    package typealias Keep = @Sendable (_ chunk: [UInt8], _ index: Int) async throws -> Void

    /// Fetches chunks of a blob from the linked peers, from several at once.
    ///
    /// A peer that delivers a wrong chunk, too few or nothing in time is dropped, and the others
    /// are asked for its part. While little arrives, more peers are asked and the slowest are
    /// dropped, so slow peers, however many, delay little. `length` bounds what any peer can make
    /// this node take.
    ///
    /// - Parameters:
    ///   - id: The blob's id.
    ///   - length: Its length, as a public record states it.
    ///   - missing: The chunks that are wanted.
    ///   - keep: Called for each chunk once, by one task at a time.
    /// - Returns: Whether all of them have arrived, and the length that peers state.
    /// - Throws: The errors of `keep`; `CancellationError`.
    package func fetch(
        _ id: Bytes32,
        length: BlobLength,
        missing: [Int],
        keep: @escaping Keep
    ) async throws -> BlobFetchResult {
        let fetching = BlobFetching(
            id: id,
            length: length,
            fetch: BlobFetch(missing: missing, limits: limits),
            holders: await holders(),
            clock: clock,
            keep: keep
        )
        return try await withThrowingTaskGroup(of: FetchStep.self) { group in
            func ask(_ peers: [PeerID]) {
                for peer in peers {
                    let leaving = fetching.begin(peer)
                    group.addTask {
                        defer { fetching.end(peer) }
                        try await take(from: peer, until: leaving, for: fetching)
                        return .peerEnded
                    }
                }
            }
            func wait() {
                group.addTask { [limits, clock] in
                    try await clock.wait(limits.nextPeerInterval)
                    return .intervalPassed
                }
            }
            ask(fetching.fill())
            wait()
            while !fetching.isComplete, !fetching.isExhausted, let step = try await group.next() {
                switch step {
                case .peerEnded: ask(fetching.fill())
                case .intervalPassed:
                    let more = fetching.intervalPassed()
                    if fetching.isDoubtful {
                        group.cancelAll()
                        return fetching.result(wasLeft: true)
                    }
                    ask(more)
                    wait()
                }
            }
            group.cancelAll()
            return fetching.result(wasLeft: false)
        }
    }

    /// Returns the linked peers in the order in which they are asked.
    private func holders() async -> BlobHolders {
        // Unknown peers choose to link to this node; this node chooses the peers that it dials.
        let linked = await links.links().shuffled()
        let own = linked.filter { $0.direction == .outbound }
        let others = linked.filter { $0.direction == .inbound }
        let addresses = Dictionary(linked.map { ($0.peer, $0.address) }) { first, _ in first }
        let ordered = knownPeers.ordered((own + others).map(\.peer)).map { peer in
            BlobHolders.Candidate(
                peer: peer,
                subnet: RecordOrigin(peer, at: addresses[peer]).wholeSubnet,
                isSlow: knownPeers.isSlow(peer)
            )
        }
        let now = Moment(sinceStart: clock.uptime)
        return BlobHolders(ordered, limits: limits, at: now)
    }

    /// The events of a fetch.
    private enum FetchStep: Sendable {
        case peerEnded
        case intervalPassed
    }

    /// Takes chunks from one peer until there is nothing more to fetch, the peer fails, or the peer
    /// is dropped for others.
    ///
    /// - Throws: The errors of keeping a chunk; `CancellationError`.
    private func take(
        from peer: PeerID,
        until leaving: BoundedQueue<Never>,
        for fetching: BlobFetching
    ) async throws {
        do {
            let isLeft = try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await ownStreams.with(peer) {
                        fetching.noteTurn(of: peer)
                        try await ask(peer, for: fetching)
                    }
                    return false
                }
                group.addTask {
                    _ = await leaving.receive()
                    return true
                }
                defer { group.cancelAll() }
                return try await group.next() ?? false
            }
            try Task.checkCancellation()
            if isLeft {
                // A peer that could not be asked yet was not slow itself.
                if fetching.hadTurn(peer) { knownPeers.wasSlow(peer) }
                count("left")
            }
        } catch let fault as BlobFetchFault {
            count(fault.name)
            if let offence = fault.offence { await charge(peer, offence) }
        } catch let error as LinkError {
            try Task.checkCancellation()
            let fault = BlobFetchFault(error)
            if case .slow? = fault { knownPeers.wasSlow(peer) }
            count(fault?.name ?? "link")
            if let offence = fault?.offence { await charge(peer, offence) }
        }
    }

    private func count(_ reason: String) {
        Counter(label: "stoa_blob_failed", dimensions: [("reason", reason)]).increment()
    }

    private func ask(_ peer: PeerID, for fetching: BlobFetching) async throws {
        let stream = try await withTimeLimit(
            knownPeers.chunkMax(of: peer),
            throwing: LinkError.timedOut,
            clock: clock
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
            let begin = fetching.now
            var byteCount = 0
            let chunkMax = knownPeers.chunkMax(of: peer)
            try await stream.writeMessage(question.bytes, within: chunkMax)
            for index in chunks {
                guard let frame = try await frames.next(within: chunkMax) else {
                    throw BlobFetchFault.withheld
                }
                let chunk = try chunk(frame, at: index, of: peer, for: fetching)
                try await fetching.keep(chunk, of: peer)
                byteCount += chunk.bytes.count
                Counter(label: "stoa_blob_bytes_received").increment(by: chunk.bytes.count)
            }
            knownPeers.gave(peer, byteCount, in: fetching.now.sinceStart - begin.sinceStart)
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
    /// Whether all wanted chunks have arrived.
    package let isComplete: Bool
    /// Whether it ended early because another length is likelier.
    package let wasLeft: Bool
    /// Other lengths under which peers hold the blob, first that of most peers.
    ///
    /// Each peer has shown a chunk that the blob's id proves for that length, which some wrong
    /// lengths have too (11.3).
    package let otherLengths: [BlobLength]
}

/// Why nothing more is taken from a peer.
private enum BlobFetchFault: Error {
    /// A message that is not an answer, or too long.
    case malformed
    /// A chunk that does not belong to the blob, or was not requested.
    case wrong
    /// It ended its answer before the last chunk.
    case withheld
    /// The next chunk did not arrive in time.
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
