import ArgumentParser
import Client

/// The sum that a person agrees to before the purchases of a cart are shown.
///
/// Between two looks at a cart its listings can have other prices, or be gone.
struct AgreedTotalOption: ParsableArguments {
    @Option(
        name: .customLong("total"),
        parsing: .unconditionalSingleValue,
        help: """
            What all purchases must cost together without the fees, prices and deposits, such as \
            0.5 or '12.5 TST'. Needed with --yes. Can be repeated, once for each currency.
            """
    )
    var totals: [String] = []

    /// Refuses to go without a question if nothing says for how much.
    func check(_ consent: ConsentOptions) throws {
        guard consent.yes, totals.isEmpty else { return }
        throw ValidationError(
            "With --yes, add --total with the sum that you agree to. 'stoa cart checkout --dry-run' "
                + "shows it."
        )
    }

    /// Refuses purchases with another sum than a person has entered.
    ///
    /// - Parameters:
    ///   - previews: The previews of the purchases.
    ///   - isUnasked: Whether nobody is asked; then each total's currency must name its chain too.
    /// - Throws: ``Failure``
    func require(_ previews: [ActionPreview], isUnasked: Bool = false) throws {
        guard !totals.isEmpty else { return }
        if isUnasked { for total in totals { try CurrencyUnits.requireChain(in: total) } }
        let given = try totals.map(Self.sum).filter { $0.money.amount != "0" }
        let asked = CheckoutSum.withoutFees(previews)
        let isAgreed =
            given.count == asked.count
            && asked.allSatisfy { sum in given.count { $0.means(sum) } == 1 }
        guard !isAgreed else { return }
        let words = asked.map(\.text).joined(separator: ", ")
        throw Failure(
            .refused,
            "All together cost \(words.isEmpty ? "nothing" : words). Nothing was signed."
        )
    }

    private static func sum(_ text: String) throws -> CheckoutSum {
        let chain = CurrencyUnits.current.chain(nil, in: text)
        return try CurrencyUnits.on(chain) {
            let currency = try MoneyText.currency(named: nil, in: text)
            let amount = try MoneyText.units(text, of: currency)
            return CheckoutSum(chain: chain, money: Money(amount: amount, currency: currency))
        }
    }
}

/// The cost of purchases together, in one currency.
struct CheckoutSum {
    /// The currency's chain; `nil` if it is not known.
    let chain: UInt64?
    var money: Money

    /// The sum with all its digits, as a person types it for `--total`.
    var text: String {
        CurrencyUnits.on(chain) { MoneyText.exact(money) + ListingText.chain(chain) }
    }

    /// Whether it is the same amount; one that names no chain can be on any.
    fileprivate func means(_ other: CheckoutSum) -> Bool {
        money.amount == other.money.amount
            && money.currency.lowercased() == other.money.currency.lowercased()
            && (chain == nil || chain == other.chain)
    }

    /// Adds prices and deposits, by currency.
    static func withoutFees(_ previews: [ActionPreview]) -> [CheckoutSum] {
        of(previews) { preview in
            preview.leaves.filter { $0.purpose != "fee" }
                .map { Money(amount: $0.amount, currency: $0.currency) }
        }
    }

    /// Adds amounts of previews, by currency.
    static func of(
        _ previews: [ActionPreview],
        _ amounts: (ActionPreview) -> [Money]
    ) -> [CheckoutSum] {
        var sums: [CheckoutSum] = []
        for preview in previews {
            for money in amounts(preview) {
                let index = sums.firstIndex {
                    $0.chain == preview.chain && $0.money.currency == money.currency
                }
                guard let index else {
                    sums.append(CheckoutSum(chain: preview.chain, money: money))
                    continue
                }
                sums[index].money.amount = MoneyText.sum([
                    sums[index].money.amount, money.amount,
                ])
            }
        }
        return sums
    }
}
