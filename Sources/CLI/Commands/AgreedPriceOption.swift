import ArgumentParser
import Client

/// The price that a person agrees to before a purchase is shown.
///
/// A seller can make a listing whose id begins with the digits of another one that is gone.
struct AgreedPriceOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: """
            The price that it must have, such as 0.5. Needed with --yes if the first digits of its \
            id name the listing.
            """
    )
    var price: String?

    /// Refuses to go without a question if neither the id nor the price says what is bought.
    func check(_ listing: String, _ consent: ConsentOptions) throws {
        guard consent.yes, price == nil, IDText.isShortened(listing) else { return }
        throw ValidationError(
            "With --yes, add --price with the price that you agree to, or give the whole id of the "
                + "listing: another one can begin with the same digits."
        )
    }

    /// Refuses a purchase at another price than a person has entered.
    func require(_ preview: ActionPreview) throws {
        guard let price, let asked = preview.leaves.first(where: { $0.purpose == "price" }) else {
            return
        }
        try CurrencyUnits.on(preview.chain) {
            let agreed = try MoneyText.units(price, of: asked.currency)
            guard agreed != asked.amount else { return }
            throw Failure(
                .refused,
                "It costs \(MoneyText.exact(asked.amount, asked.currency)). Nothing was signed."
            )
        }
    }
}
