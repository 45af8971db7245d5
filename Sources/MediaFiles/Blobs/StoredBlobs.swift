package import Gossip
package import Keys
import Market
package import Storage

/// The files that this node sends to anyone: those that a stored record names, and the encrypted
/// works of its accounts, whose ids only their buyers know.
package struct StoredBlobs: BlobSource {
    private let store: Store
    private let files: BlobFiles

    package init(store: Store, files: BlobFiles) { (self.store, self.files) = (store, files) }

    package func openBlob(_ id: Bytes32) async throws -> (any ServedBlob)? {
        guard try store.read({ try $0.isMediaNamed(id) || $0.isSealedFile(id) }) else {
            return nil
        }
        return try await files.open(id).map { StoredBlob(file: $0, files: files) }
    }
}

/// A stored file that peers read.
private struct StoredBlob: ServedBlob {
    let file: BlobFile
    let files: BlobFiles

    var length: BlobLength { file.length }

    func proof(of chunk: Int) -> [Bytes32] { file.proof(of: chunk) }

    @concurrent
    func chunk(_ index: Int) async throws -> [UInt8] {
        do {
            return try file.chunk(index)
        } catch BlobFault.damaged {
            await files.discard(file.media.id)
            throw BlobFault.damaged
        }
    }
}
