import ArgumentParser
import Client
import Foundation
import Testing

@testable import CLI

/// What people type and read of courses.
struct CourseTextTests {
    private static let create = [
        "Knots", "--price", "0.05", "--description", "Ten knots.", "--tag", "knots",
    ]
    private static let round = [
        "--seats", "12", "--starts", "2027-01-31", "--ends", "2027-02-07",
    ]
    private static let wanted = CourseTerms(
        seats: 12,
        startsAt: 1_801_353_600,
        endsAt: 1_801_958_400
    )

    @Test func `reads a course's seats and times; the market sets the rest`() throws {
        let plain = try CourseCreate.parse(Self.create + Self.round)
        #expect(plain.terms.terms == Self.wanted && plain.place == nil)
        #expect(plain.currency == nil && plain.tags == ["knots"])
        let given = try CourseCreate.parse(
            Self.create + Self.round
                + ["--begin-time", "2d", "--rating-time", "30d", "--place", "The old bridge"]
        )
        #expect(given.terms.terms.beginSeconds == 172_800)
        #expect(given.terms.terms.ratingSeconds == 2_592_000 && given.place == "The old bridge")
        let bad = [
            ["--seats", "-1"], ["--seats", "many"], ["--starts", "soon"], ["--ends", "x"],
            ["--begin-time", "-1d"], ["--rating-time", "x"],
        ]
        for options in bad {
            #expect(throws: (any Error).self, "\(options)") {
                try CourseCreate.parse(Self.create + Self.round + options)
            }
        }
        let bare = Array(Self.create.dropLast(2))
        #expect(try CourseCreate.parse(bare + Self.round).tags.isEmpty)
        for missing in ["--seats", "--starts", "--ends"] {
            var words = Self.create + Self.round
            if let place = words.firstIndex(of: missing) { words.removeSubrange(place...place + 1) }
            #expect(throws: (any Error).self, "\(missing)") { try CourseCreate.parse(words) }
        }
    }

    @Test func `an evaluation needs all five numbers and sends them in order`() throws {
        let numbers = [
            "--preparation", "90", "--content", "80", "--delivery", "70", "--communication", "60",
            "--overall", "50",
        ]
        let typed = try CourseCommand.Evaluate.parse(["0x01"] + numbers)
        #expect(typed.move == SaleMove(move: "evaluate", points: [90, 80, 70, 60, 50]))
        for place in stride(from: 0, to: numbers.count, by: 2) {
            var less = numbers
            less.removeSubrange(place...place + 1)
            #expect(throws: (any Error).self, "\(numbers[place])") {
                try CourseCommand.Evaluate.parse(["0x01"] + less)
            }
        }
        for text in ["-1", "1.5", "good"] {
            #expect(throws: (any Error).self, "\(text)") {
                try CourseCommand.Evaluate.parse(["0x01"] + numbers + ["--overall", text])
            }
        }
    }

    /// - From commands: `stoa course repeat` with a currency and no price → exit 2
    @Test func `a new round has its own terms, and by default the last price`() throws {
        let same = try CourseCommand.Repeat.parse(["0x01"] + Self.round)
        #expect(try same.move == SaleMove(move: "repeat", course: Self.wanted))
        let other = try CourseCommand.Repeat.parse(["0x01", "--price", "0.1"] + Self.round)
        #expect(
            try other.move.price == Money(amount: "100000000000000000", currency: "native")
        )
        let token = "0x00000000000000000000000000000000000000aa"
        #expect(throws: (any Error).self) {
            try CourseCommand.Repeat.parse(["0x01", "--currency", token] + Self.round)
        }
        #expect(throws: (any Error).self) { try CourseCommand.Repeat.parse(["0x01"]) }
    }

    @Test func `each other move is a command with its own name`() throws {
        #expect(try CourseCommand.Refund.parse(["0x01"]).move == SaleMove(move: "refund"))
        let first = try CourseCommand.Refund.parse(["0x01", "--round", "0"])
        #expect(first.move == SaleMove(move: "refund", round: 0))
        #expect(throws: (any Error).self) {
            try CourseCommand.Refund.parse(["0x01", "--round", "-1"])
        }
        #expect(try CourseCommand.Begin.parse(["0x01"]).move == SaleMove(move: "begin"))
        #expect(try CourseCommand.Cancel.parse(["0x01"]).move == SaleMove(move: "cancel"))
        #expect(try CourseCommand.Settle.parse(["0x01"]).move == SaleMove(move: "settle"))
        #expect(try CourseCommand.Enrol.parse(["knots"]).listing == "knots")
    }

    private static func shown(own: String? = nil, raters: UInt64 = 0) -> Sale.Course {
        var terms = wanted
        (terms.beginSeconds, terms.ratingSeconds) = (259_200, 1_209_600)
        let round = Sale.Round(
            number: 0,
            phase: "begun",
            price: Money(amount: "50000000000000000", currency: "native"),
            terms: terms,
            enrolled: 3,
            raters: raters,
            own: own,
            students: ["0x0b"]
        )
        let criteria = Sale.Criteria(
            preparation: 90,
            content: 80,
            delivery: 70,
            communication: 60,
            overall: 50
        )
        guard raters > 0 else { return Sale.Course(rounds: [round]) }
        return Sale.Course(rounds: [round], average: 70, criteria: criteria, raters: raters)
    }

    @Test func `a course shows its rounds, its ratings and the reader's own steps`() {
        func text(_ course: Sale.Course) -> String {
            CourseText.lines(course, .none).joined(separator: "\n")
        }
        let plain = text(Self.shown())
        #expect(plain.contains("round 0    the first: begun, 3 of 12 seats taken, 0.05 ETH each, "))
        #expect(plain.contains("\nrating     no rating yet") && !plain.contains("you are"))
        #expect(plain.contains("student    of round 0: 0x0b"))
        #expect(text(Self.shown(own: "enrolled")).contains("; you are enrolled"))
        let rated = text(Self.shown(own: "rated", raters: 1))
        #expect(rated.contains("; you are enrolled and have rated"))
        #expect(rated.contains("rating     70 of 100 by one student: preparation 90, content 80"))
        #expect(text(Self.shown(raters: 2)).contains("by 2 students: "))
        #expect(text(Self.shown(own: "refunded")).contains("; you are refunded"))
    }

    @Test func `reads and shows a curriculum, session by session`() throws {
        let options = ["--session", "Bowline: Tie it: twice.", "--session", "Sheet bend"]
        let typed = try CourseCreate.parse(Self.create + Self.round + options)
        let sessions = typed.sessions.map(CourseText.session)
        #expect(
            sessions == [
                CurriculumSession(title: "Bowline", content: "Tie it: twice."),
                CurriculumSession(title: "Sheet bend"),
            ]
        )
        #expect(
            CourseText.curriculum(sessions) == [
                "session 1  Bowline: Tie it: twice.", "session 2  Sheet bend",
            ]
        )
    }

    @Test func `an edit replaces the curriculum, and keeps it without the option`() throws {
        let old = ListingContent(
            type: "course",
            title: "Ten knots",
            description: "Ropes are here.",
            category: "course",
            tags: ["knots"],
            curriculum: [CurriculumSession(title: "Reef knot")],
            price: Money(amount: "50000000000000000", currency: "native"),
            payment: "enrolment",
            delivery: "online"
        )
        let words = ["--session", "Bowline: Twice.", "--session", "Sheet bend"]
        let edit = try ListingWordOptions.parse(words)
        #expect(!edit.isEmpty)
        let sessions = [
            CurriculumSession(title: "Bowline", content: "Twice."),
            CurriculumSession(title: "Sheet bend"),
        ]
        let changed = edit.changed(old)
        #expect(changed.curriculum == sessions)
        let later = try ListingWordOptions.parse(["--title", "Knots"]).changed(changed)
        #expect(later.curriculum == sessions && later.title == "Knots")
        #expect(try ListingWordOptions.parse(["--no-sessions"]).changed(changed).curriculum == [])
        let many = Array(repeating: ["--session", "Knot"], count: 41).flatMap(\.self)
        #expect(throws: (any Error).self) { try ListingWordOptions.parse(many) }
        for empty in ["", ": Tie it."] {
            #expect(throws: (any Error).self) {
                try ListingWordOptions.parse(["--session", empty])
            }
        }
    }

    @Test func `a listing shows the terms of its first round`() throws {
        let lines = CourseText.terms(try #require(Self.shown().rounds.first).terms)
        #expect(lines[0].hasPrefix("course     12 seats, "))
        #expect(
            lines[1] == "times      begins within 3 days of its start, rated until 14 days after "
                + "its end"
        )
        var short = try #require(Self.shown().rounds.first).terms
        short.endsAt = short.startsAt + 10_800
        #expect(CourseText.terms(short)[1].hasPrefix("times      begins within 3 hours of its"))
    }
}
