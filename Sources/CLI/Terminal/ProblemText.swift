import Client

/// Words the API's problems for a person at a terminal: with commands and options instead of
/// fields.
enum ProblemText {
    /// Describes what happened, and which command or option helps.
    ///
    /// `arguments` are the words of the command line, whose command has the options.
    static func words(
        _ problem: Problem,
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> String {
        switch ProblemCode(rawValue: problem.code) {
        case .signInNeeded:
            // The detail explains how programs send a token, which does not help here.
            let first =
                problem.reason?.first?.code == "refusal.sessionEnded"
                ? "The session has ended. " : ""
            return first + "Sign in first: stoa account sign-in <name>."
        case .ambiguousID:
            guard let reason = problem.reason, reason.contains(where: isCandidate) else {
                return worded(problem, arguments)
            }
            return candidates(reason)
        case .unknownOperation: return problem.detail + " Run 'stoa operation list'."
        case .malformedValue where problem.field == "after":
            return "--after is not valid. Copy it from the last line of the previous page."
        case .malformedValue where problem.field == "limit":
            return "--limit must be from 1 to 100."
        case .nodeLocked: return problem.detail + " Run 'stoa account sign-in <name>'."
        default:
            if let field = problem.field, let sentence = sentences[field],
                problem.code != ProblemCode.moveNotOpen.rawValue
            {
                return sentence
            }
            return worded(problem, arguments)
        }
    }

    private static func isCandidate(_ sentence: Sentence) -> Bool {
        sentence.code.hasPrefix("match.")
    }

    /// Writes the things that a text may mean one in a line; the first digits of an id are enough
    /// to name it.
    private static func candidates(_ reason: [Sentence]) -> String {
        reason.map { sentence in
            guard isCandidate(sentence) else { return sentence.detail }
            let line = sentence.detail.replacing(/(?:0x[0-9a-fA-F]{40}\.|0x)([0-9a-f]{64})/) {
                IDText.short(String($0.output.1))
            }
            return "    " + line
        }
        .joined(separator: "\n")
    }

    /// The detail with options instead of the quoted names of fields, and the option at its end if
    /// it names none.
    private static func worded(_ problem: Problem, _ arguments: [String]) -> String {
        let known = GivenOptions(arguments, of: CommandPath(arguments)).known
        func option(of field: String) -> String? {
            if let option = exceptions[field] { return option }
            let name = lastPart(of: field).inKebabCase
            return known.contains(name) ? "--" + name : nil
        }
        var text = problem.detail.replacing(/'([a-zA-Z]+)'/) {
            option(of: String($0.output.1)) ?? String($0.output.0)
        }
        for (field, option) in exceptions {
            text = text.replacing("'\(lastPart(of: field))'", with: option)
        }
        for (move, command) in moves {
            text = text.replacing("'\(move)'", with: "'\(command)'")
                .replacing(" \(move)", with: " \(command)")
        }
        guard let helpful = problem.field.flatMap(option(of:)), helpful.hasPrefix("--"),
            !text.contains(helpful)
        else { return text }
        return text + " The option is \(helpful)."
    }

    private static func lastPart(of field: String) -> String {
        field.split(separator: ".").last.map(String.init) ?? field
    }

    /// The wording for fields that people type in other units than programs send.
    private static let sentences = [
        "share": "--share is the seller's part of the price, from 0% to 100%.",
        "auction.minIncrement": "--min-increment must be from 1% to 50%.",
    ]

    /// The commands for moves that have other names in the API.
    private static let moves = [
        "execute_default": "default", "withdraw_proposal": "withdraw-proposal",
    ]

    /// The options that have other names than their fields in kebab case.
    private static let exceptions = [
        "terms.shipSeconds": "--ship-time", "terms.confirmSeconds": "--confirm-time",
        "terms.rulingSeconds": "--ruling-time",
        "auction.durationSeconds": "--duration", "auction.extensionSeconds": "--extension-time",
        "shipsWithin.metres": "--ships-within", "shipsWithin.place": "--around",
        "shipsWithin.point": "--around-point", "acceptsChanges": "--accept-changes",
        "course.startsAt": "--starts", "course.endsAt": "--ends",
        "course.beginSeconds": "--begin-time", "course.ratingSeconds": "--rating-time",
        "curriculum": "--session", "tags": "--tag", "seconds": "--until", "present": "--mark",
        "absent": "--unmark", "notes": "--note", "note": "--note or --reason",
        "pictures": "--media",
        "points": "the five ratings", "text": "the text",
    ]
}
