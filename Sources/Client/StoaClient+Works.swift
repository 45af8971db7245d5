import Foundation
import NIOHTTP1

/// Digital works.
extension StoaClient {
    /// The maximum bytes of a digital work: 15 MiB, less the 28 bytes that encryption adds.
    public static let workBytesMax = mediaBytesMax - 28

    /// Returns the digital works that the account made or bought, by their identifiers.
    public func works() async throws -> [Work] { try await get("works") }

    /// Adds a file to the node, which keeps it encrypted; a listing names it by its identifier.
    ///
    /// The same file again gives the same answer. `progress` is called as by
    /// ``addMedia(_:progress:)``.
    public func addWork(
        _ bytes: [UInt8],
        named name: String,
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws -> Work {
        var call = Call(method: .POST, path: "/v1/works", body: bytes)
        call.query = [("name", name)]
        call.bodyType = "application/octet-stream"
        call.progress = progress
        call.isRepeatable = true
        return try await exchange.perform(call)
    }

    /// Gives a digital work another name, which its buyers get from then on.
    ///
    /// - Parameters:
    ///   - work: Its identifier, the first digits of it, or its name.
    ///   - name: The new name.
    /// - Returns: The work.
    /// - Throws: ``Problem`` with `not_found`, `ambiguous_id`, `malformed_value`, `needs_unlock`.
    public func renameWork(_ work: String, to name: String) async throws -> Work {
        let path = "works/\(try Call.part(work))"
        return try await exchange.perform(try call(.PUT, path, WorkName(name: name), nil))
    }

    /// Removes a digital work, here and on the account's other nodes.
    ///
    /// - Parameter work: Its identifier, the first digits of it, or its name.
    /// - Throws: ``Problem`` with `not_found`, `ambiguous_id`, `not_allowed` while a sale of the
    ///   account needs it, `needs_unlock`.
    public func removeWork(_ work: String) async throws {
        try await exchange.perform(try call(.DELETE, "works/\(try Call.part(work))", nil, nil))
    }

    /// Returns the file of a sale to its buyer, once the seller has delivered its key.
    ///
    /// The node has checked it against the identifier that the seller committed to.
    public func boughtWork(ofSale sale: String) async throws -> BoughtWork {
        var call = Call(method: .GET, path: "/v1/sales/\(try Call.part(sale))/work")
        call.answerBytesMax = Self.mediaBytesMax
        call.accepts = "*/*"
        let content = try await exchange.content(of: call)
        let parts = content.location?.split(separator: "/").map(String.init) ?? []
        return BoughtWork(
            name: content.name ?? "work",
            bytes: content.bytes,
            sale: parts.count == 4 && parts.last == "work" ? parts[2] : nil
        )
    }
}
