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

    /// Refuses to go without a question if the price leaves something open that costs the buyer:
    /// the deposit, and who rules a dispute.
    ///
    /// The times are fixed with them: a purchase without deposit and arbiter has none.
    func requireNoOtherTerms(_ preview: ActionPreview, _ consent: ConsentOptions) throws {
        let others = preview.leaves.filter { $0.purpose != "price" && $0.purpose != "fee" }
        guard consent.yes, preview.problems.isEmpty,
            !others.isEmpty || preview.arbiter != nil
        else { return }
        let parts = CurrencyUnits.on(preview.chain) {
            preview.leaves.filter { $0.purpose != "fee" }
                .map { "\(MoneyText.exact($0.amount, $0.currency)) \($0.purpose)" }
        }
        let arbiter = preview.arbiter.map { " The arbiter is \($0.account)." } ?? ""
        throw Failure(
            .usage,
            "With --yes, the price does not fix deposit, arbiter and times: now leave "
                + parts.joined(separator: " and ")
                + ".\(arbiter) Look at them with --dry-run, which "
                + "ends with the command that buys on these terms only. Nothing was signed."
        )
    }

    /// Refuses a purchase at another price, or in another currency, than a person has entered.
    ///
    /// - Parameters:
    ///   - preview: The preview of the purchase.
    ///   - isUnasked: Whether nobody is asked; then the currency must name the chain too.
    /// - Throws: ``Failure``
    func require(_ preview: ActionPreview, isUnasked: Bool = false) throws {
        guard let price, let asked = preview.leaves.first(where: { $0.purpose == "price" }) else {
            return
        }
        if isUnasked { try CurrencyUnits.requireChain(preview.chain, in: price, currency) }
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
