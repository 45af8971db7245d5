import Client

/// Finds the conversation that a person means by a name.
enum ChatNewest {
    /// Calls `body` with the conversation that is named; if the name is that of an account with
    /// several conversations, with the newest of these, and says which it is.
    ///
    /// - Throws: The errors of `body`; ``Problem`` with `ambiguous_id` if the name is that of
    ///   several accounts; ``Failure`` if there is no conversation, with the command that begins
    ///   one.
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
                    + "\(IDText.short(newest.id))\(about). For another one give its id: stoa chat list"
            )
            return (newest.id, try await body(newest.id))
        } catch let problem as Problem
            where problem.code == ProblemCode.unknownConversation.rawValue
        {
            guard !named.isEmpty, try await accounts(called: named, node).count == 1 else {
                throw Failure(
                    .refused,
                    problem.detail + " See yours: stoa chat list",
                    problem: problem.code
                )
            }
            let typed = named.contains(" ") ? "'\(named)'" : named
            throw Failure(
                .refused,
                "You have no conversation with \(DisplayText.line(named)) yet. Begin one: stoa chat "
                    + "open \(DisplayText.line(typed)) --message TEXT",
                problem: problem.code
            )
        }
    }

    /// Returns the accounts that the caller knows by a name or an address.
    private static func accounts(
        called named: String,
        _ node: StoaClient
    ) async throws -> Set<String> {
        let wanted = named.lowercased()
        return Set(
            try await node.names().filter {
                $0.name.lowercased() == wanted || $0.account.lowercased() == wanted
            }.map(\.account)
        )
    }

    /// Returns the newest conversation with the only account of that name; `nil` if there is none.
    private static func newest(
        with named: String,
        _ node: StoaClient
    ) async throws -> Conversation? {
        let accounts = try await accounts(called: named, node)
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
