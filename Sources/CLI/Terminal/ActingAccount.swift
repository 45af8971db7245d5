import Client

/// The account that a command acts as, if several are signed in for the data folder.
///
/// Commands name it, because a person can have forgotten which one was chosen.
struct ActingAccount: Sendable {
    /// `nil` where only one is signed in.
    @TaskLocal static var current: ActingAccount?

    let account: Account
    /// Whether the command itself names it.
    let isNamed: Bool

    /// Its name and short address.
    var text: String {
        "\(DisplayText.line(account.name)) (\(IDText.address(account.address)))"
    }

    /// Puts the account above what it would sign.
    static func named(above preview: String) -> String {
        current.map { "As \($0.text):\n" + preview } ?? preview
    }

    /// Asks whether a message is sent as this account, unless the command names it.
    ///
    /// - Throws: ``Failure`` if the answer is no.
    static func confirmSending() throws {
        guard let current, !current.isNamed, Terminal.isInteractive else { return }
        try Terminal.confirm("Send it as \(current.text)?", orElse: "Nothing was sent.")
    }
}
