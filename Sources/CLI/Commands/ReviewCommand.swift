import ArgumentParser
import Client
import Texts

/// The command `stoa review …`.
struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Write and show reviews of finished sales.",
        subcommands: [Write.self, List.self]
    )

    struct Write: LeafCommand {
        static let configuration = command("Review the other side of a sale that has ended.")
        static let examples = [
            "review write bicycle --stars 5", "review write bicycle 'Just as described.' --stars 5",
        ]

        @Argument(help: .sale, completion: CompletionValues.sales) var sale: String
        @Option(parsing: .unconditional, help: "Required. The number of stars, 1 to 5.") var stars:
            Int?
        @Argument(help: "A text in addition to the stars.") var text: String?
        @Option(
            parsing: .unconditional,
            help: """
                The number of the round, from 0, of a sale with rounds. Defaults to the newest that you \
                have not reviewed.
                """
        )
        var round: UInt64?
        @Option(
            help: """
                A picture or a PDF document to show: a file, which is added to the node first, or the \
                id of one that was added. Can be repeated, up to three times.
                """,
            completion: .file()
        )
        var media: [String] = []
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var options: CallOptions

        func validate() throws {
            guard media.count <= 3 else {
                throw ValidationError("--media can be given at most three times.")
            }
            guard stars.map((1...5).contains) ?? true else {
                throw ValidationError("--stars must be from 1 to 5.")
            }
            try Needs.check(
                ["--stars <stars>": stars != nil],
                canAsk: Needs.canAsk(asJSON: options.json, isAgreed: consent.yes)
            )
        }

        /// The stars, for which it asks if they are not given.
        private func rating() async throws -> Int {
            if let stars { return stars }
            return try await Needs.answer("Stars, 1 to 5: ", form: "a number from 1 to 5") { text in
                Int(text).flatMap { (1...5).contains($0) ? $0 : nil }
            }
        }

        /// The words, for which it asks a person who was asked for the stars too.
        private var words: String? {
            guard stars == nil, text == nil else { return text }
            return Terminal.answer(
                "A few words, which nobody can change later, or Enter for none: "
            )
        }

        func run() async throws {
            let (stars, text) = (try await rating(), words)
            var draft = ReviewDraft(sale: sale, round: round, stars: stars, text: text)
            try await options.asAccount { node in
                if !media.isEmpty { draft.media = try await MediaInput.media(media, of: node) }
                let preview = try await node.preview(draft)
                try await consent.requireOnly(sale, preview, of: node)
                if let text, !text.isEmpty, !options.json {
                    Terminal.print("Your review: “\(DisplayText.setIn(text))”")
                }
                try await consent.obtain(for: preview, of: node, asJSON: options.json)
                draft.sale = preview.subject ?? sale
                draft.round = preview.round ?? round
                let review = try await node.review(draft)
                let names = await ReviewCommand.names(in: [review], options, node, own: nil)
                try options.output.show(review) { "Published: \(ReviewCommand.line($0, names))" }
                options.say(next: [NextStep(.status)])
            }
        }
    }

    struct List: LeafCommand {
        static let configuration = command("Show the reviews of a listing, an account or a sale.")
        static let examples = ["review list --sale bicycle", "review list --account anna"]

        @Option(help: "The reviewed listing, by its id or words from its title.")
        var listing: String?
        @Option(help: "The reviewed account, by name or address.") var account: String?
        @Option(help: "The reviewed sale, by its id or words from its listing's title.")
        var sale: String?
        @OptionGroup var paging: PageOptions
        @OptionGroup var options: CallOptions

        func validate() throws {
            let scopes = [listing, account, sale].compactMap { $0 }
            guard scopes.count == 1 else {
                throw ValidationError("Give one of --listing, --account and --sale.")
            }
        }

        func run() async throws {
            let scope: ReviewScope =
                if let listing {
                    .listing(listing)
                } else if let account {
                    .account(account)
                } else {
                    .sale(sale ?? "")
                }
            try await options.asReader { node, own in
                let page = try await node.reviews(scope, limit: paging.limit, after: paging.after)
                let names = await ReviewCommand.names(in: page.items, options, node, own: own)
                var titles: [String: String] = [:]
                let listings = options.json ? [] : Set(page.items.compactMap(\.listing))
                for id in listings.sorted().prefix(Self.titlesMax) {
                    titles[id] = try? await node.listing(id).content.title
                }
                try options.output.show(page) { ReviewCommand.text($0, names, titles) }
            }
        }

        /// At most so many listings are asked for their titles.
        private static let titlesMax = 20
    }

    /// The names of the accounts in reviews.
    private static func names(
        in reviews: [Review],
        _ options: CallOptions,
        _ node: StoaClient,
        own: String?
    ) async -> Names {
        let known = await options.names(of: node, own: own)
        let accounts = reviews.flatMap { [$0.author, $0.subject] }
        return options.json ? known : await known.with(profilesOf: accounts, node)
    }

    /// Formats reviews, with the titles of their listings as far as they are known.
    static func text(
        _ page: Page<Review>,
        _ names: Names,
        _ titles: [String: String] = [:]
    ) -> String {
        let lines = page.items.map { line($0, names, title: $0.listing.flatMap { titles[$0] }) }
        return (lines.isEmpty ? "No reviews." : lines.joined(separator: "\n")) + page.more
    }

    static func line(
        _ review: Review,
        _ names: Names = .none,
        title: String? = nil
    ) -> String {
        let stars = String(repeating: "*", count: max(0, min(5, review.stars)))
        let text = review.text.isEmpty ? "" : " “\(DisplayText.setIn(review.text))”"
        let round =
            review.round.map { round in
                let code = round == 0 ? "round.first" : "round.later"
                return ", " + SentencePatterns.english.text(code, ["number": "\(round)"])
            } ?? ""
        let about = title.map { " in '\(DisplayText.line($0))'" } ?? ""
        let line =
            "\(TimeText.text(review.createdAt))  \(stars) by \(names.text(review.author)) about \(names.text(review.subject))\(about)\(round)\(text)"
            + (review.media ?? []).map { "\n  \($0.type ?? "a file") \($0.id)" }.joined()
            + "\n  review \(IDText.cell(review.record))"
        return review.isContradicted
            ? line
                + "\n  Its author has published another, different review of this sale: neither counts."
            : line
    }
}
