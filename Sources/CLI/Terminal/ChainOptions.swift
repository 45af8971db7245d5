import ArgumentParser

/// The option `--chain`, for a node that follows several chains.
struct ChainOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: "The chain, by its id. Needed if the node follows several: see 'stoa chain status'."
    )
    var chain: UInt64?

    /// Returns the chain that is named, or the only one with a currency that is called as the texts
    /// say, see ``CurrencyUnits/chain(_:in:)``.
    func meant(_ amount: String? = nil, _ currency: String? = nil) -> UInt64? {
        CurrencyUnits.current.chain(chain, in: amount, currency)
    }
}
