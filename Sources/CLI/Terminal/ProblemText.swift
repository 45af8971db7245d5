import Client

/// Words the API's problems for a person at a terminal: with commands and options instead of
/// fields.
enum ProblemText {
    /// Describes what happened, and which command or option helps.
    static func words(_ problem: Problem) -> String {
        switch ProblemCode(rawValue: problem.code) {
        case .signInNeeded:
            // The detail explains how programs send a token, which does not help here.
            let first =
                problem.reason?.first?.code == "refusal.sessionEnded"
                ? "The session has ended. " : ""
            return first + "Sign in first: stoa account sign-in <name>."
        case .ambiguousID:
            // The first digits of an id are enough to name it.
            let short = worded(problem).replacing(/(?:0x[0-9a-fA-F]{40}\.|0x)([0-9a-f]{64})/) {
                IDText.short(String($0.output.1))
            }
            return short.replacing("matches several: ", with: "matches several:\n    ")
                .replacing(/\), (?=[0-9a-f]{8} \()/, with: ")\n    ")
                .replacing(/\)(, and others)?\. Give the id/) {
                    ")\($0.output.1 ?? "").\nGive the id"
                }
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
            return worded(problem)
        }
    }

    /// The detail with options instead of the quoted names of fields, and the option at its end if
    /// it names none.
    private static func worded(_ problem: Problem) -> String {
        var text = problem.detail
        for (field, option) in options {
            let name = field.split(separator: ".").last.map(String.init) ?? field
            text = text.replacing("'\(name)'", with: option)
        }
        for (move, command) in moves {
            text = text.replacing("'\(move)'", with: "'\(command)'")
                .replacing(" \(move)", with: " \(command)")
        }
        guard let option = problem.field.flatMap({ options[$0] }), option.hasPrefix("--"),
            !text.contains(option)
        else { return text }
        return text + " The option is \(option)."
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

    /// The options for fields of a request.
    private static let options = [
        "terms.sellerDeposit": "--seller-deposit", "terms.buyerDeposit": "--buyer-deposit",
        "terms.latePenalty": "--late-penalty", "terms.arbiter": "--arbiter",
        "terms.arbiterFee": "--arbiter-fee", "terms.shipSeconds": "--ship-time",
        "terms.confirmSeconds": "--confirm-time", "terms.rulingSeconds": "--ruling-time",
        "terms.offerUntil": "--offer-until", "direct.offerUntil": "--offer-until",
        "auction.durationSeconds": "--duration", "auction.extensionSeconds": "--extension-time",
        "shipTo": "--ship-to", "shipToPoint": "--ship-to-point", "place": "--place",
        "point": "--point",
        "shipsWithin": "--ships-within", "shipsWithin.metres": "--ships-within",
        "shipsWithin.place": "--around", "shipsWithin.point": "--around-point",
        "shipsTo": "--ships-to", "pickupPlace": "--pickup-place",
        "acceptsChanges": "--accept-changes", "price.currency": "--currency", "pieces": "--pieces",
        "add": "--add", "withdraw": "--withdraw",
        "course.seats": "--seats", "course.startsAt": "--starts", "course.endsAt": "--ends",
        "course.beginSeconds": "--begin-time", "course.ratingSeconds": "--rating-time",
        "curriculum": "--session",
        "identifier": "--identifier", "category": "--category", "tags": "--tag",
        "description": "--description", "media": "--media", "delivery": "--delivery",
        "payment": "--payment",
        "sort": "--sort", "near": "--near", "within": "--within", "stars": "--stars",
        "size": "--size", "item": "--item", "about": "--about", "reason": "--reason",
        "priceMin": "--price-min", "priceMax": "--price-max",
        "moves": "--moves", "seconds": "--until", "session": "--session", "present": "--mark",
        "absent": "--unmark", "notes": "--note", "note": "--note or --reason",
        "pictures": "--picture",
        "points": "the five ratings", "text": "the text",
    ]
}
