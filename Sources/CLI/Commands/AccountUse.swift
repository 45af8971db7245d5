import ArgumentParser
import Client
import Setup

/// The command `stoa account use`.
struct AccountUse: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Choose the account that commands act as without --as.",
        discussion: """
            The choice is kept in the data folder. $STOA_ACCOUNT and --as count before it.
            """
    )
    static let examples = ["account use anna", "account use --none"]

    @Argument(help: .account, completion: CompletionValues.accounts) var account: String?
    @Flag(help: "Choose none: without --as, commands act as the only account that is signed in.")
    var none = false
    @OptionGroup var target: NodeOptions
    private var options: CallOptions { target.call }

    func validate() throws {
        guard (account == nil) == none else {
            throw ValidationError("Name an account, or give --none.")
        }
    }

    func run() async throws {
        guard let account else {
            try options.sessions.choose(nil)
            return options.output.note("No account is chosen.")
        }
        let wanted = account.lowercased()
        // It needs no session: several may be open.
        try await options.asAnyone(withSession: false) { node in
            let known = try await node.accounts()
            let found = known.first {
                $0.name.lowercased() == wanted || $0.address.lowercased() == wanted
            }
            guard let found else {
                throw Failure(
                    .refused,
                    "This node has no account \(account.quoted). It has: "
                        + "\(known.map(\.name).joined(separator: ", "))."
                )
            }
            try options.sessions.choose(found.name)
            try options.output.show(found) { "Commands act as \($0.name) from now on." }
        }
    }
}
