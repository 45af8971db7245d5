import ArgumentParser
import Client

/// The command `stoa review …`.
struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "What the sides of finished sales say of each other.",
        subcommands: [Write.self, List.self]
    )

    struct Write: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Review the other side of a sale that has ended."
        )

        @OptionGroup var options: CallOptions
        @OptionGroup var consent: ConsentOptions
        @Argument(help: "The sale's id.") var sale: String
        @Option(parsing: .unconditional, help: "1 to 5.") var stars: Int
        @Argument(help: "What to say beside the stars.") var text: String = ""

        func run() async throws {
            let draft = ReviewDraft(sale: sale, stars: stars, text: text)
            try await options.asAccount { node in
                try consent.obtain(
                    for: "Publish the review?",
                    showing: "A review is public and stays; a later one of the sale replaces it.",
                    asJSON: options.json
                )
                try options.output.show(try await node.review(draft)) {
                    "Published: \(ReviewCommand.line($0))"
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the reviews of a listing, an account or a sale."
        )

        @OptionGroup var options: CallOptions
        @Option(help: "The id of the listing they are about.") var listing: String?
        @Option(help: "The address of the account they are about.") var account: String?
        @Option(help: "The id of the sale they are about.") var sale: String?

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
            try await options.asAnyone { node in
                try options.output.show(try await node.reviews(scope)) { reviews in
                    reviews.isEmpty
                        ? "No reviews."
                        : reviews.map(ReviewCommand.line).joined(separator: "\n")
                }
            }
        }
    }

    static func line(_ review: Review) -> String {
        let stars = String(repeating: "*", count: max(0, min(5, review.stars)))
        let text = review.text.isEmpty ? "" : " “\(ShownText.setIn(review.text))”"
        return "\(stars) by \(review.author) about \(review.subject)\(text)"
    }
}
