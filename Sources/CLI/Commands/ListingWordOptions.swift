import ArgumentParser
import Client

/// The fields that a new listing and an edit take alike.
struct ListingDetailOptions: ParsableArguments {
    @Option(help: "Everything a buyer should know.") var description: String?
    @Option(
        help: """
            The category, such as sports or instruments; 'stoa listing categories' shows all. Another \
            one is taken too: lower-case letters, digits and hyphens.
            """
    )
    var category: String?
    @Option(help: "Where the buyer picks it up, for delivery by pickup.")
    var pickupPlace: String?

    /// The category as a listing has it.
    var storedCategory: String? { category.map(StoredWord.category) }

    /// Whether none is given.
    var isEmpty: Bool { [description, category, pickupPlace].allSatisfy { $0 == nil } }

    /// Sets the fields that are given.
    func set(in content: inout ListingContent) {
        if let description { content.description = description }
        if let storedCategory { content.category = storedCategory }
        if let pickupPlace { content.pickupPlace = pickupPlace }
    }
}

/// The editable fields of a listing or a draft; fields that are left out keep their values.
struct ListingWordOptions: ParsableArguments {
    @Option(help: "The new title, on one line.") var title: String?
    @OptionGroup var details: ListingDetailOptions
    @Option(name: .customLong("tag"), help: "A tag; replaces all current tags. Can be repeated.")
    var tags: [String] = []
    @Option(
        name: .customLong("session"),
        help: """
            A session of a course's curriculum, as 'TITLE' or 'TITLE: CONTENT'; replaces all current \
            ones. Can be repeated, in their order, up to 40 times.
            """
    )
    var sessions: [String] = []
    @Flag(help: "Remove the curriculum.") var noSessions = false
    @Option(
        name: .customLong("ships-to"),
        help: """
            A country, a state or a city, as in 'stoa listing create'; replaces all current ones. \
            Can be repeated.
            """
    )
    var shipsTo: [String] = []
    @OptionGroup var within: ShipsWithinOptions
    @Option(
        help: """
            A picture or a PDF document, a file or an id; replaces all current ones. Can be \
            repeated.
            """,
        completion: .file()
    )
    var media: [String] = []
    @Flag(help: "Remove all pictures and documents.") var noMedia = false

    /// Whether nothing is to be changed.
    var isEmpty: Bool {
        title == nil && details.isEmpty && within.shipsWithin == nil && !noMedia && !noSessions
            && [tags, sessions, shipsTo, media].allSatisfy(\.isEmpty)
    }

    func validate() throws {
        try CourseText.check(sessions)
        guard sessions.isEmpty || !noSessions else {
            throw ValidationError("Give --session or --no-sessions, not both.")
        }
        guard media.isEmpty || !noMedia else {
            throw ValidationError("Give --media or --no-media, not both.")
        }
        guard shipsTo.isEmpty || within.shipsWithin == nil else {
            throw ValidationError("Give --ships-to or --ships-within, not both.")
        }
    }

    /// Returns the content with the changes; files are added to the node first.
    func changed(_ old: ListingContent, on node: StoaClient) async throws -> ListingContent {
        var content = changed(old)
        if let distance = try await within.distance(node) {
            (content.shipsTo, content.shipsWithin) = ([], distance)
        }
        if noMedia { content.media = [] }
        if !media.isEmpty { content.media = try await MediaInput.media(media, of: node) }
        return content
    }

    /// Returns the content with the changes that need no node.
    func changed(_ old: ListingContent) -> ListingContent {
        var content = old
        content.title = title ?? old.title
        details.set(in: &content)
        if !tags.isEmpty { content.tags = tags.map(StoredWord.tag) }
        if noSessions { content.curriculum = [] }
        if !sessions.isEmpty { content.curriculum = sessions.map(CourseText.session) }
        if !shipsTo.isEmpty { (content.shipsTo, content.shipsWithin) = (shipsTo, nil) }
        return content
    }
}
