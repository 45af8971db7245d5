import Answers
package import Client
import Concurrency
import Keys
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
            return
        } catch let fault as BlobFault {
            throw Refusal(fault)
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
