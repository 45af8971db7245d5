import Crypto

/// Pictures, documents and digital works.
package struct MediaCalls: Sendable {
    package let add = APICall<FileBody, MediaFile>(.post, "media")
        .about(
            "Add a picture or a document of at most 15 MiB, which is the body; a picture is "
                + "re-encoded, without its location and other camera data."
        )
        .created
        .failing([.badMedia, .mediaUnavailable, .mediaNoRoom, .tooManyTries])
    package let content = APICall<NoBody, FileBody>(.get, "media/{id}", .localOrReader)
        .about(
            "Get a picture or a document, or with 'size' a smaller version of a picture; ranges "
                + "and conditions are followed. A file that is not here yet is fetched behind the "
                + "answer, and an event 'media' tells that it has come."
        )
        .taking(Query.size, Query.wait, Query.actAs)
        .failing([.unknownMedia, .badMedia, .mediaUnavailable, .mediaNoRoom, .bodyTooLarge])
        .failing([.unsupportedMediaType, .rangeNotSatisfiable])
    package let list = APICall<NoBody, Page<AddedMedia>>(.get, "media")
        .about("List the pictures and documents that the account added, by their ids.")
        .taking(Query.limit, Query.after)
    package let remove = APICall<NoBody, NoBody>(.delete, "media/{id}")
        .about(
            "Keep a picture or a document no longer, which nothing names that the account has "
                + "published."
        )
        .failing([.unknownMedia, .notAllowed])
    package let works = APICall<NoBody, [Work]>(.get, "works")
        .about("List the digital works that the account made or bought, on any of its nodes.")
        .failing(.locked)
    package let addWork = APICall<FileBody, Work>(.post, "works")
        .about(
            "Add a digital work of at most 15 MiB less 28 bytes, which is the body; it is kept "
                + "encrypted."
        )
        .created
        .taking(Query.name)
        .failing(.locked, [.notAllowed, .mediaNoRoom, .tooManyTries])
    package let renameWork = APICall<WorkName, Work>(.put, "works/{id}")
        .about("Rename a digital work; later buyers get the new name.")
        .failing(.locked)
    package let removeWork = APICall<NoBody, NoBody>(.delete, "works/{id}")
        .about("Remove a digital work from all nodes of the account, unless a sale needs it.")
        .failing(.locked, [.notAllowed, .chainAway, .chainStale])
}

extension StoaClient {
    /// The maximum size of a file that a node takes, in bytes.
    public static let mediaBytesMax = 15_728_640

    /// The maximum bytes of a digital work: 15 MiB, less the 28 bytes that encryption adds.
    public static let workBytesMax = mediaBytesMax - 28

    /// Adds a picture or a document to the node, for listings to show.
    ///
    /// It is a JPEG, PNG or WebP picture or a PDF document of at most ``mediaBytesMax``. The same
    /// file again gives the same answer. An answer about other bytes than were sent is an error.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - progress: Called with the number of bytes sent so far, from 0; from 0 again if
    ///     the connection failed.
    /// - Returns: The node's description of it.
    /// - Throws: ``Problem`` if it is none of these, too long, or there is no room;
    ///   ``ClientError``.
    public func addMedia(
        _ bytes: [UInt8],
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws -> MediaFile {
        var call = try Call(API.media.add.facts, at: nil)
        call.body = bytes
        call.progress = progress
        let file: MediaFile = try await exchange.perform(call)
        let sent = SHA256.hash(data: bytes).reduce(into: "0x") { text, byte in
            let digits = String(byte, radix: 16)
            text += digits.count == 1 ? "0" + digits : digits
        }
        guard file.received == sent else {
            throw ClientError.unexpected(node, status: 201, reason: "other bytes than were sent")
        }
        return file
    }

    /// Returns a picture or a document, or a smaller version of a picture.
    ///
    /// The node asks its peers if it does not have it. With `waits`, the call takes up to a minute
    /// for that; without, it throws a ``Problem`` with `media_unavailable` at once, and an event
    /// `media` tells when to ask again.
    public func media(
        _ id: String,
        size: ThumbnailSize? = nil,
        waits: Bool = true
    ) async throws -> MediaContent {
        let query = [Query.size(size), Query.wait(waits)]
        var call = try Call(API.media.content.facts, at: id, query: query)
        call.answerBytesMax = Self.mediaBytesMax
        return try await exchange.content(of: call)
    }

    /// Returns the pictures and documents that the signed-in account added, by their ids.
    ///
    /// - Parameters:
    ///   - limit: At most 100.
    ///   - after: The ``Page/next`` of the page before.
    /// - Returns: A page of them.
    /// - Throws: ``Problem``.
    public func addedMedia(limit: Int = 20, after: String? = nil) async throws -> Page<AddedMedia> {
        try await call(API.media.list, query: [Query.limit(limit), Query.after(after)])
    }

    /// Removes a picture or a document that the signed-in account has added.
    ///
    /// - Throws: ``Problem`` with `unknown_media`; `not_allowed` while something that the account
    ///   has published names it.
    public func removeMedia(_ id: String) async throws {
        try await call(API.media.remove, at: id)
    }

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
}
