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
    ]
}
