import Keys
import Market

/// The node's store of pictures and documents, including those from other nodes.
protocol MediaBlobs: Sendable {
    /// Keeps a file of an account; the same bytes again are the same file.
    ///
    /// - Returns: The name by which listings refer to it, once it is durable.
    /// - Throws: ``Refusal`` or `StorageError` if there is no room.
    func add(_ bytes: [UInt8], form: Media.Form, by account: Address) async throws -> Media

    /// Returns files that an account added, by id, after one of them.
    func added(by account: Address, after id: Bytes32?, limit: Int) async throws -> [AddedBlob]

    /// Keeps a file no longer for an account that added it, unless a record of it names the file.
    func release(_ id: Bytes32, by account: Address) async throws -> BlobRelease

    /// Returns the details of a file that this node has whole; `nil` if it does not.
    func media(_ id: Bytes32) async throws -> Media?

    /// Whether a record names a file, so that a peer may have it.
    func isNamed(_ id: Bytes32) async throws -> Bool

    /// Returns a file, from here or from a peer; `nil` if it is not available now.
    func file(_ id: Bytes32) async throws -> (media: Media, bytes: [UInt8])?
}

/// A file that an account added.
struct AddedBlob: Hashable, Sendable {
    let id: Bytes32
    let byteCount: UInt64
    /// Whether a record of the account names it.
    let isNamed: Bool
    /// `nil` if the file is lost.
    let form: Media.Form?
}

/// The result of removing an account's file.
enum BlobRelease: Sendable {
    case released
    /// The account did not add it.
    case unknown
    /// A record of the account names it.
    case named
    /// It is a digital work's encrypted file.
    case work
}
