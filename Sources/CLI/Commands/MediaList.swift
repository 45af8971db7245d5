import ArgumentParser
import Client

/// The command `stoa media list`.
struct MediaList: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the pictures and documents that you have added to the node."
    )
    static let examples = ["media list"]

    @OptionGroup var paging: PageOptions
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        let page = try await node.addedMedia(limit: paging.limit, after: paging.after)
        try options.output.show(page) { page in
            var table = TextTable("file", "type", "bytes", "published")
            for file in page.items {
                table.add(
                    file.id,
                    file.type ?? "lost",
                    "\(file.length)",
                    file.isNamed ? "yes" : "no"
                )
            }
            return table.text(orElse: "You have not added any files.") + page.more
        }
    }
}

/// The command `stoa media remove`.
struct MediaRemove: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove your pictures and documents from this node.",
        discussion: """
            A file that a listing, a review or your profile shows must be removed there first. \
            Other nodes may keep copies of published files as long as they like.
            """
    )
    static let examples = [
        "media remove 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"
    ]

    @Argument(help: "The files' full ids, as 'stoa media list' shows them.") var ids: [String]
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        for id in ids {
            try await node.removeMedia(id)
            options.output.note("removed \(DisplayText.line(id))")
        }
    }
}
