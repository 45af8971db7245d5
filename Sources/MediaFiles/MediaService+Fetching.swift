import Answers
package import Client
package import Concurrency
package import Keys
import Metrics
import Storage

/// The files of other nodes' listings.
extension MediaService {
    private static let fetchesMax = 6
    /// How long all files of one listing are waited for.
    private static let fetchMax = Duration.seconds(60)

    /// Fetches the files that this node does not have yet, so that a listing here can name them.
    ///
    /// Those that no other node gives in time are missing afterwards too.
    ///
    /// - Throws: ``Refusal`` if there is no room for a file; ``StorageError``; `CancellationError`.
    package func fetch(_ named: [ListingMedia]) async throws {
        let ids = named.compactMap { Bytes32(hex: $0.id) }
        do {
            try await withTimeLimit(Self.fetchMax, throwing: FetchOver(), clock: uptime) {
                try await self.fetch(ids)
            }
        } catch is FetchOver {
            Counter(label: "stoa_blob_listings_incomplete").increment()
        } catch let fault as BlobFault {
            throw Refusal(fault)
        }
    }

    /// How many files that callers have asked for are fetched at once, as
    /// ``BlobFetchLimits/fetchesMax``; a slow one delays few others.
    private static let askedMax = 64

    /// Fetches the files that callers have asked for and that were not here, until cancelled.
    ///
    /// - Parameters:
    ///   - errors: Gets the errors of single files.
    ///   - tell: Tells an account that a file, by its id, is here now.
    package nonisolated func fetchAsked(
        _ errors: LoopErrors,
        tell: @escaping @Sendable (_ file: String, _ account: Address) async throws -> Void
    ) async {
        await withTaskGroup { group in
            for _ in 0..<Self.askedMax {
                group.addTask {
                    while let id = await self.askedFiles.next() {
                        await self.fetchAsked(id, errors, tell)
                    }
                }
            }
        }
    }

    private nonisolated func fetchAsked(
        _ id: Bytes32,
        _ errors: LoopErrors,
        _ tell: @Sendable (_ file: String, _ account: Address) async throws -> Void
    ) async {
        var isHere = false
        await errors.item("a file of another node") { isHere = try await blobs.file(id) != nil }
        for account in askedFiles.end(id, isHere: isHere, at: uptime.uptime) {
            await errors.item("news of a file") { try await tell(id.hex, account) }
        }
    }

    private nonisolated func fetch(_ ids: [Bytes32]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (count, id) in ids.enumerated() {
                if count >= Self.fetchesMax { try await group.next() }
                group.addTask { try await self.fetch(id) }
            }
            try await group.waitForAll()
        }
    }

    private nonisolated func fetch(_ id: Bytes32) async throws {
        guard try await blobs.media(id) == nil else { return }
        do {
            _ = try await blobs.file(id)
        } catch let fault as BlobFault where fault == .busy || fault == .damaged {
            // Another try can have it.
            return
        }
    }
}

/// The files of a listing have not arrived in time.
private struct FetchOver: Error {}
