import ArgumentParser
import Client

/// The command `stoa item give`.
struct ItemGive: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "give",
        abstract: "Give one of your tokens to another account, without money.",
        discussion: "'stoa item list' shows your tokens. A gift cannot be undone."
    )
    static let examples = ["item give 7 anna"]

    @OptionGroup var chain: ChainOptions
    @Argument(help: "The token's number, as stoa item list prints it.") var token: String
    @Argument(
        help: """
            The receiver: a full address, or the name of a contact or account. With --yes, a name \
            that you gave with 'stoa contact name', or of an account of the node.
            """
    )
    var to: String
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        let node = try fees.applied(to: node)
        var gift = Gift(to: to, token: token, chain: chain.chain)
        let preview = try await node.preview(gift)
        try consent.requireNamed(preview, typed: to)
        try await consent.obtain(for: preview, of: node, asJSON: options.json)
        // By now the name can mean another account.
        gift.to = preview.receiver?.account ?? to
        let operation = try await node.give(gift, feeMax: preview.agreedFee)
        let ended = try await options.output.finish(operation, node)
        try options.output.show(ended) { _ in "Given." }
    }
}
