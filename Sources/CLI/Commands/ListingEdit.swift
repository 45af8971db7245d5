import ArgumentParser
import Client

/// The command `stoa listing edit`.
struct ListingEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change the text of one of your listings. Price and terms cannot be changed.",
        discussion: """
            What is left out stays. A buyer is told what differs from the promise on the chain, \
            which goes on to count.
            """
    )

    @OptionGroup var options: CallOptions
    @OptionGroup var consent: ConsentOptions
    @Argument(help: "Its id or the beginning of it, or words of its title.") var listing: String
    @Option(help: "What it is, on one line.") var title: String?
    @Option(help: "All that a buyer should know.") var description: String?
    @Option(help: "Small letters, digits and hyphens, such as vehicles.") var category: String?
    @Option(name: .customLong("tag"), help: "A word to find it by, in place of all; several times.")
    var tags: [String] = []
    @Option(name: .customLong("ships-to"), help: "A country code, in place of all; several times.")
    var shipsTo: [String] = []
    @Option(help: "Where the buyer fetches it, for pickup.") var pickupPlace: String?

    func validate() throws {
        let isSaid = [title, description, category, pickupPlace].contains { $0 != nil }
        guard isSaid || !tags.isEmpty || !shipsTo.isEmpty else {
            throw ValidationError("Say what is to change, such as --title or --description.")
        }
    }

    func run() async throws {
        try await options.asAccount { node in
            let old = try await node.listing(listing)
            let changed = changed(old.content)
            let preview = try await node.preview(editing: old.id, changed)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            let begun = try await node.edit(listing: old.id, changed)
            let ended = try await options.output.finish(begun, node)
            try options.output.show(ended) { "Changed: \($0.subject ?? old.id)" }
        }
    }

    private func changed(_ old: ListingContent) -> ListingContent {
        var content = old
        content.title = title ?? old.title
        content.description = description ?? old.description
        content.category = category ?? old.category
        content.pickupPlace = pickupPlace ?? old.pickupPlace
        if !tags.isEmpty { content.tags = tags }
        if !shipsTo.isEmpty { content.shipsTo = shipsTo }
        return content
    }
}
