import Client

/// Words the API's problems for a person at a terminal: commands and options in place of fields.
enum ProblemText {
    /// Describes what happened, and which command or option helps.
    static func words(_ problem: Problem) -> String {
        switch ProblemCode(rawValue: problem.code) {
        case .signInNeeded:
            // The detail tells how programs send a token, which does not help here.
            let first = problem.detail.hasPrefix("This session") ? "The session has ended. " : ""
            return first + "Sign in first: stoa account sign-in <name>."
        case .unknownOperation: return problem.detail + " Run 'stoa operation list'."
        case .shippingNotPossible where problem.field == "shipTo":
            return problem.detail + " The option is --ship-to."
        case .notAsPromised where problem.field == "acceptsChanges":
            return problem.detail + " The option is --accept-changes."
        case .malformedValue where problem.field == "after":
            return "--after is not valid. Copy it from the last line of the previous page."
        case .malformedValue where problem.field == "limit":
            return "--limit must be from 1 to 100."
        case .nodeLocked: return problem.detail + " Run 'stoa account sign-in <name>'."
        default: return problem.detail
        }
    }
}
