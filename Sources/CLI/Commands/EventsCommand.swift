import ArgumentParser
import Client

/// The command `stoa events`.
struct EventsCommand: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Print the account's events as they happen, such as reminders of deadlines.",
        discussion: """
            The node keeps events for seven days. End with Ctrl-C.
            It prints an operation when it ends or waits for you, and a sale when its state or its \
            highest bid changes; --json and --type print every event.
            Types: \(Event.accountTypes.joined(separator: ", ")).
            """
    )
    static let examples = ["events", "events --after 0 --type deadline"]

    @Option(
        parsing: .unconditional,
        help: "Start after the event with this number; 0 prints all stored events."
    )
    var after: UInt64?
    @Option(
        name: .customLong("type"),
        help: "Only events of this type, such as deadline. Can be repeated."
    )
    var types: [String] = []
    @OptionGroup var options: CallOptions

    func validate() throws {
        for type in types where !Event.accountTypes.contains(type) {
            throw ValidationError(
                "There are no events of type '\(type)'. The types are "
                    + "\(Event.accountTypes.joined(separator: ", "))."
            )
        }
    }

    func call(_ node: StoaClient) async throws {
        // A node that does not answer ends the command now; later on the command waits for it.
        let own = try await node.currentAccount().address
        let names = await options.names(of: node, own: own)
        if Terminal.isInteractive, !options.json {
            Terminal.warn("Waiting for events; those of now on are shown. End it with Ctrl-C.")
        }
        var sentences = EventSentences(names, asked: types)
        for try await event in node.events(after: after).telling(EventText.away) {
            guard types.isEmpty || types.contains(event.type) else { continue }
            if options.json {
                try options.output.show(event) { EventText.line($0) }
            } else if let line = await sentences.line(event, node) {
                options.output.note(line)
            }
        }
    }
}

/// Formats events as text.
enum EventText {
    /// Reports that the node has stopped answering while its events are shown.
    static func away(_ error: ClientError) {
        Terminal.warn("\(error) This command waits for it; end it with Ctrl-C.")
    }

    static func line(_ event: Event) -> String {
        let head = "\(event.id)  \(TimeText.text(event.time))  \(event.type)"
        let subject = event.subject.isEmpty ? "" : " " + IDText.short(event.subject)
        if let news = DeadlineNews(event) { return head + subject + ": " + text(news) }
        let data = event.data.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { "\($0.key) \(DisplayText.line($0.value))" }
        return head + subject + (data.isEmpty ? "" : ": " + data.joined(separator: ", "))
    }

    /// Formats an account's event about a deadline.
    static func text(_ news: DeadlineNews) -> String {
        let time = TimeText.text(news.deadline)
        let moves = { (names: [String]) in
            names.map { SaleText.command($0) }.joined(separator: ", ")
        }
        if let problem = news.problem {
            return "'\(moves(news.opens))' could not be made for you: \(DisplayText.line(problem))"
        }
        guard news.hoursLeft > 0 else {
            return
                "'\(moves(news.opens))' is open since \(time). Sign in, or make the move yourself."
        }
        var parts = ["less than \(news.hoursLeft) hours left, until \(time)"]
        if !news.closes.isEmpty { parts.append("until then you can: \(moves(news.closes))") }
        if !news.opens.isEmpty { parts.append("from then on: \(moves(news.opens))") }
        if let consequence = news.consequence { parts.append(DisplayText.line(consequence)) }
        return parts.joined(separator: "; ")
    }
}
