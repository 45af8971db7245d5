import ArgumentParser
import Client

/// The command `stoa course attendance`.
struct CourseAttendance: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "attendance",
        abstract: "As teacher: show or change your own list of a round's students and applicants.",
        discussion: """
            Your node stores the list, sealed with your account's key, and sends it to nobody. \
            With a mark or a note the command changes the list; otherwise it shows it.
            """
    )
    static let examples = [
        "course attendance knots", "course attendance knots --session 3 --mark bob carla",
        "course attendance knots --note 'dora=Asked for the next round.'",
        "course attendance knots --csv",
    ]

    @Argument(help: .course) var course: String
    @Option(parsing: .unconditional, help: "The number of the session to mark, from 1.")
    var session: UInt64?
    @Option(
        name: .customLong("mark"),
        parsing: .upToNextOption,
        help: "Students who were present in the session: addresses, or names that the node knows."
    )
    var present: [String] = []
    @Option(
        name: .customLong("unmark"),
        parsing: .upToNextOption,
        help: "Remove these students' marks for the session."
    )
    var absent: [String] = []
    @Option(
        name: .customLong("note"),
        help: "A note about a student or an applicant: account=text, or account= for none."
    )
    var notes: [String] = []
    @OptionGroup var list: RoundListOptions
    @OptionGroup var options: CallOptions

    func validate() throws {
        try list.check(isJSON: options.json)
        guard (session == nil) == (present.isEmpty && absent.isEmpty) else {
            throw ValidationError(
                session == nil
                    ? "Give the number of the session with '--session'."
                    : "Give the students who were present with '--mark'."
            )
        }
        for note in notes where Self.note(note) == nil {
            throw ValidationError("'\(note)' is not a note: type account=text.")
        }
        guard marks == nil || !list.csv else {
            throw ValidationError("Change the list first, then print it with '--csv'.")
        }
    }

    /// The change to make; `nil` to show the list.
    var marks: AttendanceMarks? {
        guard session != nil || !notes.isEmpty else { return nil }
        return AttendanceMarks(
            round: list.round,
            session: session,
            present: present.isEmpty ? nil : present,
            absent: absent.isEmpty ? nil : absent,
            notes: notes.isEmpty ? nil : notes.compactMap(Self.note)
        )
    }

    func call(_ node: StoaClient) async throws {
        if let marks {
            try await node.mark(marks, in: try await node.sale(course).id)
            return options.output.note("The list is changed.")
        }
        try await list.show(options.output, Self.text, Self.csv) { limit, after in
            try await node.attendance(of: course, round: list.round, limit: limit, after: after)
        }
    }

    static func text(_ page: Page<Attendance>) -> String {
        var table = TextTable("student", "name", "state", "sessions", "note")
        for entry in page.items {
            table.add(
                entry.account,
                entry.name ?? "",
                entry.state ?? "applicant",
                entry.sessions.map { "\($0)" }.joined(separator: ", "),
                entry.note ?? ""
            )
        }
        return table.text(orElse: "Nobody has enrolled.") + page.more
    }

    static func csv(_ entries: [Attendance]) -> String {
        let last = entries.flatMap(\.sessions).max() ?? 0
        let sessions = last > 0 ? Array(1...last) : []
        let head =
            ["account", "name", "round", "state"] + sessions.map { "session \($0)" } + ["note"]
        let rows = entries.map { entry in
            [entry.account, entry.name ?? "", "\(entry.round)", entry.state ?? "applicant"]
                + sessions.map { entry.sessions.contains($0) ? "x" : "" } + [entry.note ?? ""]
        }
        return CSVText.text([head] + rows)
    }

    private static func note(_ text: String) -> AttendanceMarks.Note? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        return AttendanceMarks.Note(account: String(parts[0]), text: String(parts[1]))
    }
}
