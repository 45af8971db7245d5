import ArgumentParser
import Client
import Foundation
import Testing

@testable import CLI

/// Lists for spreadsheets.
struct CSVTextTests {
    @Test(arguments: [
        ("Bo", "\"Bo\""), ("", "\"\""), ("a,b;c", "\"a,b;c\""),
        ("say \"yes\"", "\"say \"\"yes\"\"\""),
        ("=1+1", "\"'=1+1\""), ("+49 30 1", "\"'+49 30 1\""), ("-1", "\"'-1\""),
        ("@SUM(A1)", "\"'@SUM(A1)\""), ("  =1", "\"'  =1\""), ("\t=1", "\"'\u{FFFD}=1\""),
        ("\u{FF1D}1", "\"'\u{FF1D}1\""), ("|calc", "\"'|calc\""), ("\"=1\"", "\"'\"\"=1\"\"\""),
        ("two\nlines", "\"two lines\""), ("\r\n=1", "\"' =1\""), ("a=1", "\"a=1\""),
        ("\u{202E}=1", "\"'\u{FFFD}=1\""),
    ])
    func `a name stays in its cell and never becomes a formula`(name: String, cell: String) {
        #expect(CSVText.text([[name]]) == cell)
    }

    @Test func `ends rows as RFC 4180 requires`() {
        #expect(CSVText.text([["a", "b"], ["1", "2"]]) == "\"a\",\"b\"\r\n\"1\",\"2\"")
    }

    /// - From commands: a list as both JSON and comma-separated values, or a whole list that starts
    ///   after a page → exit 2
    @Test func `shows students as a table, and a whole list as CSV`() throws {
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        let students = [
            Student(account: "0x1", name: "=cmd", round: 0, enrolledAt: time, state: "enrolled"),
            Student(
                account: "0x2",
                round: 0,
                enrolledAt: time,
                state: "rated",
                points: [90, 80, 70, 60, 50]
            ),
        ]
        let text = CourseStudents.text(Page(items: students, next: "x"))
        #expect(text.contains("90 80 70 60 50") && text.hasSuffix("More: --after x"))
        #expect(CourseStudents.text(Page(items: [], next: nil)) == "No students.")
        let lines = CourseStudents.csv(students).components(separatedBy: "\r\n")
        #expect(lines.count == 3)
        #expect(lines[0] == "\"account\",\"name\",\"round\",\"enrolled\",\"state\",\"points\"")
        #expect(lines[1].hasPrefix("\"0x1\",\"'=cmd\",\"0\",\"2027-01-15 "))
        #expect(throws: (any Error).self) {
            try CourseStudents.parse(["knots", "--csv", "--json"])
        }
        #expect(throws: (any Error).self) {
            try CourseStudents.parse(["knots", "--csv", "--after", "x"])
        }
    }

    @Test func `gives an attendance list a column for each session`() throws {
        let entries = [
            Attendance(account: "0x1", name: "Bo", round: 0, state: "enrolled", sessions: [1, 3]),
            Attendance(account: "0x2", round: 0, sessions: [], note: "-asked"),
        ]
        let lines = CourseAttendance.csv(entries).components(separatedBy: "\r\n")
        #expect(
            lines == [
                #""account","name","round","state","session 1","session 2","session 3","note""#,
                #""0x1","Bo","0","enrolled","x","","x","""#,
                #""0x2","","0","applicant","","","","'-asked""#,
            ]
        )
        let text = CourseAttendance.text(Page(items: entries, next: nil))
        #expect(text.contains("1, 3") && text.contains("applicant"))
    }

    /// - From commands: marks without a session, a note without an account, or a list both changed
    ///   and printed → exit 2
    @Test func `reads marks with their session and notes with their account`() throws {
        let typed = try CourseAttendance.parse([
            "knots", "--session", "2", "--mark", "bo", "cy", "--unmark", "dee", "--note",
            "eve=Asked = twice.",
        ])
        #expect(
            typed.marks
                == AttendanceMarks(
                    session: 2,
                    present: ["bo", "cy"],
                    absent: ["dee"],
                    notes: [.init(account: "eve", text: "Asked = twice.")]
                )
        )
        #expect(try CourseAttendance.parse(["knots"]).marks == nil)
        for words in [
            ["--mark", "bo"], ["--unmark", "bo"], ["--session", "1"], ["--note", "nobody"],
            ["--note", "=text"], ["--session", "1", "--mark", "bo", "--csv"],
        ] {
            #expect(throws: (any Error).self, "\(words)") {
                try CourseAttendance.parse(["knots"] + words)
            }
        }
    }
}
