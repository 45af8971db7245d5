/// Pictures, documents and digital works.
package struct MediaCalls: Sendable {
    package let add = APICall<FileBody, MediaFile>(.post, "media")
        .about(
            "Add a picture or a document of at most 15 MiB, which is the body; a picture is "
                + "re-encoded, without its location and other camera data."
        )
        .created
        .failing([.badMedia, .mediaUnavailable, .mediaNoRoom, .tooManyTries])
    package let content = APICall<NoBody, FileBody>(.get, "media/{id}", .reader)
        .about(
            "Get a picture or a document, or with 'size' a smaller version of a picture; ranges "
                + "and conditions are followed."
        )
        .taking(Query.size)
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
