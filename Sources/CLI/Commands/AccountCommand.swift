import AccountAccess
import Answers
import ArgumentParser
import Client

/// The command `stoa account …`.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Create, restore, import, add and remove accounts, and sign in and out.",
        subcommands: [
            Create.self, Recover.self, Import.self, Add.self, List.self, AccountReputation.self,
            AccountProfileCommand.self, AccountAddress.self, AccountRecovery.self,
            AccountDevices.self, SignIn.self, AccountSignOut.self, AccountUse.self,
            AccountUnattended.self, SetPassword.self, Export.self, Reveal.self, Remove.self,
        ]
    )

    struct Create: LeafCommand {
        static let configuration = command(
            "Create an account, show its recovery phrase once, and sign in."
        )
        static let examples = ["account create anna"]

        @OptionGroup var secret: PasswordOptions
        @Argument(
            help: """
                The account's name on this node. Its public profile starts with the same name; \
                others see that one, and 'stoa account profile set' changes it.
                """
        )
        var name: String
        @OptionGroup var target: NodeOptions
        private var options: CallOptions { target.call }

        func run() async throws {
            try await options.requireNode()
            if secret.isTyped { try await options.checkNew(account: name) }
            let password = try secret.read(isNew: true)
            CallOptions.noteOnDerivation()
            try await options.asOperator { node in
                let creation = AccountCreation(name: name, password: password)
                // The phrase is shown before the sign-in, so a failed sign-in cannot hide it.
                let created = try await node.createAccount(creation)
                try options.output.show(created, AccountText.created)
                if let failure = OutputFailure.first {
                    throw await takenBack(password, failure, node)
                }
                try await options.signIn(name, password, node)
                // A chain of development has play money.
                let chains = (try? await node.chains()) ?? []
                let isPlay = chains.contains { Self.playChains.contains($0.chain) }
                let money = isPlay ? NextStep(.fund, name) : NextStep(.receive)
                options.say(next: [money, NextStep(.search), NextStep(.list)])
            }
        }

        private static let playChains: Set<UInt64> = [1_337, 31_337]

        /// Removes an account whose recovery phrase could not be shown.
        ///
        /// - Returns: The error to end with.
        private func takenBack(
            _ password: String,
            _ failure: OutputFailure,
            _ node: StoaClient
        ) async -> Failure {
            let removal = AccountRemoval(password: password, acceptsLosses: true)
            let what = "The recovery phrase could not be shown: \(failure.reason)."
            do {
                try await node.removeAccount(name, removal)
                return Failure(
                    .failed,
                    "\(what) The account was removed; create it again where you can see its phrase."
                )
            } catch {
                return Failure(
                    .failed,
                    "\(what) Remove the account with 'stoa account remove \(name)', and create it "
                        + "again where you can see its phrase."
                )
            }
        }
    }

    struct Recover: LeafCommand {
        static let configuration = command(
            "Restore an account from its recovery phrase, and sign in."
        )
        static let examples = ["account recover anna"]

        @OptionGroup var secret: PasswordOptions
        @Argument(help: "The account's name on this node.") var name: String

        @Option(
            help: "Read the phrase from a file that only its owner may read (mode 0600).",
            completion: .file()
        )
        var phraseFile: String?
        @OptionGroup var target: NodeOptions
        private var options: CallOptions { target.call }

        func run() async throws {
            try await options.requireNode()
            let phrase = try Self.phrase(phraseFile)
            if secret.isTyped { try KeyCheck.phrase(phrase) }
            let password = try secret.read(isNew: true)
            try await options.asOperator { node in
                let creation = AccountCreation(name: name, password: password, phrase: phrase)
                // The phrase is shown before the sign-in, so a failed sign-in cannot hide it.
                let created = try await node.createAccount(creation)
                try options.output.show(created, AccountText.created)
                try await options.signIn(name, password, node)
                options.output.note(
                    "The node looks for what others know of the account: stoa account recovery"
                )
            }
        }

        private static let wordCounts = 12...24

        /// Reads a recovery phrase from a private file, or from the terminal.
        ///
        /// A phrase can be typed or pasted in several lines: an empty one ends it.
        static func phrase(_ file: String?) throws -> String {
            if let file { return try SecretFile(file).text() }
            let phrase = try Terminal.secret("Recovery phrase: ") { text in
                let count = text.split { !$0.isLetter }.count
                guard !text.contains("\n") else { return count >= wordCounts.upperBound }
                if count < wordCounts.lowerBound {
                    Terminal.warn("More words, then an empty line:")
                }
                return count >= wordCounts.lowerBound
            }
            guard let phrase else {
                throw Failure(
                    .usage,
                    "There is no terminal to type the recovery phrase on. Use --phrase-file."
                )
            }
            return phrase
        }
    }

    struct List: LeafCommand {
        static let configuration = command("Show the node's accounts.")
        static let examples = ["account list"]

        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.asAnyone { node in
                try options.output.show(try await node.accounts(), AccountText.list)
            }
        }
    }

    struct SignIn: LeafCommand {
        static let configuration = command(
            "Sign in. The node keeps the account's key unlocked during the session."
        )
        static let examples = ["account sign-in anna"]

        @OptionGroup var secret: PasswordOptions
        @Argument(help: .account, completion: CompletionValues.accounts) var account: String
        @OptionGroup var target: NodeOptions
        private var options: CallOptions { target.call }

        func run() async throws {
            try await options.requireNode()
            let password = try secret.read(isNew: false)
            try await options.asOperator { node in
                let session = try await options.signIn(account, password, node)
                // Not the session, which has the token: printed text can end up in a log.
                if options.json { try options.output.show(session.account) { $0.name } }
            }
        }
    }
}

