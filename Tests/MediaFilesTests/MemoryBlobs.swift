import Concurrency
import Crypto
import Keys
import Market
import Storage

@testable import MediaFiles

/// Files in memory, named by a hash of their bytes; those of peers are put there by the test.
actor MemoryBlobs: MediaBlobs {
    private var own: [Bytes32: (media: Media, bytes: [UInt8])] = [:]
    private var others: [Bytes32: (media: Media, bytes: [UInt8])] = [:]

    private var fault: BlobFault?
    private var gate: AsyncSemaphore?

    /// Lets no file arrive until the semaphore has a unit.
    func hold(by gate: AsyncSemaphore) { self.gate = gate }

    /// Makes all later calls fail, or none.
    func fail(with fault: BlobFault?) { self.fault = fault }

    func add(_ bytes: [UInt8], form: Media.Form, by account: Address) throws -> Media {
        if let fault { throw fault }
        let media = Self.media(bytes, form)
        own[media.id] = (media, bytes)
        return media
    }

    /// A file that a peer has and this node does not.
    func offer(_ bytes: [UInt8], form: Media.Form) -> Media {
        let media = Self.media(bytes, form)
        others[media.id] = (media, bytes)
        return media
    }

    func media(_ id: Bytes32) -> Media? { own[id]?.media }

    func added(by account: Address, after id: Bytes32?, limit: Int) -> [AddedBlob] { [] }

    func release(_ id: Bytes32, by account: Address) -> BlobRelease { .unknown }

    func isNamed(_ id: Bytes32) -> Bool { own[id] != nil || others[id] != nil }

    func file(_ id: Bytes32) async throws -> (media: Media, bytes: [UInt8])? {
        if let fault { throw fault }
        if let gate { withExtendedLifetime(try await gate.wait()) {} }
        // A file of a peer stays here once it was fetched.
        if own[id] == nil { own[id] = others[id] }
        return own[id]
    }

    private static func media(_ bytes: [UInt8], _ form: Media.Form) -> Media {
        let id = Bytes32(Array(SHA256.hash(data: bytes))) ?? Bytes32(repeating: 0)
        return Media(id: id, byteCount: UInt64(bytes.count), form: form)
    }
}
