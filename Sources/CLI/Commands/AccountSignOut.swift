import ArgumentParser
import Client

/// The command `stoa account sign-out`.
struct AccountSignOut: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Sign out. The node locks the account's key when its last session ends.",
        discussion: """
            Without a name it signs out the account that commands act as. With --all it ends every \
            session of an account on its node, and without a name it does so for each account that \
            is signed in with this data folder.
            """
    )
    static let examples = [
        "account sign-out", "account sign-out anna --all", "account sign-out --all",
    ]

    @Argument(help: .account, completion: CompletionValues.accounts) var account: String?
    @Flag(
        help: """
            End all sessions on the node, also those of other folders, programs and browsers: of the \
            named account, else of each account that is signed in here.
            """
    )
    var all = false
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard account == nil || options.account == nil else {
            throw ValidationError("Name the account, or give --as, not both.")
        }
    }

    func run() async throws {
        let entries = try await entries()
        guard !entries.isEmpty else { throw Failure(.notAllowed, "Nobody is signed in here.") }
        var failures: [any Error] = []
        for entry in entries {
            do { try await end(entry) } catch { failures.append(error) }
        }
        for failure in failures.dropFirst() { Terminal.warn(ExitReport(failure).message) }
        if let first = failures.first { throw first }
    }

    /// The sessions to end: of the named account, else of all with `--all`, else of the one that
    /// commands act as.
    private func entries() async throws -> [SessionFolder.Entry] {
        if let account { return [try options.sessions.session(of: account)] }
        if all, options.named == nil { return try options.sessions.all().filter(options.isIssuer) }
        return [try await options.session()].compactMap(\.self)
    }

    /// Ends a session, or all of its account, and says what was ended.
    private func end(_ entry: SessionFolder.Entry) async throws {
        let account = entry.session.account
        var hasEnded = false
        do {
            try await options.inSession(entry) { try await $0.signOut(everySession: all) }
        } catch let problem as Problem where problem.code == ProblemCode.signInNeeded.rawValue {
            hasEnded = true
        }
        options.sessions.forget(account.name)
        let isUnlocked = await isUnlocked(account, at: entry.node)
        // Only a session can end the others.
        guard !all || !hasEnded || !isUnlocked else {
            throw Failure(
                .notAllowed,
                "The session of \(account.name) has ended, and others are open. Sign in again, and "
                    + "repeat the command."
            )
        }
        options.output.note(
            "\(account.name) is signed out\(all ? ", and has no session on this node" : "")."
        )
        guard isUnlocked, !all else { return }
        options.output.note(
            "The node still has its key unlocked: another session of the account is open, such as in "
                + "another data folder. It ends by itself when it is not used; 'stoa account "
                + "sign-out \(account.name) --all' ends it now, once you are signed in again."
        )
    }

    /// Whether a session elsewhere keeps the account's key unlocked, as far as the node says.
    private func isUnlocked(_ account: Account, at node: String) async -> Bool {
        guard !options.json, let address = try? NodeAddress(text: node) else { return false }
        let accounts = try? await StoaClient.scoped(address) { try await $0.accounts() }
        return accounts?.first { $0.address == account.address }?.isUnlocked ?? false
    }
}
