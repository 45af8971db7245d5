import ArgumentParser
import Client

/// The options for escrow terms that differ from the market's defaults.
struct TermsOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: """
            The seller's deposit, an amount or a share of the price, from a third (33.34%) to 1000%. \
            Defaults to 200%.
            """
    )
    var sellerDeposit: String?
    @Flag(
        help: """
            Lock the minimum deposit, a third of the price, instead of twice the price. Either \
            covers everything that a dispute can cost you.
            """
    )
    var light = false
    @Option(
        parsing: .unconditional,
        help: """
            The buyer's deposit, which is locked in addition to the price, in the same form, from \
            33.34% to 1000%. Defaults to 100%.
            """
    )
    var buyerDeposit: String?
    @Option(
        parsing: .unconditional,
        help: """
            The penalty that the seller pays the buyer if nothing is sent, an amount or a share of \
            the price, from 1% to 5%. Defaults to 2%.
            """
    )
    var latePenalty: String?
    @Option(
        parsing: .unconditional,
        help: """
            The account that decides a dispute: its address, or its name on this node. It must have \
            registered: stoa arbiter register. 'none' or 0 means nobody, and the command then does \
            not ask for one. Defaults to none.
            """
    )
    var arbiter: String?

    /// Whether the option says that nobody decides.
    var refusesArbiter: Bool {
        arbiter.map { ["none", "0"].contains($0.lowercased()) } ?? false
    }

    @Option(
        parsing: .unconditional,
        help: """
            What the arbiter gets for taking a dispute, an amount or a share of the price, at most \
            5%. Defaults to 0.
            """
    )
    var arbiterFee: String?
    @Option(
        parsing: .unconditional,
        help: "How long the seller has to send the item, from 2d to 60d. Defaults to 3d."
    )
    var shipTime: DurationText?
    @Option(
        parsing: .unconditional,
        help: "How long the buyer has to confirm or dispute, from 2d to 90d. Defaults to 21d."
    )
    var confirmTime: DurationText?
    @Option(
        parsing: .unconditional,
        help: """
            How long a dispute can be settled, or ruled by the arbiter, from 3d to 60d. Defaults to \
            14d.
            """
    )
    var rulingTime: DurationText?

    @Option(
        parsing: .unconditional,
        help: """
            When the offer ends (escrow or direct sale), in UTC: 2027-01-31 or '2027-01-31 18:00'; \
            at most 365 days ahead. Defaults to 30 days.
            """
    )
    var offerUntil: TimeText?

    func validate() throws {
        guard !light || sellerDeposit == nil else {
            throw ValidationError("Give --light or --seller-deposit, not both.")
        }
    }

    /// Whether no option was given.
    var isEmpty: Bool {
        get throws { try terms(price: Money(amount: "1", currency: "native")) == nil }
    }

    /// Returns the given terms of a direct sale, which has only an end.
    ///
    /// - Throws: `ValidationError` if another option was given.
    func direct() throws -> DirectSaleTerms? {
        var other = try terms(price: Money(amount: "1", currency: "native"))
        other?.offerUntil = nil
        guard other ?? EscrowTerms() == EscrowTerms() else {
            throw ValidationError("A direct sale has only one of the escrow terms, --offer-until.")
        }
        return offerUntil.map { DirectSaleTerms(offerUntil: $0.seconds) }
    }

    /// Returns the given terms, or `nil` if no option was given.
    func terms(price: Money) throws -> EscrowTerms? {
        func amount(_ text: String?) throws -> String? {
            try text.map {
                try MoneyText.units($0, of: price.currency, price: price.amount)
            }
        }
        var terms = EscrowTerms()
        terms.sellerDeposit =
            light ? MoneyText.third(of: price.amount) : try amount(sellerDeposit)
        terms.buyerDeposit = try amount(buyerDeposit)
        terms.latePenalty = try amount(latePenalty)
        terms.arbiterFee = try amount(arbiterFee)
        terms.arbiter = refusesArbiter ? nil : arbiter
        terms.shipSeconds = shipTime?.seconds
        terms.confirmSeconds = confirmTime?.seconds
        terms.rulingSeconds = rulingTime?.seconds
        terms.offerUntil = offerUntil?.seconds
        return terms == EscrowTerms() ? nil : terms
    }
}
