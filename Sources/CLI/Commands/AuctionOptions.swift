import ArgumentParser
import Client

/// The options for an auction's terms that differ from the market's defaults.
struct AuctionOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: "How long people can bid, such as 10d; at most 30d. Defaults to 7d."
    )
    var duration: DurationText?
    @Option(
        parsing: .unconditional,
        help: """
            By how much each later bid must exceed the one before, from 1% to 50%. Defaults to 5%.
            """
    )
    var minIncrement: ShareText?
    @Option(
        parsing: .unconditional,
        help: """
            The time that is left for others to bid after a late bid, from 60s to 1d. Defaults to \
            10m.
            """
    )
    var extensionTime: DurationText?

    /// Returns the given terms, or `nil` if no option was given.
    var terms: AuctionTerms? {
        let terms = AuctionTerms(
            durationSeconds: duration?.seconds,
            minIncrement: minIncrement?.basisPoints,
            extensionSeconds: extensionTime?.seconds
        )
        return terms == AuctionTerms() ? nil : terms
    }
}
