import ArgumentParser
import Client
import Foundation
import Trade

/// The values that a shell completes for arguments and options.
enum CompletionValues {
    static let payments = CompletionKind.list(SaleKinds.standard.names)
    static let deliveries = CompletionKind.list(["shipping", "pickup"])
    static let soughtDeliveries = CompletionKind.list(["shipping", "pickup", "online"])
    static let orders = CompletionKind.list([
        "relevance", "newest", "oldest", "cheapest", "costliest", "ending", "nearest", "popular",
    ])
    static let saleLists = CompletionKind.list([
        "running", "bids", "postings", "purchases", "sold", "to_review", "to_send",
        "to_collect",
    ])
    static let shells = CompletionKind.list(["bash", "zsh", "fish"])
    /// The accounts that are signed in with the data folder.
    static let accounts = CompletionKind.custom { words, _, _ in
        (try? SessionFolder(data: folder(in: words).path).all())?
            .map(\.session.account.name) ?? []
    }

    /// The words of titles by which a person can name a thing of its own.
    struct Titles: Sendable {
        var listings: [String] = []
        var sales: [String] = []
    }

    /// The titles of the account, while the shell asks for values.
    @TaskLocal static var titles = Titles()
    static let listings = CompletionKind.custom { _, _, typed in cased(titles.listings, typed) }
    static let sales = CompletionKind.custom { _, _, typed in cased(titles.sales, typed) }

    /// Returns words that begin with what is typed as it is typed: a shell compares capitals too.
    static func cased(_ words: [String], _ typed: String) -> [String] {
        guard typed != typed.lowercased() else { return words }
        return words.filter { $0.hasPrefix(typed.lowercased()) }
            .map { typed + $0.dropFirst(typed.count) }
    }

    /// Returns the titles of the account's listings and sales, if the shell asks for an argument
    /// that can be one.
    static func titles(for arguments: [String]) async -> Titles {
        let path = CommandPath(Array(arguments.dropFirst())).words.first ?? ""
        guard isAsked(arguments), arguments.contains(where: { $0.hasPrefix("positional@") }),
            ["listing", "sale", "review", "work"].contains(path)
        else { return Titles() }
        return await ownTitles(of: folder(in: arguments).folder, account(in: arguments))
    }

    /// Returns the titles that the account's node knows; none if it does not answer.
    private static func ownTitles(of folder: String?, _ account: String?) async -> Titles {
        let data = folder.map { ["--data", $0] } ?? []
        let own = account.map { ["--as", $0] } ?? []
        var found = Titles()
        guard let options = try? CallOptions.parse(data + own),
            let entry = try? await options.session()
        else { return found }
        try? await options.inSession(entry) { node in
            let search = ListingSearch(author: entry.session.account.address, limit: 100)
            found.listings = words(of: try await node.listings(search).items.map(\.content.title))
            let sales = try await node.sales(limit: 100).items
            found.sales = words(of: sales.compactMap { $0.promised?.title })
        }
        return found
    }

    /// The words of titles, in small letters: one of them is enough to name a thing, and needs no
    /// quotes in a shell.
    static func words(of titles: [String]) -> [String] {
        let words = titles.flatMap { title in
            title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        return Set(words.filter { $0.count > 2 }).sorted()
    }

    private static func account(in words: [String]) -> String? {
        words.lastIndex(of: "--as").map { $0 + 1 }.flatMap {
            words.indices.contains($0) ? words[$0] : nil
        }
    }

    /// Whether the shell asks the program for values.
    ///
    /// Source: ArgumentParser, CommandParser.customCompletion.
    static func isAsked(_ arguments: [String]) -> Bool { arguments.first == "---completion" }

    private static func folder(in words: [String]) -> FolderOptions {
        var options = FolderOptions()
        let option = words.firstIndex(of: "--data").map { $0 + 1 }
        options.folder = option.flatMap { words.indices.contains($0) ? words[$0] : nil }
        return options
    }
}
