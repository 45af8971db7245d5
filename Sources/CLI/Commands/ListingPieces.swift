import ArgumentParser
import Client

/// The command `stoa listing pieces`.
struct ListingPieces: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "pieces",
        abstract: "List more pieces of what a listing of yours offers, or withdraw free ones.",
        discussion: """
            Each piece has a sale and a deposit of its own, at the price and the terms of the present \
            ones. A piece that somebody has bought cannot be withdrawn.
            """
    )
    static let examples = [
        "listing pieces bicycle --add 2", "listing pieces bicycle --withdraw 1",
    ]

    @Argument(help: .listing, completion: CompletionValues.listings) var listing: String
    @Option(help: "How many more to list.") var add: Int?
    @Option(help: "How many free ones to withdraw.") var withdraw: Int?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard (add == nil) != (withdraw == nil) else {
            throw ValidationError("Give --add or --withdraw, one of the two.")
        }
    }

    func call(_ node: StoaClient) async throws {
        let node = try fees.applied(to: node)
        // The call itself takes no words of a title.
        let id = try await node.listing(listing, own: true).id
        let change = PieceChange(add: add, withdraw: withdraw)
        let preview = try await node.preview(piecesOf: id, change)
        try await consent.obtain(for: preview, of: node, asJSON: options.json)
        let begun = try await node.change(
            piecesOf: id,
            change,
            feeMax: preview.agreedFee,
            acceptsOneSource: preview.restsOnOneSource
        )
        let ended = try await options.output.finish(begun, node)
        try options.output.show(ended) { "Changed: \($0.subject ?? id)" }
        options.say(
            next: add == nil
                ? NextStep.after(withdrawal: preview, leaving: id)
                : [NextStep(.showListing, IDText.short(id))]
        )
    }
}
