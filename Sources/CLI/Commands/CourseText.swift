import ArgumentParser
import Client

/// Formats what only a course has.
enum CourseText {
    static func lines(_ course: Sale.Course, _ names: Names) -> [String] {
        var lines = course.rounds.map { round($0) }
        if let average = course.average, let marks = course.criteria {
            let parts = [
                "preparation \(marks.preparation)", "content \(marks.content)",
                "delivery \(marks.delivery)", "communication \(marks.communication)",
                "overall \(marks.overall)",
            ]
            let raters = course.raters == 1 ? "one student" : "\(course.raters) students"
            lines.append(
                "rating     \(average) of 100 by \(raters): " + parts.joined(separator: ", ")
            )
        } else {
            lines.append("rating     no rating yet")
        }
        for round in course.rounds {
            lines += (round.students ?? []).map {
                "student    of round \(round.number): \(names.text($0))"
            }
        }
        return lines
    }

    private static func round(_ round: Sale.Round) -> String {
        let terms = round.terms
        let own =
            round.own.map { "; you are \($0 == "rated" ? "enrolled and have rated" : $0)" } ?? ""
        return
            "round \(round.number)    \(round.number == 0 ? "the first: " : "")\(round.status.detail), \(round.enrolled) of \(terms.seats) seats taken, "
            + "\(MoneyText.paid(round.price)) each, \(TimeText.text(terms.startsAt)) to "
            + TimeText.text(terms.endsAt) + own
    }

    /// Formats the rating of a course in a list; empty for a listing of something else.
    static func rating(of listing: Listing) -> String {
        guard let raters = listing.raters else { return "" }
        return listing.average.map { "\($0) of 100 by \(raters)" } ?? "no rating yet"
    }

    /// The signed-in account's part in a listing, in a word.
    static func part(in listing: Listing) -> String {
        listing.own == "student" ? "enrolled" : listing.own ?? ""
    }

    /// Refuses more sessions than a curriculum can have, and one without a title.
    static func check(_ sessions: [String]) throws {
        guard sessions.allSatisfy({ !session($0).title.isEmpty }) else {
            throw ValidationError(
                "--session is empty. Give each session a title, as 'TITLE' or 'TITLE: CONTENT'."
            )
        }
        guard sessions.count <= 40 else {
            throw ValidationError("--session can be given at most 40 times.")
        }
    }

    /// Reads a session of a curriculum, as 'TITLE' or 'TITLE: CONTENT'.
    static func session(_ text: String) -> CurriculumSession {
        let parts = text.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        return CurriculumSession(title: parts.first ?? "", content: parts.dropFirst().first ?? "")
    }

    /// Formats a curriculum, a line for each session.
    static func curriculum(_ sessions: [CurriculumSession]) -> [String] {
        sessions.enumerated().map { number, session in
            let content = session.content.isEmpty ? "" : ": " + DisplayText.setIn(session.content)
            return "session \(number + 1)  \(DisplayText.line(session.title))\(content)"
        }
    }

    /// Formats the terms of a listing.
    static func terms(_ terms: CourseTerms) -> [String] {
        // The teacher cannot begin a round that is over.
        let length = terms.endsAt - min(terms.startsAt, terms.endsAt)
        let times = [
            terms.beginSeconds.map {
                "begins within \(DurationText.text(min($0, length))) of its start"
            },
            terms.ratingSeconds.map { "rated until \(DurationText.text($0)) after its end" },
        ]
        return [
            "course     \(terms.seats) seats, \(TimeText.text(terms.startsAt)) to "
                + TimeText.text(terms.endsAt),
            "times      " + times.compactMap(\.self).joined(separator: ", "),
        ]
    }
}
