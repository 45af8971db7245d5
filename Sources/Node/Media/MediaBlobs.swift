import Keys
import Market

/// Where a node keeps pictures and documents, and gets those of others.
protocol MediaBlobs: Sendable {
    /// Keeps a file of an account; the same bytes again are the same file.
    ///
    /// - Returns: What listings name it by, once it is durable.
    /// - Throws: ``Refusal`` or `StorageError` if there is no room.
    func add(_ bytes: [UInt8], form: Media.Form, by account: Address) async throws -> Media

    /// Returns what is known of a file that this node holds whole; `nil` if it does not.
    func media(_ id: Bytes32) async throws -> Media?

    /// Returns a file, from here or from a peer; `nil` if it is not to be had now.
    func file(_ id: Bytes32) async throws -> (media: Media, bytes: [UInt8])?
}
