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
    @Argument(help: "The listing: its id or the first digits of it, or words of its title.")
    var listing: String
    @Option(help: "The new title, on one line.") var title: String?
    @Option(help: "Everything a buyer should know.") var description: String?
    @Option(help: "A category of lower-case letters, digits and hyphens, such as vehicles.")
    var category: String?
    @Option(name: .customLong("tag"), help: "A tag; replaces all present ones. Can be repeated.")
    var tags: [String] = []
    @Option(
        name: .customLong("ships-to"),
        help: """
            A country, a state or a city, as in 'stoa listing create'; replaces all present ones. Can \
            be repeated.
            """
    )
    var shipsTo: [String] = []
    @OptionGroup var within: ShipsWithinOptions
    @Option(help: "Where the buyer picks it up, for delivery by pickup.")
    var pickupPlace: String?
    @Option(
        help: """
            A picture or a PDF document, a file or an id; replaces all present ones. Can be repeated.
            """
    )
    var media: [String] = []

    func validate() throws {
        let isSaid = [title, description, category, pickupPlace].contains { $0 != nil }
        let isListed = !tags.isEmpty || !shipsTo.isEmpty || !media.isEmpty
        guard isSaid || isListed || within.shipsWithin != nil else {
            throw ValidationError("Nothing to change. Give an option such as --title or --tag.")
        }
        guard shipsTo.isEmpty || within.shipsWithin == nil else {
            throw ValidationError("Give --ships-to or --ships-within, not both.")
        }
    }

    func run() async throws {
        try await options.asAccount { node in
            let old = try await node.listing(listing)
            var changed = try changed(old.content)
            if !media.isEmpty { changed.media = try await MediaInput.media(media, of: node) }
            let preview = try await node.preview(editing: old.id, changed)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            let begun = try await node.edit(listing: old.id, changed)
            let ended = try await options.output.finish(begun, node)
            try options.output.show(ended) { "Changed: \($0.subject ?? old.id)" }
        }
    }

    private func changed(_ old: ListingContent) throws -> ListingContent {
        var content = old
        content.title = title ?? old.title
        content.description = description ?? old.description
        content.category = category ?? old.category
        content.pickupPlace = pickupPlace ?? old.pickupPlace
        if !tags.isEmpty { content.tags = tags }
        if !shipsTo.isEmpty { (content.shipsTo, content.shipsWithin) = (shipsTo, nil) }
        if let distance = try within.distance() {
            (content.shipsTo, content.shipsWithin) = ([], distance)
        }
        return content
    }
}
