/// The callers that may make a call of the API.
///
/// Each ``APICall`` has one; only the node's `Authenticator` enforces it.
package enum Access: String, CaseIterable, Sendable {
    /// Anyone whose host and origin this node answers; the call itself may ask for a password.
    case anyone
    /// Programs on this machine and the node's own pages there; from elsewhere the operator.
    case local
    /// As `local`; from elsewhere also anyone, if the operator allows new accounts.
    case newcomer
    /// The operator, by the token in the data folder.
    case `operator`
    /// The operator and signed-in accounts.
    case reader
    /// As `reader`, and as `local`.
    case localOrReader
    /// A signed-in account.
    case account
    /// A caller with a session: a signed-in account, or the operator on a page.
    case session

    /// The same in words, for the API's document.
    package var about: String {
        switch self {
        case .anyone: "Needs no token."
        case .local:
            "Needs no token on the node's own machine; from other machines and from pages of "
                + "other origins it needs the operator's."
        case .newcomer:
            "Needs no token on the node's own machine; from other machines and from pages of "
                + "other origins it needs the operator's, or 'api.openAccountsPerHour' above 0."
        case .operator: "Needs the operator's token."
        case .reader: "Needs a session's token or the operator's."
        case .localOrReader:
            "Needs no token on the node's own machine; from other machines and from pages of "
                + "other origins it needs a session's or the operator's."
        case .account, .session: "Needs a session's token."
        }
    }
}
