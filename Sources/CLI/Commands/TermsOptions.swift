import ArgumentParser
import Client

/// What an escrow may be told beside the market's defaults.
struct TermsOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: "What the seller locks, written as the price or as a part of it, such as 200%."
    )
    var sellerDeposit: String?
    @Option(
        parsing: .unconditional,
        help: "What the buyer locks beside the price, written in the same way."
    )
    var buyerDeposit: String?
    @Option(
        parsing: .unconditional,
        help: "What the seller pays the buyer if nothing comes, at most 5%."
    )
    var latePenalty: String?
    @Option(
        parsing: .unconditional,
        help: "Who decides a dispute: an address, or an account's name on this node."
    )
    var arbiter: String?
    @Option(parsing: .unconditional, help: "What the arbiter gets for a ruling, at most 5%.")
    var arbiterFee: String?
    @Option(parsing: .unconditional, help: "How long the seller has to send it, such as 3d.")
    var shipTime: DurationText?
    @Option(parsing: .unconditional, help: "How long the buyer has to confirm, such as 21d.")
    var confirmTime: DurationText?
    @Option(parsing: .unconditional, help: "How long the arbiter has to rule, such as 14d.")
    var rulingTime: DurationText?

    /// The terms, or `nil` if none is given.
    func terms(price: Money) throws -> EscrowTerms? {
        func amount(_ text: String?) throws -> String? {
            try text.map {
                try MoneyText.units($0, of: price.currency, price: price.amount)
            }
        }
        var terms = EscrowTerms()
        terms.sellerDeposit = try amount(sellerDeposit)
        terms.buyerDeposit = try amount(buyerDeposit)
        terms.latePenalty = try amount(latePenalty)
        terms.arbiterFee = try amount(arbiterFee)
        terms.arbiter = arbiter
        terms.shipSeconds = shipTime?.seconds
        terms.confirmSeconds = confirmTime?.seconds
        terms.rulingSeconds = rulingTime?.seconds
        return terms == EscrowTerms() ? nil : terms
    }
}
