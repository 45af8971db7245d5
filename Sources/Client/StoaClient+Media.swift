import Crypto

/// Calls about pictures and documents.
extension StoaClient {
    /// The maximum size of a file that a node takes, in bytes.
    public static let mediaBytesMax = 15_728_640

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

    /// Returns a picture or a document, or a smaller version of a picture.
    ///
    /// The node asks its peers if it does not have it.
    public func media(_ id: String, size: ThumbnailSize? = nil) async throws -> MediaContent {
        var call = try Call(API.media.content.facts, at: id, query: [Query.size(size)])
        call.answerBytesMax = Self.mediaBytesMax
        return try await exchange.content(of: call)
    }

    /// Returns a picture of a note in a sale, as ``Sale/Step/pictures`` names it, to the accounts
    /// that sent or received the note.
    ///
    /// The node gets it from its peers if it does not have it, and encodes it again.
    public func picture(_ id: String, ofSale sale: String) async throws -> MediaContent {
        var call = try Call(API.sales.picture.facts, at: sale, query: [Query.picture(id)])
        call.answerBytesMax = Self.mediaBytesMax
        return try await exchange.content(of: call)
    }
}
