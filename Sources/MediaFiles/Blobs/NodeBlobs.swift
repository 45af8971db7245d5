package import Concurrency
package import Gossip
package import Logging
package import Storage

/// Creates and connects what keeps, serves and fetches files.
package struct NodeBlobs {
    package let files: BlobFiles
    package let exchange: BlobExchange
    package let media: NodeMedia
    package let homed: HomedFiles

    /// Opens the folder of files.
    ///
    /// - Throws: ``StorageError``
    package init(
        store: Store,
        links: any PeerLinks,
        gossip: GossipService,
        folder: String,
        quotaBytes: Int,
        clock: any MonotonicClock,
        wallClock: any WallClock,
        logger: Logger
    ) throws {
        let limits = BlobLimits(quotaBytes: quotaBytes)
        files = try BlobFiles(
            folder: folder,
            limits: limits,
            isPinned: { id in try store.read { try $0.isMediaPinned(id) } },
            clock: wallClock
        )
        exchange = BlobExchange(
            links: links,
            source: StoredBlobs(store: store, files: files),
            charge: { [gossip] in gossip.charge($0, with: $1) },
            noteUse: { [gossip] in gossip.noteUse(of: $0) },
            clock: clock,
            logger: logger
        )
        let fetches = BlobFetches(
            store: store,
            files: files,
            exchange: exchange,
            clock: clock,
            logger: logger
        )
        media = NodeMedia(store: store, files: files, limits: limits, fetches: fetches)
        homed = HomedFiles(
            store: store,
            files: files,
            fetches: fetches,
            limits: limits,
            clock: clock,
            logger: logger
        )
    }
}
