import Client
import Contracts
import Keys
import Market

extension ActionPreview {
    /// Notes what leaves the account.
    mutating func pay(_ purpose: String, _ amount: Amount, _ currency: Currency) {
        guard !amount.isZero else { return }
        leaves.append(
            Outgoing(purpose: purpose, amount: amount.decimal, currency: currency.name)
        )
        guard let place = total.firstIndex(where: { $0.currency == currency.name }) else {
            total.append(Money(amount, currency))
            return
        }
        let sum = Amount(decimal: total[place].amount)?.adding(amount) ?? .max
        total[place].amount = sum.decimal
    }

    /// Notes what comes back to the account.
    mutating func expect(_ amount: Amount, _ currency: Currency, _ when: String) {
        guard !amount.isZero else { return }
        comesBack.append(Incoming(amount: amount.decimal, currency: currency.name, when: when))
    }

    /// Does what has to be asked before a signature, and notes what stands in the way.
    ///
    /// - Throws: What makes the request as a whole meaningless: it names what is not there, or is
    ///   somebody else's, or the chain cannot be asked.
    mutating func check(_ body: (inout ActionPreview) async throws -> Void) async throws {
        do {
            try await body(&self)
        } catch let refusal as Refusal where refusal.code.isObstacle {
            obstacles.append(refusal.detail)
        }
    }
}

extension ProblemCode {
    /// Whether it is up to the state of things, which may change, and not to the request.
    fileprivate var isObstacle: Bool {
        switch self {
        case .insufficientBalance, .moveNotOpen, .notFinalYet, .contractRefused, .listingGone,
            .notAsPromised, .ownListing, .shippingNotPossible, .inProgress, .feeAboveLimit,
            .oneSource:
            true
        default: false
        }
    }
}

extension MarketChain {
    /// What the steps' fees are at most; every error is a ``Refusal``.
    func quote(
        _ steps: [Intent.Step],
        gasOfLast: UInt64? = nil,
        from account: Address
    ) async throws -> FeeQuote {
        try await asking {
            try await client.quote(steps, gasOfLast: gasOfLast, from: account, fees: fees)
        }
    }

    /// Notes the steps' greatest fee in a preview, or why they cannot be sent.
    func price(
        _ steps: [Intent.Step],
        gasOfLast: UInt64? = nil,
        from account: Address,
        in preview: inout ActionPreview
    ) async throws {
        guard !steps.isEmpty else { return }
        try await preview.check { preview in
            let quote = try await quote(steps, gasOfLast: gasOfLast, from: account)
            preview.feeMax = quote.total.decimal
            preview.pay("fee", quote.total, .native)
        }
    }
}

/// The gas of calls that draw tokens, which cannot be estimated before an approval is mined.
///
/// More than measured, because tokens differ; the fee shown is the most that is paid.
/// Source: Docs/contracts.md, section 11.
enum DrawingGas {
    static let list: UInt64 = 1_000_000
    static let buy: UInt64 = 300_000
}
