import Answers
import Client
package import Ethereum
package import Market

/// The maximum fees of an operation, as its owner agreed.
package struct AgreedFees: Sendable {
    /// The maximum fee of each transaction.
    package let limits: [Amount]
    /// The maximum fee of all together.
    package let feeMax: Amount
    /// Gas and fee, in words.
    package let description: String
    /// How soon the transactions are to be mined.
    package let speed: FeeSpeed

    package init(
        limits: [Amount],
        feeMax: Amount,
        description: String,
        speed: FeeSpeed = .normal
    ) {
        (self.limits, self.feeMax, self.description) = (limits, feeMax, description)
        self.speed = speed
    }
}

extension AgreedFees {
    /// - Throws: ``Refusal`` with `fee_above_limit` if the agreed maximum cannot pay for it now.
    init(
        _ quote: FeeQuote,
        _ agreed: Amount?,
        on chain: ChainID,
        speed: FeeSpeed = .normal
    ) throws(Refusal) {
        func text(_ amount: Amount) -> String { PriceText.text(amount, in: .native, on: chain) }
        let feeMax = agreed ?? quote.total
        guard let limits = quote.limits(within: feeMax) else {
            throw Refusal(
                .feeAboveLimit,
                "The fee is at least \(text(quote.least)) now, more than the \(text(feeMax)) that "
                    + "you agreed to. Nothing was signed. Preview it again, or wait until the fee "
                    + "falls.",
                field: "feeMax"
            )
        }
        let count = quote.parts.count
        let all = count > 1 ? " for \(count) transactions" : ""
        self.init(
            limits: limits,
            feeMax: feeMax,
            description: "\(quote.gasLimit) gas, at most \(text(feeMax))\(all)",
            speed: speed
        )
    }
}
