import ArgumentParser
import Client
import Setup

/// The command `stoa draft …`.
struct DraftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft",
        abstract: "Keep listings that are not published yet.",
        discussion: "'stoa listing create --as-draft NAME …' makes one.",
        subcommands: [Copy.self, DraftEdit.self, List.self, Show.self, Publish.self, Remove.self]
    )

    struct Copy: AccountCall {
        static let configuration = command(
            "Copy a listing's text and terms into a draft, to offer something similar.",
            discussion: """
                Dates are not copied. The identifier is copied: change it if you sell another item.
                """
        )
        static let examples = ["draft copy bicycle 'second bicycle'"]

        @Argument(help: .listing) var listing: String
        @Argument(help: "A name for the draft.") var name: String
        @OptionGroup var options: CallOptions

        func validate() throws {
            guard !name.isEmpty else { throw ValidationError("Name the draft.") }
        }

        func call(_ node: StoaClient) async throws {
            var content = try await node.listing(listing).content
            content.item = nil
            content.terms?.offerUntil = nil
            content.direct?.offerUntil = nil
            try await DraftCommand.requireNew(name, on: node)
            try options.output.show(try await node.save(draft: content, as: name)) {
                DraftText.kept($0)
            }
        }
    }

    struct List: AccountCall {
        static let configuration = command("Show your drafts, most recently changed first.")
        static let examples = ["draft list"]

        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try options.output.show(try await node.drafts()) { drafts in
                var table = TextTable("name", "title", "price", "pieces", "changed")
                for draft in drafts {
                    let price = CurrencyUnits.on(draft.content.chain) {
                        DraftText.price(draft.content)
                    }
                    table.add(
                        draft.name,
                        draft.content.title,
                        price,
                        draft.content.pieces.map(String.init) ?? "",
                        TimeText.text(draft.changedAt)
                    )
                }
                table.dropEmptyColumns()
                return table.text(
                    orElse:
                        "No drafts. Keep one with: stoa listing create TITLE --as-draft NAME"
                )
            }
        }
    }

    struct Show: AccountCall {
        static let configuration = command("Show a draft.")
        static let examples = ["draft show 'second bicycle'"]

        @Argument(help: "The name of the draft.") var name: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try options.output.show(try await node.draft(name)) { DraftText.text($0) }
        }
    }

    struct Publish: AccountCall {
        static let configuration = command(
            """
            Publish a draft as a listing: show the costs, then sign. The draft is removed.
            """
        )
        static let examples = ["draft publish 'second bicycle'"]

        @Argument(help: "The name of the draft.") var name: String
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var fees: FeeOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let node = try fees.applied(to: node)
            let draft = try await node.draft(name)
            try DraftCommand.requireWhole(draft)
            let ended = try await consent.list(draft.content, on: node, options)
            // It is listed; a remaining draft does no harm.
            try? await node.remove(draft: name)
            try options.output.show(ended) { "Listed as \($0.subject ?? "?")" }
            await options.sayNext(after: ended, node)
        }
    }

    struct Remove: AccountCall {
        static let configuration = command("Remove a draft.")
        static let examples = ["draft remove 'second bicycle'"]

        @Argument(help: "The name of the draft.") var name: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try await node.remove(draft: name)
            options.output.note("Removed.")
        }
    }
}

extension DraftCommand {
    /// Refuses a draft that lacks something, and names all of it.
    static func requireWhole(_ draft: Draft) throws {
        let missing = ListingNeeds.missing(in: draft.content)
        guard !missing.isEmpty else { return }
        let name = DisplayText.line(draft.name)
        throw Failure(
            .refused,
            "The draft '\(name)' has no \(missing.map(\.rawValue).joined(separator: " and no ")) yet. "
                + "Add what is missing: stoa draft edit '\(name)' "
                + missing.map { "--\($0.rawValue) …" }.joined(separator: " "),
            problem: ProblemCode.badListing.rawValue
        )
    }

    /// Refuses the name of a draft that there is: it would be replaced.
    static func requireNew(_ name: String, on node: StoaClient) async throws {
        guard try await node.drafts().contains(where: { $0.name == name }) else { return }
        throw Failure(
            .refused,
            "You already have a draft \(name.quoted). Change it with 'stoa draft edit', remove it "
                + "with 'stoa draft remove', or choose another name.",
            problem: ProblemCode.nameTaken.rawValue
        )
    }
}

extension ConsentOptions {
    /// Asks who decides a dispute, unless `asksForArbiter` is false, shows the cost of a new
    /// listing, asks for consent, creates it, and follows it to its end.
    ///
    /// - Throws: ``Failure``, or the node's refusal.
    func list(
        _ content: ListingContent,
        on node: StoaClient,
        _ options: CallOptions,
        asksForArbiter: Bool = true
    ) async throws -> Client.Operation {
        var content = ListingNeeds.completed(content)
        if asksForArbiter, !yes, !dryRun, !options.json {
            content = try await ArbiterQuestion.answered(content, of: node)
        }
        let preview = try await node.preview(content)
        try await obtain(for: preview, of: node, asJSON: options.json)
        // The name can mean another account by now, so the address that was shown is sent.
        if let arbiter = preview.arbiter { content.terms?.arbiter = arbiter.account }
        let operation = try await node.list(content, feeMax: preview.agreedFee)
        return try await options.output.finish(operation, node)
    }
}

/// Formats drafts as text.
enum DraftText {
    static func kept(_ draft: Draft) -> String {
        "Saved as the draft '\(DisplayText.line(draft.name))'. Publish it with: stoa draft publish "
            + "'\(DisplayText.line(draft.name))'"
    }

    /// The price; a draft can be without one.
    static func price(_ content: ListingContent) -> String {
        content.price.amount == "0" ? "none yet" : MoneyText.exact(content.price)
    }

    static func text(_ draft: Draft) -> String {
        let content = draft.content
        return CurrencyUnits.on(content.chain) {
            var lines = [
                "draft       " + DisplayText.line(draft.name),
                "title       " + DisplayText.line(content.title),
                "price       " + price(content),
            ]
            if let pieces = content.pieces { lines.append("pieces      \(pieces)") }
            lines.append("payment     " + content.payment)
            lines += ListingText.words(of: content).map {
                DisplayWidth.pad($0.name, to: 12) + $0.text
            }
            lines += [
                "delivery    " + ListingText.delivery(content),
                "files       \(content.media?.count ?? 0)",
                "description " + DisplayText.setIn(content.description),
            ]
            return lines.joined(separator: "\n")
        }
    }
}
