import ArgumentParser
import Client
import Setup

/// The option `--yes`, and the question that a command asks before it signs.
struct ConsentOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Sign without asking.")
    var yes = false
    @Flag(help: "Only show what the command would pay, cost and return. Nothing is signed.")
    var dryRun = false

    func validate() throws {
        guard !yes || !dryRun else { throw ValidationError("Give --yes or --dry-run, not both.") }
    }

    /// Shows a call's signatures, and returns only if it can be signed and the person agrees.
    ///
    /// - Parameters:
    ///   - preview: The node's preview of this call.
    ///   - node: The node that knows the names of the accounts in it.
    ///   - isJSON: Whether standard output must contain only the answer.
    ///   - command: Returns the command that does the same, with which a dry run ends.
    /// - Throws: ``Failure`` with the preview's obstacles, or with the exit code for usage if the
    ///   person does not agree. Nothing is signed in either case.
    func obtain(
        for preview: ActionPreview,
        of node: StoaClient,
        asJSON isJSON: Bool,
        command: (ActionPreview) -> String? = PreviewText.command
    ) async throws {
        if dryRun, isJSON {
            Terminal.print(json: try Output.json(preview))
            throw ExitCode.success
        }
        // A call that cannot succeed is refused before its costs are shown.
        if let refusal = Self.refusal(of: preview) { throw refusal }
        let parties = PreviewText.accounts(in: preview)
        let names =
            parties.isEmpty ? .none : await Names.of(node).with(profilesOf: parties, node)
        var text = PreviewText.text(preview, names)
        if dryRun, let command = command(preview) { text += "\n" + command }
        try obtain(for: PreviewText.question(preview), showing: text, asJSON: isJSON)
    }

    /// Returns why a call cannot be signed, with the code of the most important reason; `nil` if it
    /// can.
    static func refusal(
        of preview: ActionPreview,
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> Failure? {
        guard let first = preview.problems.first else { return nil }
        return Failure(
            ExitReport(first).code,
            preview.problems.map { ProblemText.words($0, arguments: arguments) }
                .joined(separator: "\n"),
            problem: first.code
        )
    }

    /// Shows the content to sign, and returns only if the person agrees.
    ///
    /// Every command that signs a transaction or a record with the account's key calls this.
    /// Only `--yes` and a typed yes on a terminal are consent; a piped `yes` or `--json` is not.
    ///
    /// - Parameters:
    ///   - question: The question to ask on the terminal, such as `Pay 0.5 ETH?`.
    ///   - preview: A description of what will happen.
    ///   - isJSON: Whether standard output must contain only the answer.
    /// - Throws: ``Failure`` with the exit code for usage; then nothing is signed.
    func obtain(for question: String, showing preview: String, asJSON isJSON: Bool) throws {
        if dryRun, isJSON {
            Terminal.print(json: try Output.json(["summary": preview]))
            throw ExitCode.success
        }
        if !preview.isEmpty {
            let shown = ActingAccount.named(above: preview)
            if !isJSON {
                Terminal.print(shown)
            } else if Terminal.isInteractive {
                // Only on a terminal: a program that reads standard error expects JSON.
                Terminal.warn(shown)
            }
        }
        if dryRun {
            Terminal.print("Nothing was signed: this was a dry run.")
            throw ExitCode.success
        }
        guard !yes else { return }
        guard Terminal.isInteractive else {
            throw Failure(
                .usage,
                "Nothing was signed: there is no terminal to answer on. Add --yes if you agree."
            )
        }
        guard Terminal.confirms(question) else { throw Failure(.usage, "Nothing was signed.") }
    }
}

extension ConsentOptions {
    /// Refuses to send to a typed name without a question if the receiver has chosen it itself:
    /// anybody can take the name of somebody else.
    func requireNamed(_ preview: ActionPreview, typed text: String) throws {
        guard yes, let receiver = preview.receiver, !text.lowercased().hasPrefix("0x"),
            !receiver.isHere, receiver.isNamedByCaller != true
        else { return }
        throw Failure(
            .usage,
            "\(text.quoted) is a name that the account \(receiver.account) has chosen itself. With "
                + "--yes, give the address, or a name of your own: stoa contact name "
                + "\(receiver.account) NAME. Nothing was signed."
        )
    }
}

extension ActionPreview {
    /// The highest fee that the person has agreed to: the one shown, or 0 if none is shown.
    ///
    /// Never `nil`: a call without a limit would pay whatever the fee is at that time.
    var agreedFee: String { feeMax ?? "0" }
}
