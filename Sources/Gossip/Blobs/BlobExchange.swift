package import Concurrency
package import GossipProtocol
package import Logging
package import Market
import Metrics

/// The protocol `/stoa/blob/1`: gives blobs to peers, and fetches them from peers.
///
/// Source: Docs/protocol.md, section 11.
package struct BlobExchange: Sendable {
    package static let protocolID = "/stoa/blob/1"

    let links: any PeerLinks
    let limits: BlobExchangeLimits
    private let source: any BlobSource
    let charge: @Sendable (PeerID, PeerOffence) async -> Void
    let noteUse: @Sendable (PeerID) async -> Void
    let clock: any MonotonicClock
    let logger: Logger
    private let streams: BlobStreams
    let ownStreams: OwnBlobStreams
    let knownPeers: KnownBlobPeers

    /// Creates the exchange.
    ///
    /// `charge` receives peers that break the protocol, `noteUse` peers that gave or received a
    /// chunk.
    package init(
        links: any PeerLinks,
        source: any BlobSource,
        limits: BlobExchangeLimits = BlobExchangeLimits(),
        charge: @escaping @Sendable (PeerID, PeerOffence) async -> Void = { _, _ in },
        noteUse: @escaping @Sendable (PeerID) async -> Void = { _ in },
        clock: any MonotonicClock = .system,
        logger: Logger
    ) {
        limits.check()
        self.links = links
        self.source = source
        self.limits = limits
        self.charge = charge
        self.noteUse = noteUse
        self.clock = clock
        self.logger = logger
        streams = BlobStreams(limits: limits, clock: clock)
        ownStreams = OwnBlobStreams(limits: limits)
        knownPeers = KnownBlobPeers(limits: limits, clock: clock)
    }

    /// Registers the protocol with the links.
    package func register() async {
        await links.handle(protocol: Self.protocolID) { stream in
            try await streams.with(stream.remotePeer) { try await serve(stream) }
        }
    }

    private func serve(_ stream: any PeerStream) async throws {
        let peer = stream.remotePeer
        let group = await links.link(to: peer).flatMap { AddressGroup(of: $0.address) }
        var frames = stream.messages(bytesMax: limits.questionBytesMax)
        for _ in 0..<limits.questionsMax {
            let frame: [UInt8]?
            do {
                frame = try await frames.next(within: limits.exchangeMax)
            } catch let error as LinkError where error.isOfPeersFrames {
                await charge(peer, .malformedBlob)
                throw error
            }
            guard let frame else { return }
            guard let question = BlobQuestion(frame, limits: limits) else {
                Counter(label: "stoa_blob_malformed").increment()
                await charge(peer, .malformedBlob)
                throw LinkError.malformedLength
            }
            let cost = limits.questionCost + question.chunks.count * limits.answerBytesMax
            guard try await streams.wait(for: cost, of: peer, in: group) else {
                try await send(.refused(.tooOften), over: stream)
                continue
            }
            try await answer(question, over: stream)
        }
    }

    /// Sends the chunks one by one, so that only one is in memory at a time.
    private func answer(_ question: BlobQuestion, over stream: any PeerStream) async throws {
        guard let blob = await open(question) else {
            return try await send(.refused(.unheld), over: stream)
        }
        guard question.chunks.upperBound <= blob.length.chunkCount else {
            return try await send(.refused(.noSuchChunk), over: stream)
        }
        for index in question.chunks {
            // Held until the chunk is written.
            let room = try await stream.room(for: limits.answerBytesMax)
            defer { withExtendedLifetime(room) {} }
            let bytes: [UInt8]
            do {
                bytes = try await blob.chunk(index)
            } catch {
                logger.warning("a blob cannot be read", metadata: ["error": "\(error)"])
                return try await send(.refused(.unable), over: stream)
            }
            let chunk = BlobChunk(
                length: blob.length,
                index: index,
                bytes: bytes,
                proof: blob.proof(of: index)
            )
            try await send(.chunk(chunk), over: stream)
            Counter(label: "stoa_blob_bytes_sent").increment(by: bytes.count)
        }
        await noteUse(stream.remotePeer)
    }

    private func open(_ question: BlobQuestion) async -> (any ServedBlob)? {
        do {
            return try await source.openBlob(question.id)
        } catch {
            logger.warning("a blob cannot be opened", metadata: ["error": "\(error)"])
            return nil
        }
    }

    private func send(_ answer: BlobAnswer, over stream: any PeerStream) async throws {
        if case .refused(let refusal) = answer {
            Counter(label: "stoa_blob_refused", dimensions: [("reason", refusal.name)])
                .increment()
        }
        do {
            try await stream.write(answer.framed, within: limits.exchangeMax)
        } catch LinkError.timedOut {
            await charge(stream.remotePeer, .slowReader)
            throw LinkError.timedOut
        }
    }
}
