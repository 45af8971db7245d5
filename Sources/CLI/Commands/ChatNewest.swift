import Client

/// Finds the conversation that a person means by a name.
enum ChatNewest {
    /// Calls `body` with the conversation that is named; if the name is that of an account with
    /// several conversations, with the newest of these, and says which it is.
    ///
    /// - Throws: The errors of `body`; ``Problem`` with `ambiguous_id` if the name is that of several
    ///   accounts.
    static func find<Value>(
        _ named: String,
        _ node: StoaClient,
        _ output: Output,
        _ body: (_ conversation: String) async throws -> Value
    ) async throws -> (conversation: String, value: Value) {
        do { return (named, try await body(named)) } catch let problem as Problem
            where problem.code == ProblemCode.ambiguousID.rawValue
        {
            guard let newest = try await newest(with: named, node) else { throw problem }
            let about = newest.title.map { " about '\(DisplayText.line($0))'" } ?? ""
            output.note(
                "The newest of your conversations with \(DisplayText.line(named)): "
                    + "\(IDText.short(newest.id))\(about)"
            )
            return (newest.id, try await body(newest.id))
        }
    }

    /// Returns the newest conversation with the only account of that name; `nil` if there is none.
    private static func newest(
        with named: String,
        _ node: StoaClient
    ) async throws -> Conversation? {
        let wanted = named.lowercased()
        let accounts = Set(
            try await node.names().filter {
                $0.name.lowercased() == wanted || $0.account.lowercased() == wanted
            }.map(\.account)
        )
        guard accounts.count == 1 else { return nil }
        var after: String?
        repeat {
            let page = try await node.conversations(limit: 100, after: after)
            if let found = page.items.first(where: { accounts.contains($0.with) }) { return found }
            after = page.next
        } while after != nil
        return nil
    }
}
