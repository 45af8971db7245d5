import Foundation

/// Digital works.
extension StoaClient {
    /// The maximum bytes of a digital work: 15 MiB, less the 28 bytes that encryption adds.
    public static let workBytesMax = mediaBytesMax - 28

    /// Returns the digital works that the account made or bought, by their identifiers.
    public func works() async throws -> [Work] { try await call(API.media.works) }

    /// Adds a file to the node, which keeps it encrypted; a listing names it by its identifier.
    ///
    /// The same file again gives the same answer. `progress` is called as by
    /// ``addMedia(_:progress:)``.
    public func addWork(
        _ bytes: [UInt8],
        named name: String,
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws -> Work {
        var call = try Call(API.media.addWork.facts, at: nil, query: [Query.name(name)])
        call.body = bytes
        call.progress = progress
        return try await exchange.perform(call)
    }

    /// Renames a digital work; later buyers get the new name.
    ///
    /// - Parameters:
    ///   - work: Its identifier, the first digits of it, or its name.
    ///   - name: The new name.
    /// - Returns: The work.
    /// - Throws: ``Problem`` with `not_found`, `ambiguous_id`, `malformed_value`, `needs_unlock`.
    public func renameWork(_ work: String, to name: String) async throws -> Work {
        try await call(API.media.renameWork, at: work, WorkName(name: name))
    }

    /// Removes a digital work, here and on the account's other nodes.
    ///
    /// - Parameter work: Its identifier, the first digits of it, or its name.
    /// - Throws: ``Problem`` with `not_found`, `ambiguous_id`, `not_allowed` while a sale of the
    ///   account needs it, `needs_unlock`.
    public func removeWork(_ work: String) async throws {
        try await call(API.media.removeWork, at: work)
    }

    /// Returns the file of a sale to its buyer, once the seller has delivered its key.
    ///
    /// The node has checked it against the identifier that the seller committed to.
    public func boughtWork(ofSale sale: String) async throws -> BoughtWork {
        var call = try Call(API.sales.work.facts, at: sale)
        call.answerBytesMax = Self.mediaBytesMax
        let content = try await exchange.content(of: call)
        let parts = content.location?.split(separator: "/").map(String.init) ?? []
        return BoughtWork(
            name: content.name ?? "work",
            bytes: content.bytes,
            sale: parts.count == 4 && parts.last == "work" ? parts[2] : nil
        )
    }
}
