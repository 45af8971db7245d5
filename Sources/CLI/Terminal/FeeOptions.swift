import ArgumentParser
import Client

/// The options that set the fees of a command's transactions.
struct FeeOptions: ParsableArguments {
    /// How soon a transaction should be mined.
    enum Speed: String, ExpressibleByArgument {
        case slow, normal, fast
    }

    @Option(help: "How soon it should be mined: slow, normal or fast. Faster costs more.")
    var speed = Speed.normal
    @Option(
        name: .customLong("fee-max"),
        parsing: .unconditional,
        help: "The maximum fee for all its transactions together, such as 0.002 or '500000 gwei'."
    )
    var ceiling: String?

    /// Returns a client whose previews and calls choose their fees so.
    func applied(to node: StoaClient) throws -> StoaClient {
        let chosen: FeeChoice.Speed =
            switch speed {
            case .slow: .slow
            case .normal: .normal
            case .fast: .fast
            }
        let ceiling = try ceiling.map { text in
            // Fees are in the money of the chain whose symbol is given.
            try CurrencyUnits.on(CurrencyUnits.current.chain(nil, in: text)) {
                try MoneyText.wei(text)
            }
        }
        return node.with(fees: FeeChoice(speed: chosen, ceiling: ceiling))
    }
}
