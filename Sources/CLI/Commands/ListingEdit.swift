import ArgumentParser
import Client

/// The command `stoa listing edit`.
struct ListingEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change the text of one of your listings. Price and terms cannot be changed.",
        discussion: """
            Options that you leave out keep their values. The promise on the chain stays valid: \
            buyers are told how the new text differs from it.
            """
    )

    @OptionGroup var options: CallOptions
    @OptionGroup var consent: ConsentOptions
    @Argument(help: .listing) var listing: String
    @OptionGroup var words: ListingWordOptions

    func run() async throws {
        // Checked here, so that an unknown option is named first.
        guard !words.isEmpty else {
            throw Failure(.usage, "Nothing to change. Give an option such as --title or --tag.")
        }
        try await options.asAccount { node in
            let old = try await node.listing(listing)
            let changed = try await words.changed(old.content, on: node)
            let preview = try await node.preview(editing: old.id, changed)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            let begun = try await node.edit(listing: old.id, changed)
            let ended = try await options.output.finish(begun, node)
            try options.output.show(ended) { "Changed: \($0.subject ?? old.id)" }
        }
    }
}
