import ArgumentParser

/// The command `stoa completion …`.
struct CompletionCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print a script that completes commands and options in a shell.",
        discussion: """
            bash: mkdir -p ~/.local/share/bash-completion/completions
                  stoa completion bash > ~/.local/share/bash-completion/completions/stoa
            zsh:  stoa completion zsh > <a folder of $fpath>/_stoa
            fish: stoa completion fish > ~/.config/fish/completions/stoa.fish
            """
    )
    static let examples = ["completion bash"]

    @Argument(help: "The shell: bash, zsh or fish.", completion: CompletionValues.shells)
    var shell: String

    func run() async throws {
        guard let shell = CompletionShell(rawValue: shell) else {
            throw Failure(
                .usage,
                "Stoa has no completion script for '\(shell)'. Use bash, zsh or fish."
            )
        }
        Terminal.print(script: Stoa.completionScript(for: shell))
    }
}
