import ArgumentParser
import Client
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
        "running", "bids", "postings", "purchases", "sold", "to_review", "to_collect",
    ])
    static let shells = CompletionKind.list(["bash", "zsh", "fish"])
    /// The accounts that are signed in with the data folder.
    static let accounts = CompletionKind.custom { words, _, _ in
        (try? SessionFolder(data: folder(in: words).path).all())?
            .map(\.session.account.name) ?? []
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
