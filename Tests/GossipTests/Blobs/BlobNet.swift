import Concurrency
import Gossip
import GossipProtocol
import Keys
import Logging
import Market
import Synchronization

/// A node that asks, and peers that answer as a test says, over real links.
struct BlobNet: Sendable {
    /// How one peer answers.
    enum Peer: Sendable {
        /// As the protocol wants, from these blobs.
        case honest(MemoryBlobs)
        case hostile(@Sendable (any PeerStream) async throws -> Void)
    }

    let exchange: BlobExchange
    let asking: Links
    let peers: [PeerID]
    let offences: OffenceBox
    /// The offences that the honest peers noted.
    let peersOffences: OffenceBox

    static func with(
        _ peers: [Peer],
        limits: BlobExchangeLimits = BlobExchangeLimits(),
        peersLimits: BlobExchangeLimits = BlobExchangeLimits(),
        _ body: @Sendable (BlobNet) async throws -> Void
    ) async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let (offences, peersOffences) = (OffenceBox(), OffenceBox())
        let asking = try LinkPair.node()
        var nodes: [Links] = []
        var addresses: [Multiaddr] = []
        for peer in peers {
            let links = try LinkPair.node()
            switch peer {
            case .honest(let blobs):
                await BlobExchange(
                    links: links,
                    source: blobs,
                    limits: peersLimits,
                    charge: { peersOffences.note($0, $1) },
                    logger: logger
                ).register()
            case .hostile(let body):
                await links.handle(protocol: BlobExchange.protocolID, body)
            }
            addresses.append(try await links.listen(on: LinkPair.any)[0])
            nodes.append(links)
        }
        let exchange = BlobExchange(
            links: asking,
            source: MemoryBlobs([]),
            limits: limits,
            charge: { offences.note($0, $1) },
            logger: logger
        )
        try await withThrowingTaskGroup { [nodes, addresses] group in
            group.addTask { try await asking.run() }
            for links in nodes { group.addTask { try await links.run() } }
            defer { group.cancelAll() }
            for address in addresses { _ = try await asking.dial(address.expecting(nil)) }
            try await body(
                BlobNet(
                    exchange: exchange,
                    asking: asking,
                    peers: nodes.map(\.localPeer),
                    offences: offences,
                    peersOffences: peersOffences
                )
            )
        }
    }

    /// Fetches a whole file; `nil` if it does not come.
    func fetch(_ blob: MemoryBlob) async throws -> [UInt8]? {
        let chunks = Mutex<[Int: [UInt8]]>([:])
        let result = try await exchange.fetch(
            blob.id,
            length: blob.length,
            missing: Array(0..<blob.length.chunkCount)
        ) { chunk, index in
            chunks.withLock { $0[index] = chunk }
        }
        guard result.isComplete else { return nil }
        return chunks.withLock { chunks in chunks.keys.sorted().flatMap { chunks[$0] ?? [] } }
    }

    /// Asks the first peer one question, and returns its answers.
    func ask(_ question: [UInt8], answers: Int = 1) async throws -> [BlobAnswer] {
        let stream = try await asking.open(protocols: [BlobExchange.protocolID], to: peers[0])
        try await stream.writeMessage(question)
        var frames = stream.messages(bytesMax: 70_000)
        var found: [BlobAnswer] = []
        while found.count < answers, let frame = try await frames.next(within: .seconds(10)) {
            if let answer = BlobAnswer(frame) { found.append(answer) }
        }
        try await stream.closeWrite()
        return found
    }
}

/// A file in memory, as peers serve it.
struct MemoryBlob: ServedBlob {
    let bytes: [UInt8]
    let length: BlobLength
    let tree: BlobTree

    init(_ byteCount: Int, seed: UInt8 = 1) {
        bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 / 7 + Int(seed)) }
        guard let length = BlobLength(byteCount), let tree = BlobTree(of: bytes) else {
            preconditionFailure("a blob of \(byteCount) bytes")
        }
        (self.length, self.tree) = (length, tree)
    }

    var id: Bytes32 { tree.root }

    func chunk(_ index: Int) -> [UInt8] { Array(bytes[length.range(of: index)]) }

    func proof(of chunk: Int) -> [Bytes32] { tree.proof(of: chunk) }

    /// The right answer for one chunk.
    func answer(_ index: Int) -> BlobChunk {
        BlobChunk(length: length, index: index, bytes: chunk(index), proof: proof(of: index))
    }
}

struct MemoryBlobs: BlobSource {
    private let blobs: [MemoryBlob]

    init(_ blobs: [MemoryBlob]) { self.blobs = blobs }

    func openBlob(_ id: Bytes32) -> (any ServedBlob)? { blobs.first { $0.id == id } }
}

/// The offences that were charged.
final class OffenceBox: Sendable {
    private let noted = Mutex<[PeerID: [String]]>([:])

    func note(_ peer: PeerID, _ offence: PeerOffence) {
        noted.withLock { $0[peer, default: []].append(offence.name) }
    }

    func names(of peer: PeerID) -> [String] { noted.withLock { $0[peer] ?? [] } }

    var isEmpty: Bool { noted.withLock { $0.isEmpty } }
}
