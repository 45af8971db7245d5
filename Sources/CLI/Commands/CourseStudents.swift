import ArgumentParser
import Client

/// The command `stoa course students`.
struct CourseStudents: ReaderCall {
    static let configuration = CommandConfiguration(
        commandName: "students",
        abstract: "Show the students of a round. They are public on the chain.",
        discussion: """
            Names come from the students' own profiles; the address tells two students with the \
            same name apart.
            """
    )
    static let examples = ["course students knots", "course students knots --round 0 --csv"]

    @Argument(help: .course) var course: String
    @OptionGroup var list: RoundListOptions
    @OptionGroup var options: CallOptions

    func validate() throws { try list.check(isJSON: options.json) }

    func call(_ node: StoaClient, own: String?) async throws {
        try await list.show(options.output, Self.text, Self.csv) { limit, after in
            try await node.students(of: course, round: list.round, limit: limit, after: after)
        }
    }

    static func text(_ page: Page<Student>) -> String {
        var table = TextTable("student", "name", "enrolled", "state", "points")
        for student in page.items {
            table.add(
                student.account,
                student.name ?? "",
                TimeText.text(student.enrolledAt),
                student.state,
                points(student)
            )
        }
        return table.text(orElse: "No students.") + page.more
    }

    static func csv(_ students: [Student]) -> String {
        let head = ["account", "name", "round", "enrolled", "state", "points"]
        let rows = students.map { student in
            [
                student.account, student.name ?? "", "\(student.round)",
                TimeText.text(student.enrolledAt), student.state, points(student),
            ]
        }
        return CSVText.text([head] + rows)
    }

    private static func points(_ student: Student) -> String {
        (student.points ?? []).map { "\($0)" }.joined(separator: " ")
    }
}

/// The options of the lists of a round.
struct RoundListOptions: ParsableArguments {
    /// The maximum number of entries of one page of the API.
    private static let limitMax = 100

    @Option(
        parsing: .unconditional,
        help: "The number of the round, from 0. Defaults to the last one."
    )
    var round: UInt64?
    @OptionGroup var paging: PageOptions
    @Flag(help: "Print all of them as comma-separated values, for a spreadsheet.") var csv = false

    /// Refuses options that do not go together.
    func check(isJSON: Bool) throws {
        guard csv else { return }
        guard !isJSON else {
            throw ValidationError("Give --csv or --json, not both.")
        }
        guard paging.after == nil else {
            throw ValidationError("--csv prints the whole list. Leave out --after.")
        }
    }

    /// Prints one page as text or JSON, or with `--csv` the entries of all pages.
    func show<Entry>(
        _ output: Output,
        _ text: (Page<Entry>) -> String,
        _ csvText: ([Entry]) -> String,
        page: (_ limit: Int, _ after: String?) async throws -> Page<Entry>
    ) async throws {
        guard csv else {
            return try output.show(try await page(paging.limit, paging.after), text)
        }
        var entries: [Entry] = []
        var next: String?
        repeat {
            let found = try await page(Self.limitMax, next)
            entries += found.items
            next = found.next
        } while next != nil
        Terminal.print(csv: csvText(entries))
    }
}

extension ArgumentHelp {
    static let course: ArgumentHelp =
        "The course: its sale's id, the first digits of that id, or words from its title."
}
