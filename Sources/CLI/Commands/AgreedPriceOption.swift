import ArgumentParser
import Client

/// The price that a person agrees to before a purchase is shown.
///
/// A listing keeps its id at another price, and a seller can make one whose id begins with the
/// digits of another one that is gone, or whose title has the same words.
struct AgreedPriceOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: """
            The price that it must have, such as 0.5 or '12.5 TST'. Needed with --yes.
            """
    )
    var price: String?
    @Option(
        help: """
            The currency of --price: 'native', a symbol or a token's address. Defaults to the one \
            that the price names, else 'native'.
            """
    )
    var currency: String?

    func validate() throws {
        guard price != nil || currency == nil else {
            throw ValidationError("--currency is that of a price: give --price too.")
        }
    }

    /// Refuses to go without a question if nothing says at which price.
    func check(_ consent: ConsentOptions) throws {
        guard consent.yes, price == nil else { return }
        throw ValidationError(
            "With --yes, add --price with the price that you agree to: a listing keeps its id when "
                + "its price changes."
        )
    }

    /// Refuses a purchase at another price, or in another currency, than a person has entered.
    func require(_ preview: ActionPreview) throws {
        guard let price, let asked = preview.leaves.first(where: { $0.purpose == "price" }) else {
            return
        }
        try CurrencyUnits.on(preview.chain) {
            let currency = try MoneyText.currency(named: currency, in: price)
            let agreed = try MoneyText.units(price, of: currency)
            guard
                agreed != asked.amount || currency.lowercased() != asked.currency.lowercased()
            else { return }
            throw Failure(
                .refused,
                "It costs \(MoneyText.exact(asked.amount, asked.currency)). Nothing was signed."
            )
        }
    }
}
