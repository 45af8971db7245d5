import ArgumentParser
import Client

extension AccountCommand {
    struct Remove: LeafCommand {
        static let configuration = command(
            """
            Remove an account from the node. Only its recovery phrase or its key restores it.
            """,
            discussion: """
                The node deletes the account's key, sessions, conversations, waiting mail and \
                operations. Published records stay, except for the profile, which is withdrawn if it \
                names no other home, and so does the money on the chain. Only the \
                recovery phrase or the key gives access to it again; an imported account has only \
                the key. If you have neither, save the key first: stoa account export. Messages \
                cannot be restored.
                """
        )
        static let examples = ["account remove anna"]

        @OptionGroup var secret: PasswordOptions
        @Argument(help: .account, completion: CompletionValues.accounts) var account: String
        @Flag(name: .shortAndLong, help: "Remove it without asking.") var yes = false
        @Flag(help: "Remove it even if it has open sales or operations.")
        var acceptLosses = false
        @Flag(help: "Withdraw its public profile although it names other homes.")
        var withdrawProfile = false
        @Flag(help: "Leave its public profile as it is, to continue on another node.")
        var keepProfile = false
        @OptionGroup var target: NodeOptions
        private var options: CallOptions { target.call }

        func validate() throws {
            guard !withdrawProfile || !keepProfile else {
                throw ValidationError("Give --withdraw-profile or --keep-profile, not both.")
            }
        }

        func run() async throws {
            try confirm()
            let password = try secret.read(isNew: false)
            var removal = AccountRemoval(
                password: password,
                acceptsLosses: acceptLosses,
                withdrawsProfile: withdrawProfile ? true : keepProfile ? false : nil
            )
            try await options.asOperator { node in
                do {
                    try await node.removeAccount(account, removal)
                } catch let problem as Problem
                    where problem.code == ProblemCode.accountBusy.rawValue
                {
                    try confirmLosses(problem)
                    removal.acceptsLosses = true
                    try await node.removeAccount(account, removal)
                }
                // The node ended the session; a session file in another folder is invalid too.
                if let entry = try? options.sessions.session(of: account) {
                    options.sessions.forget(entry.session.account.name)
                }
                if options.sessions.standard == account { try options.sessions.choose(nil) }
                options.output.note("\(account) is removed from this node.")
            }
        }

        private func confirm() throws {
            guard !yes else { return }
            try Terminal.requireInteractive()
            Terminal.warn(
                """
                This deletes the key, the messages and the operations of \(account) on this node.
                Without its recovery phrase or its key, the account and its money are lost for good.
                An imported account has no phrase. Save the key first: stoa account export \(account)
                """
            )
            try confirmName("Type the account's name to remove it: ")
        }

        /// Names the sales and operations that would be lost, and asks again.
        ///
        /// - Throws: ``Failure`` with the node's refusal unless the person repeats the name.
        private func confirmLosses(_ problem: Problem) throws {
            guard !yes, Terminal.isInteractive else {
                throw Failure(
                    .refused,
                    problem.detail + " To remove it anyway, add --accept-losses.",
                    problem: problem.code
                )
            }
            Terminal.warn(problem.detail)
            try confirmName("Type the account's name again to remove it anyway: ")
        }

        private func confirmName(_ question: String) throws {
            guard Terminal.answer(question) == account else {
                throw Failure(.usage, "That is not the account's name; nothing was removed.")
            }
        }
    }
}
