import Client

/// Problems of the API as a person at a terminal reads them: in the words of commands.
enum ProblemText {
    /// What happened, and which command or option helps.
    static func words(_ problem: Problem) -> String {
        switch ProblemCode(rawValue: problem.code) {
        case .signInNeeded:
            // How programs send a token is of no use here.
            let first = problem.detail.hasPrefix("This session") ? "The session has ended. " : ""
            return first + "Sign in first: stoa account sign-in <name>."
        case .unknownOperation: return problem.detail + " Run 'stoa operation list'."
        case .shippingNotPossible where problem.field == "shipTo":
            return problem.detail + " The option is --ship-to."
        case .notAsPromised where problem.field == "acceptsChanges":
            return problem.detail + " The option is --accept-changes."
        case .malformedValue where problem.field == "after":
            return "--after takes what the last line of the page before says."
        case .malformedValue where problem.field == "limit":
            return "--limit is from 1 to 100."
        case .nodeLocked: return problem.detail + " Run 'stoa account sign-in <name>'."
        default: return problem.detail
        }
    }
}
