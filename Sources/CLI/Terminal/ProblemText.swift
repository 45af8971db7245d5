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
        default:
            let option = problem.field.flatMap { options[$0] }
            return problem.detail + (option.map { " The option is \($0)." } ?? "")
        }
    }

    /// The options for fields of a request.
    private static let options = [
        "terms.sellerDeposit": "--seller-deposit", "terms.buyerDeposit": "--buyer-deposit",
        "terms.latePenalty": "--late-penalty", "terms.arbiter": "--arbiter",
        "terms.arbiterFee": "--arbiter-fee", "terms.shipSeconds": "--ship-time",
        "terms.confirmSeconds": "--confirm-time", "terms.rulingSeconds": "--ruling-time",
        "terms.offerUntil": "--offer-until",
    ]
}
