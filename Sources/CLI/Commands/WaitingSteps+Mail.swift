import Client

/// The mail that waits for an account: messages and reports.
extension WaitingSteps {
    /// Returns the received reports that are not answered, as one step.
    func reports(_ node: StoaClient) async -> [WaitingStep] {
        // Only the account that the operator has named receives any.
        guard let page = try? await node.reports(limit: 100) else { return [] }
        let open = page.items.filter { $0.answer == nil }
        guard let first = open.first else { return [] }
        let count = page.next == nil ? "\(open.count)" : "\(open.count) or more"
        return [
            WaitingStep(
                until: nil,
                asOf: nil,
                about: open.count == 1
                    ? "A report by \(await Names.of(node, own: own).short(first.sender))"
                    : "\(count) reports",
                step: "Read and answer",
                command: "stoa report list" + suffix
            )
        ]
    }

    /// Returns the messages that are not read, one step for each person who wrote them.
    func messages(_ node: StoaClient) async throws -> [WaitingStep] {
        // An account whose key is elsewhere has no messages.
        guard let page = try? await node.conversations(limit: 100) else { return [] }
        let unread = page.items.filter { $0.unread > 0 }
        let requests = (try? await node.conversations(requests: true, limit: 1))?.items ?? []
        let names = unread.isEmpty ? Names.none : await Names.of(node, own: own)
        var people: [String] = []
        for conversation in unread where !people.contains(conversation.with) {
            people.append(conversation.with)
        }
        return people.map { person in
            step(toRead: unread.filter { $0.with == person }, of: names.short(person))
        }
            + requests.map { _ in
                WaitingStep(
                    until: nil,
                    asOf: nil,
                    about: "Messages of people whom you do not know",
                    step: "See them",
                    command: "stoa chat requests" + suffix
                )
            }
    }

    /// Returns the step for the unread conversations with one person.
    private func step(toRead conversations: [Conversation], of name: String) -> WaitingStep {
        let count = conversations.reduce(0) { $0 + $1.unread }
        let only = conversations.count == 1 ? conversations.first : nil
        return WaitingStep(
            until: nil,
            asOf: nil,
            about: count == 1
                ? "A message of \(name)"
                : "\(count) messages of \(name)"
                    + (only == nil ? " in \(conversations.count) conversations" : ""),
            step: count == 1 ? "Read it" : "Read them",
            command: (only.map { NextStep(.messages, IDText.short($0.id)).command }
                ?? "stoa chat list") + suffix
        )
    }
}
