import Concurrency
import Foundation
import Gossip
import GossipProtocol
import Keys
import Logging
import Market
import Storage
import Support
import Synchronization

@testable import MediaFiles

/// The part of a node that keeps and exchanges files, with a store and real links of its own.
struct MediaNode: Sendable {
    let store: Store
    let links: Links
    let files: BlobFiles
    let exchange: BlobExchange
    let media: NodeMedia
    let homed: HomedFiles
    let address: Multiaddr
    let offences = OffenceNames()

    init(
        in folder: TemporaryFolder,
        quotaBytes: Int = 256 << 20,
        limits: BlobExchangeLimits = BlobExchangeLimits(),
        fetchLimits: BlobFetchLimits = BlobFetchLimits(),
        fetchClock: any MonotonicClock = .system,
        fault: Store.FaultHook? = nil
    ) async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        store = try Store(folder: folder.path("store"), faultHook: fault)
        links = try Links(identity: .random(), agentVersion: "stoa/test", logger: logger)
        let blobLimits = BlobLimits(quotaBytes: quotaBytes)
        files = try BlobFiles(
            folder: folder.path("blobs"),
            limits: blobLimits,
            isPinned: { [store] id in try store.read { try $0.isMediaPinned(id) } }
        )
        exchange = BlobExchange(
            links: links,
            source: StoredBlobs(store: store, files: files),
            limits: limits,
            charge: { [offences] in offences.note($0, $1) },
            logger: logger
        )
        let fetches = BlobFetches(
            store: store,
            files: files,
            exchange: exchange,
            limits: fetchLimits,
            clock: fetchClock,
            logger: logger
        )
        media = NodeMedia(store: store, files: files, limits: blobLimits, fetches: fetches)
        homed = HomedFiles(
            store: store,
            files: files,
            fetches: fetches,
            limits: blobLimits,
            logger: logger
        )
        guard let any = Multiaddr(text: "/ip4/127.0.0.1/tcp/0") else {
            preconditionFailure("a well-formed address")
        }
        address = try await links.listen(on: any)[0]
    }

    /// Stores a profile of an account that names the file, made `later` milliseconds after others.
    func name(
        _ media: Media,
        by number: UInt8 = 1,
        lane: RecordLane = .open,
        later: UInt64 = 0
    ) async throws {
        let key = testKey(number)
        let draft = RecordDraft(
            network: "test",
            author: key.address,
            content: .profile(try Profile(name: "Ana", avatar: media)),
            slot: .zero,
            createdAt: Timestamp(milliseconds: 1_780_000_000_000 + later)
        )
        let entry = RecordEntry(try draft.signed(by: key), lane: lane)
        _ = try await store.write {
            try $0.put([entry], at: Timestamp(milliseconds: 1_780_000_000_000 + later))
        }
    }

    /// Runs `body` while the nodes run, the first linked to all others.
    static func run(
        _ nodes: [MediaNode],
        _ body: @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            for node in nodes { group.addTask { try await node.links.run() } }
            defer { group.cancelAll() }
            for node in nodes.dropFirst() {
                _ = try await nodes[0].links.dial(node.address.expecting(nil))
            }
            try await body()
        }
    }
}

/// The names of the offences that were charged, by peer.
final class OffenceNames: Sendable {
    private let noted = Mutex<[PeerID: Set<String>]>([:])

    func note(_ peer: PeerID, _ offence: PeerOffence) {
        noted.withLock { _ = $0[peer, default: []].insert(offence.name) }
    }

    func names(of peer: PeerID) -> Set<String> { noted.withLock { $0[peer] ?? [] } }
}
