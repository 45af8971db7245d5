import Answers
package import Client
package import Ethereum
package import Market

/// The maximum fees of an operation, as its owner agreed.
package struct AgreedFees: Sendable {
    /// The maximum fee of each transaction.
    package let limits: [Amount]
    /// The maximum fee of all together.
    package let feeMax: Amount
    /// Gas and fee, in words.
    package let words: Sentence
    /// How soon the transactions are to be mined.
    package let speed: FeeSpeed

    package init(
        limits: [Amount],
        feeMax: Amount,
        words: Sentence,
        speed: FeeSpeed = .normal
    ) {
        (self.limits, self.feeMax, self.words) = (limits, feeMax, words)
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
        func money(_ amount: Amount) -> String { amount.value(in: .native, on: chain) }
        let feeMax = agreed ?? quote.total
        guard let limits = quote.limits(within: feeMax) else {
            throw Refusal(
                .feeAboveLimit,
                Sentence(
                    "refusal.feeRisen",
                    ["least": money(quote.least), "agreed": money(feeMax)]
                ),
                field: "feeMax"
            )
        }
        let count = quote.parts.count
        var values = ["gas": "\(quote.gasLimit)", "fee": money(feeMax)]
        if count > 1 { values["count"] = "\(count)" }
        self.init(
            limits: limits,
            feeMax: feeMax,
            words: Sentence(count > 1 ? "progress.fees" : "progress.fee", values),
            speed: speed
        )
    }
}