extension CallOptions {
    /// Refuses a name that no new account of the node can have, before anybody types a password.
    ///
    /// - Throws: The node's refusal.
    fileprivate func checkNew(account name: String) async throws {
        do { try AccountNameRules.check(name) } catch { throw error.problem }
        try await asAnyone { node in
            let taken = try await node.accounts().map { $0.name.lowercased() }
            guard !taken.contains(name.lowercased()) else {
                throw AccountNameRules.taken(name).problem
            }
        }
    }

    /// Says on a terminal why the next call takes its time.
    static func noteOnDerivation() {
        guard Terminal.isInteractive else { return }
        Terminal.warn(
            "The node makes the account's key safe with the password; this takes seconds."
        )
    }

    /// Opens a session and stores it in the data folder; ends the account's earlier session there.
    @discardableResult
    func signIn(_ account: String, _ password: String, _ node: StoaClient) async throws -> Session {
        let session = try await node.signIn(account: account, password: password)
        let account = session.account
        let issuer = node.node.description
        let earlier = try? sessions.session(of: account.address)
        try sessions.keep(SessionFolder.Entry(node: issuer, session: session))
        if let earlier, earlier.node == issuer {
            // Nobody has its token now; one that has ended already does no harm.
            try? await node.with(token: earlier.session.token).signOut()
        }
        output.note(AccountText.signedIn(session))
        return session
    }
}

/// Formats accounts as text.
enum AccountText {
    static func created(_ created: CreatedAccount) -> String {
        let account = created.account
        let head = "Account \(account.name): \(account.address)"
        guard let phrase = created.phrase else {
            return head + "\nRestored from its recovery phrase."
        }
        return """
            \(head)

            Recovery phrase, shown only once. Write it down: anyone who has it controls the \
            account, and without it nobody can restore the account.

            \(numbered(phrase))

            """
    }

    /// Says when a session really ends, and what the node does then.
    static func signedIn(_ session: Session) -> String {
        let account = session.account
        let (idle, end) = (TimeText.text(session.idleUntil), TimeText.text(session.expiresAt))
        let time =
            session.idleUntil < session.expiresAt
            ? "The session ends \(idle) if you do not use it, and \(end) in any case. A restart "
                + "of the node ends it too."
            : "The session ends \(end), or when the node restarts."
        var then = "Then the node makes no move for you: stoa account unattended --help"
        if account.unattended?.isDamaged == true {
            then = "Then the node makes no move for you. \(UnattendedText.damage)"
        } else if let words = account.unattended.flatMap(UnattendedText.words) {
            then = "Then the node makes these moves for you: \(words)."
        }
        let who = "Signed in as \(account.name) (\(account.address))."
        return "\(who) \(time)" + (account.signsElsewhere == true ? "" : "\n\(then)")
    }

    /// Formats the words of a phrase with their numbers, four in a row; recovery takes this form
    /// too.
    private static func numbered(_ phrase: String) -> String {
        let words = phrase.split(separator: " ").enumerated().map { place, word in
            let number = "\(place + 1)"
            return String(repeating: " ", count: max(0, 2 - number.count)) + "\(number) \(word)"
        }
        let width = (words.map(\.count).max() ?? 0) + 2
        return stride(from: 0, to: words.count, by: 4).map { start in
            let row = words[start..<min(start + 4, words.count)]
            let padded = row.dropLast().map { DisplayWidth.pad($0, to: width) } + row.suffix(1)
            return "    " + padded.joined()
        }.joined(separator: "\n")
    }

    static func list(_ accounts: [Account]) -> String {
        let isLeft = accounts.contains { $0.unattended != nil }
        var table = TextTable(["name", "address", "key"] + (isLeft ? ["unattended"] : []))
        for account in accounts {
            let key = account.isUnlocked ? "unlocked" : "locked"
            let isElsewhere = account.signsElsewhere == true
            let left = account.unattended.flatMap(UnattendedText.words) ?? ""
            table.add(
                [account.name, account.address, isElsewhere ? "in your wallet" : key]
                    + (isLeft ? [left] : [])
            )
        }
        return table.text(orElse: "No accounts. Create one with 'stoa account create <name>'.")
    }
}
