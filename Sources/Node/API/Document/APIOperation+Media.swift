extension APIOperation {
    /// The calls about pictures and documents.
    static let media = [
        APIOperation(
            "post",
            "media",
            "Add a picture or a document of at most 15 MiB, which is the body; a picture is encoded "
                + "anew, without the place and the other data of its camera.",
            gives: "MediaFile",
            status: 201,
            takesFile: true
        ),
        APIOperation(
            "get",
            "media/{id}",
            "Get a picture or a document, or with 'size' a smaller version of a picture; ranges and "
                + "conditions are followed.",
            .reader,
            query: ["size"],
            givesFile: true
        ),
        APIOperation(
            "get",
            "media",
            "List the pictures and documents that the account added, by their ids.",
            gives: "Page[AddedMedia]",
            query: ["limit", "after"]
        ),
        APIOperation(
            "delete",
            "media/{id}",
            "Keep a picture or a document no longer, which nothing names that the account has published.",
            status: 204
        ),
        APIOperation(
            "get",
            "works",
            "List the digital works that the account made or bought, on any of its nodes.",
            gives: "[Work]"
        ),
        APIOperation(
            "put",
            "works/{id}",
            "Give a digital work another name, which its buyers get from then on.",
            takes: "WorkName",
            gives: "Work"
        ),
        APIOperation(
            "delete",
            "works/{id}",
            "Remove a digital work from all nodes of the account, unless a sale needs it.",
            status: 204
        ),
        APIOperation(
            "post",
            "works",
            "Add a digital work of at most 15 MiB less 28 bytes, which is the body; it is kept encrypted.",
            gives: "Work",
            status: 201,
            query: ["name"],
            takesFile: true
        ),
        APIOperation(
            "get",
            "sales/{id}/work",
            "Get the file that the account bought, once the seller has delivered its key; it is checked "
                + "against its identifier.",
            givesFile: true
        ),
    ]
}
