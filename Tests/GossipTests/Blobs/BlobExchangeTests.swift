import Concurrency
import Gossip
import GossipProtocol
import Keys
import Market
import Support
import Synchronization
import Testing

/// Nodes that give blobs to each other over real links, and peers that do not.
@Suite(.timeLimit(.minutes(5)))
struct BlobExchangeTests {
    private static let blob = MemoryBlob(40 * 65_536 + 77)

    /// Answers each question with what `answer` makes of each chunk; stops at `nil`.
    private static func peer(
        _ answer: @escaping @Sendable (_ index: Int) -> [UInt8]?
    ) -> BlobNet.Peer {
        .hostile { stream in
            var frames = stream.messages(bytesMax: 64)
            while let frame = try await frames.next() {
                guard let question = BlobQuestion(frame, limits: BlobExchangeLimits()) else {
                    return
                }
                for index in question.chunks {
                    guard let bytes = answer(index) else { return }
                    try await stream.writeMessage(bytes)
                }
            }
        }
    }

    @Test func `fetches a blob from all peers that hold it`() async throws {
        let blobs = MemoryBlobs([Self.blob])
        try await BlobNet.with([.honest(blobs), .honest(blobs), .honest(MemoryBlobs([]))]) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == Self.blob.bytes)
            #expect(net.offences.isEmpty && net.peersOffences.isEmpty)
        }
    }

    @Test(arguments: [1, 65_536, 65_537])
    func `fetches short blobs`(_ byteCount: Int) async throws {
        let blob = MemoryBlob(byteCount)
        try await BlobNet.with([.honest(MemoryBlobs([blob]))]) { net in
            let found = try await net.fetch(blob)
            #expect(found == blob.bytes)
        }
    }

    @Test func `charges no peer for a blob that nobody holds`() async throws {
        try await BlobNet.with([.honest(MemoryBlobs([])), .honest(MemoryBlobs([]))]) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == nil)
            #expect(net.offences.isEmpty && net.peersOffences.isEmpty)
        }
    }

    /// - From peers: a wrong chunk of a blob, or one that was not asked for → not kept; charged;
    ///   asked of another peer
    @Test func `drops a wrong chunk, charges its sender and asks another peer`() async throws {
        let liar = Self.peer { index in
            let right = Self.blob.answer(index)
            let wrong = BlobChunk(
                length: right.length,
                index: index,
                bytes: right.bytes.dropLast() + [right.bytes[right.bytes.count - 1] ^ 1],
                proof: right.proof
            )
            return BlobAnswer.chunk(wrong).bytes
        }
        try await BlobNet.with([liar, .honest(MemoryBlobs([Self.blob]))]) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == Self.blob.bytes)
            #expect(net.offences.names(of: net.peers[0]) == ["wrong_blob"])
            #expect(net.offences.names(of: net.peers[1]).isEmpty)
        }
    }

    @Test func `treats a correct but unrequested chunk as a wrong one`() async throws {
        let liar = Self.peer { BlobAnswer.chunk(Self.blob.answer(($0 + 1) % 41)).bytes }
        try await BlobNet.with([liar]) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == nil)
            #expect(net.offences.names(of: net.peers[0]) == ["wrong_blob"])
        }
    }

    /// - From peers: chunks that are withheld → charged; asked of another peer
    @Test func `fetches withheld chunks from another peer`() async throws {
        let miser = Self.peer {
            $0.isMultiple(of: 8) ? BlobAnswer.chunk(Self.blob.answer($0)).bytes : nil
        }
        try await BlobNet.with([miser, .honest(MemoryBlobs([Self.blob]))]) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == Self.blob.bytes)
        }
        try await BlobNet.with([miser]) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == nil)
            #expect(net.offences.names(of: net.peers[0]) == ["withheld_blob"])
        }
    }

    @Test func `an answer waits less for its allowance than the asker waits for it`() {
        let limits = BlobExchangeLimits()
        #expect(limits.paceMax < limits.chunkMax)
    }

    private static let silent = BlobNet.Peer.hostile { stream in
        while try await stream.read(atMost: 1_024) != nil {}
    }

    /// - From peers: many peers that accept questions for chunks and never answer → more peers are
    ///   asked each second; those that were silent are asked last and for 2 s
    @Test func `silent peers delay a file briefly at first, then not at all`() async throws {
        var limits = BlobExchangeLimits()
        limits.nextPeerInterval = .milliseconds(50)
        (limits.peersAtOnceMax, limits.slowChunkMax) = (1, .milliseconds(100))
        limits.chunkMax = .seconds(60)
        let crowd = [BlobNet.Peer](repeating: Self.silent, count: 14)
        try await BlobNet.with([.honest(MemoryBlobs([Self.blob]))] + crowd, limits: limits) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == Self.blob.bytes)
            // Whatever the order of the peers, no time limit of a silent one passes.
            #expect(net.offences.isEmpty)
        }
        // Once they are known, a file that nobody has is given up before another limit passes.
        limits.chunkMax = .seconds(2)
        let clock = SystemMonotonicClock()
        try await BlobNet.with(crowd, limits: limits) { [limits] net in
            let other = MemoryBlob(10)
            var found = try await net.fetch(other)
            #expect(found == nil)
            let start = clock.uptime
            found = try await net.fetch(other)
            #expect(found == nil)
            #expect(clock.uptime - start < limits.chunkMax)
        }
    }

    /// - From peers: a peer that holds back its answer → asked of another peer at once; charged
    ///   after 8 s
    @Test func `a silent peer delays no file and is charged when it is late`() async throws {
        // The time limit for a chunk does not pass, or the silent peer would be charged.
        try await BlobNet.with([Self.silent, .honest(MemoryBlobs([Self.blob]))]) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == Self.blob.bytes)
            #expect(net.offences.isEmpty)
        }
        var limits = BlobExchangeLimits()
        limits.chunkMax = .milliseconds(200)
        try await BlobNet.with([Self.silent], limits: limits) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == nil)
            #expect(net.offences.names(of: net.peers[0]) == ["slow_blob"])
        }
    }

    /// - From peers: an answer that is over-long or malformed → not read further; charged
    @Test func `drops a peer that sends an overlong or malformed answer`() async throws {
        let long = Self.peer { _ in [UInt8](repeating: 8, count: 70_000) }
        let malformed = Self.peer { _ in [0xFF, 0xFF] }
        try await BlobNet.with([long, malformed, .honest(MemoryBlobs([Self.blob]))]) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == Self.blob.bytes)
            #expect(net.offences.names(of: net.peers[0]) == ["malformed_blob"])
            #expect(net.offences.names(of: net.peers[1]) == ["malformed_blob"])
        }
    }

    @Test func `reads only the chunks that it asked for`() async throws {
        let flood = BlobNet.Peer.hostile { stream in
            var frames = stream.messages(bytesMax: 64)
            _ = try await frames.next()
            for index in 0..<41 {
                try await stream.writeMessage(BlobAnswer.chunk(Self.blob.answer(index)).bytes)
            }
            while try await frames.next() != nil {}
        }
        try await BlobNet.with([flood, .honest(MemoryBlobs([Self.blob]))]) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == Self.blob.bytes)
        }
    }

    /// - From peers: a blob of another length than the record states → not kept, not charged
    @Test func `stores nothing from a peer with another length and charges nobody`() async throws {
        let other = MemoryBlob(20 * 65_536)
        let peer = Self.peer { index in
            let right = Self.blob.answer(index)
            return BlobAnswer.chunk(
                BlobChunk(
                    length: other.length,
                    index: index,
                    bytes: right.bytes,
                    proof: right.proof
                )
            ).bytes
        }
        try await BlobNet.with([peer]) { net in
            let found = try await net.fetch(Self.blob)
            #expect(found == nil)
            #expect(net.offences.isEmpty)
        }
    }

    @Test func `a failure to store a chunk ends the fetch with the reason`() async throws {
        struct Full: Error {}
        try await BlobNet.with([.honest(MemoryBlobs([Self.blob]))]) { net in
            await #expect(throws: Full.self) {
                _ = try await net.exchange.fetch(
                    Self.blob.id,
                    length: Self.blob.length,
                    missing: [0, 1, 2]
                ) { _, _ in throw Full() }
            }
        }
    }

    /// - From peers: a question for chunks that is malformed, or for more than 16 → charged; the
    ///   stream ends
    /// - From peers: a question for a chunk that the blob does not have, or for a blob that is not
    ///   held here whole → refused, not charged
    @Test func `refuses malformed questions and those outside the blob`() async throws {
        try await BlobNet.with([.honest(MemoryBlobs([Self.blob]))]) { net in
            let beyond = BlobQuestion(id: Self.blob.id, chunks: 40..<42)
            let refused = try await net.ask(beyond.bytes)
            #expect(refused == [.refused(.noSuchChunk)])
            let last = BlobQuestion(id: Self.blob.id, chunks: 40..<41)
            #expect(try await net.ask(last.bytes) == [.chunk(Self.blob.answer(40))])
            let unknown = BlobQuestion(id: .zero, chunks: 0..<1)
            #expect(try await net.ask(unknown.bytes) == [.refused(.unheld)])
            #expect(net.peersOffences.isEmpty)

            await #expect(throws: LinkError.self) {
                _ = try await net.ask(BlobQuestion(id: .zero, chunks: 0..<17).bytes)
            }
            #expect(net.peersOffences.names(of: net.asking.localPeer) == ["malformed_blob"])
        }
    }

    /// - From peers: more blob bytes than an address's share → refused after 4 s
    @Test func `refuses a peer that exceeds its share until it waits`() async throws {
        var limits = BlobExchangeLimits()
        limits.burstBytes = limits.questionCost + 16 * limits.answerBytesMax
        limits.bytesPerSecond = 200_000
        limits.paceMax = .zero
        let question = BlobQuestion(id: Self.blob.id, chunks: 0..<16).bytes
        try await BlobNet.with([.honest(MemoryBlobs([Self.blob]))], peersLimits: limits) { net in
            #expect(try await net.ask(question, answers: 16).count == 16)
            #expect(try await net.ask(question) == [.refused(.tooOften)])
            let one = BlobQuestion(id: Self.blob.id, chunks: 2..<3).bytes
            let answers = try await waitFor {
                let answers = try await net.ask(one)
                return answers == [.refused(.tooOften)] ? nil : answers
            }
            #expect(answers == [.chunk(Self.blob.answer(2))])
        }
    }

    /// - From peers: more blob streams than a peer may have → reset
    @Test func `limits a peer's streams and frees them when they end`() async throws {
        var limits = BlobExchangeLimits()
        limits.streamsPerPeerMax = 2
        let question = BlobQuestion(id: Self.blob.id, chunks: 0..<1).bytes
        try await BlobNet.with([.honest(MemoryBlobs([Self.blob]))], peersLimits: limits) { net in
            var open: [any PeerStream] = []
            for _ in 0..<2 {
                let stream = try await net.asking.open(
                    protocols: [BlobExchange.protocolID],
                    to: net.peers[0]
                )
                try await stream.writeMessage(question)
                var frames = stream.messages(bytesMax: 70_000)
                #expect(try await frames.next(within: .seconds(10)) != nil)
                open.append(stream)
            }
            await #expect(throws: LinkError.self) { _ = try await net.ask(question) }
            for stream in open { stream.reset() }
            // The peer learns of the resets a little later.
            let answers = try await waitFor {
                let answers = (try? await net.ask(question)) ?? []
                return answers.isEmpty ? nil : answers
            }
            #expect(answers == [.chunk(Self.blob.answer(0))])
        }
    }
}
