import Client
import Setup

/// A command whose argument names a listing.
protocol ListingNaming {
    var listing: String { get }
}

/// Names similar listings if a listing is not found.
enum ListingSuggestion {
    /// How many listings are named.
    private static let namedMax = 3

    /// Calls `body`, and adds to the node's refusal the listings that a search finds instead.
    ///
    /// - Parameters:
    ///   - text: The listing as the person names it; `nil` if the command names none.
    ///   - node: The node that is searched.
    ///   - body: The command.
    /// - Returns: The value of `body`.
    /// - Throws: ``Failure`` with the listings; else what `body` throws.
    static func telling<Value>(
        _ text: String?,
        _ node: StoaClient,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let problem as Problem
            where problem.code == ProblemCode.unknownListing.rawValue
        {
            let search = ListingSearch(text: text, limit: namedMax)
            guard let text, let found = try? await node.listings(search).items, !found.isEmpty
            else {
                throw problem
            }
            let names = found.map {
                "'\(DisplayText.line($0.content.title))' (\(IDText.short($0.id)))"
            }
            throw Failure(
                .refused,
                "No listing here has the id or title \(text.quoted). Did you mean "
                    + names.joined(separator: " or ") + "?",
                problem: problem.code
            )
        }
    }
}
