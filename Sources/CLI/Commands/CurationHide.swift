import ArgumentParser
import Client

/// The subject of an entry in a list: a listing or an account.
struct HiddenOptions: ParsableArguments {
    @Option(help: "One listing: its id, the first digits of the id, or words from its title.")
    var listing: String?
    @Option(help: "All listings of an account, by its full address.") var account: String?

    func validate() throws {
        guard (listing == nil) != (account == nil) else {
            throw ValidationError("Give either --listing or --account.")
        }
    }

    /// Returns the same with the whole id of the listing.
    func resolved(by node: StoaClient) async throws -> HiddenOptions {
        guard let listing else { return self }
        var resolved = self
        resolved.listing = try await node.listing(listing).id
        return resolved
    }

    /// Whether an entry hides exactly this.
    func matches(_ entry: CurationEntry) -> Bool {
        if let listing { return entry.listing?.lowercased() == listing.lowercased() }
        return entry.listing == nil && entry.account?.lowercased() == account?.lowercased()
    }
}

extension CurationCommand {
    struct Hide: AccountCall {
        static let configuration = command(
            "Add a listing or an account to one of your lists, and publish the list."
        )
        static let examples = [
            "curation hide Copies --listing \(CurationCommand.exampleList) --reason 'A copy.'"
        ]

        @OptionGroup var hidden: HiddenOptions
        @Argument(help: "The name of the list; a new name creates a list.") var name: String
        @Option(help: "Required. Why, on one line.") var reason: String
        @Option(help: "A new description of the list.") var about: String?
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let hidden = try await hidden.resolved(by: node)
            var draft = try await CurationCommand.draft(named: name, on: node)
            draft.entries.removeAll(where: hidden.matches)
            draft.entries.append(
                CurationEntry(account: hidden.account, listing: hidden.listing, reason: reason)
            )
            if let about { draft.about = about }
            let what =
                hidden.listing.map { "the listing " + $0 }
                ?? "all listings of " + (hidden.account ?? "")
            options.output.note("It will hide \(what), because: \(DisplayText.line(reason))")
            try await CurationCommand.publish(draft, options, consent, node)
        }
    }

    struct Unhide: AccountCall {
        static let configuration = command(
            "Remove a listing or an account from one of your lists, and publish the list."
        )
        static let examples = ["curation unhide Copies --listing \(CurationCommand.exampleList)"]

        @OptionGroup var hidden: HiddenOptions
        @Argument(help: "The name of the list.") var name: String
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            var draft = try await CurationCommand.draft(named: name, on: node)
            // A listing that is gone from here can be named by its whole id only.
            let hidden = (try? await hidden.resolved(by: node)) ?? hidden
            let count = draft.entries.count
            draft.entries.removeAll(where: hidden.matches)
            guard draft.entries.count < count else {
                throw Failure(.refused, "Your list '\(name)' does not hide that.")
            }
            try await CurationCommand.publish(draft, options, consent, node)
        }
    }

    /// Returns the account's list of that name as it is now, or an empty one.
    static func draft(named name: String, on node: StoaClient) async throws -> CurationDraft {
        let account = try await node.currentAccount()
        let own = try await node.curations(author: account.address, limit: 100).items
        let list = own.first { $0.name == name }
        return CurationDraft(name: name, about: list?.about, entries: list?.entries ?? [])
    }

    static func publish(
        _ draft: CurationDraft,
        _ options: CallOptions,
        _ consent: ConsentOptions,
        _ node: StoaClient
    ) async throws {
        try await consent.obtain(for: try await node.preview(draft), of: node, asJSON: options.json)
        try options.output.show(try await node.publish(draft)) { CurationText.list($0) }
    }
}

/// Formats lists that hide as text.
enum CurationText {
    static func lists(_ lists: [Curation], _ names: Names = .none) -> String {
        var table = TextTable("list", "by", "hides", "id")
        for list in lists {
            table.add(
                list.name,
                names.text(list.author),
                "\(list.entries.count)" + (list.isFollowed ? ", you follow it" : ""),
                IDText.cell(list.id)
            )
        }
        return table.text(orElse: "No lists.")
    }

    static func list(_ list: Curation, _ names: Names = .none) -> String {
        var lines = [
            "\(DisplayText.line(list.name)) by \(names.text(list.author))"
                + (list.isFollowed ? ", which you follow" : ""),
            "id \(list.id)",
        ]
        if !list.about.isEmpty { lines.append(DisplayText.setIn(list.about)) }
        lines += list.entries.map {
            line($0.account ?? "", $0.listing, names) + ": " + DisplayText.setIn($0.reason)
        }
        return lines.joined(separator: "\n")
    }

    static func hidden(_ entries: [HiddenEntry], _ names: Names = .none) -> String {
        let lines = entries.map { entry in
            let subject = line(entry.account, entry.listing, names)
            guard let list = entry.list, let reason = entry.reason else {
                return subject + ": blocked by you"
            }
            return subject
                + ": \(DisplayText.setIn(reason)), says \(names.text(entry.by)) in the list "
                + list
        }
        return lines.isEmpty ? "Nothing is hidden." : lines.joined(separator: "\n")
    }

    private static func line(_ account: String, _ listing: String?, _ names: Names) -> String {
        listing.map { "listing \($0)" } ?? "all of \(names.text(account))"
    }
}
