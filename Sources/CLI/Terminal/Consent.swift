import ArgumentParser
import Client

/// Whether a command may sign without asking.
struct ConsentOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Sign without asking.")
    var yes = false

    /// Shows what a call would sign, and returns only if it can be signed and the person agrees.
    ///
    /// - Parameters:
    ///   - preview: The node's preview of this very call.
    ///   - node: Asked for the names of the accounts in it.
    ///   - isJSON: Whether standard output is for the answer alone.
    /// - Throws: ``Failure`` as a rule refuses it, or with the exit code for usage; then nothing is
    ///   signed.
    func obtain(
        for preview: ActionPreview,
        of node: StoaClient,
        asJSON isJSON: Bool
    ) async throws {
        // What cannot be done is not shown as if it were.
        guard preview.obstacles.isEmpty else {
            throw Failure(.refused, preview.obstacles.joined(separator: " "))
        }
        let hasNames = preview.sale != nil || preview.arbiter != nil
        let names = hasNames ? await Names.of(node) : .none
        let text = PreviewText.text(preview, names)
        try obtain(for: PreviewText.question(preview), showing: text, asJSON: isJSON)
    }

    /// Shows what would be signed, and returns only if the person agrees to it.
    ///
    /// Every command that has the account's key sign a transaction or a record goes through here.
    /// `--yes` and a typed yes on a terminal are consent; nothing else is, such as a piped `yes`
    /// or `--json`.
    ///
    /// - Parameters:
    ///   - question: Asked on the terminal, such as `Pay 0.5 ETH?`.
    ///   - preview: What will happen, in words.
    ///   - isJSON: Whether standard output is for the answer alone.
    /// - Throws: ``Failure`` with the exit code for usage; then nothing is signed.
    func obtain(for question: String, showing preview: String, asJSON isJSON: Bool) throws {
        if !preview.isEmpty {
            if !isJSON {
                Terminal.print(preview)
            } else if Terminal.isInteractive {
                // A program that reads errors as JSON must not meet text.
                Terminal.warn(preview)
            }
        }
        guard !yes else { return }
        guard Terminal.isInteractive else {
            throw Failure(
                .usage,
                "Nothing was signed: there is no terminal to ask on. Add --yes if you agree."
            )
        }
        guard Terminal.confirms(question) else { throw Failure(.usage, "Nothing was signed.") }
    }
}

extension ActionPreview {
    /// What is agreed to by who agrees to it: the fee that it shows, and none if it shows none.
    ///
    /// A call without a bound would pay today's fee.
    var agreedFee: String { feeMax ?? "0" }
}
