import Answers
import Client
import Ethereum
import Keys
import Market

/// An intended action of an account, from which both its preview and its operation are made.
///
/// A service has one function that plans an action, in the order of its checks. A preview records
/// an obstacle and continues planning; an operation is refused for it at once.
struct PlannedOperation: Sendable {
    let account: Address
    /// The operation that is asked for; `nil` in a preview.
    private let request: OperationRequest?

    /// Its effect, cost and risks; action, chain and subject are those of the operation too.
    var preview = ActionPreview(action: "", summary: [])
    /// The currencies in whose units the preview's texts write amounts.
    var registry: CurrencyRegistry?
    /// The obstacles, most important first; empty if it is not a preview.
    private(set) var obstacles: [Refusal] = []
    private var steps: [Intent.Step] = []
    /// The payments of its first steps to the account before the last one pays, in wei.
    var returned = Amount.zero
    /// Its maximum fees; `nil` if it sends nothing, or if an obstacle makes them unknown.
    private(set) var fees: AgreedFees?
    private var publications: [OperationPlan.Publication] = []
    /// The text that is sent to others at the end.
    var disclosure: OperationPlan.Disclosure?
    /// See ``OperationPlan/Reopening``.
    var reopening: OperationPlan.Reopening?

    init(by account: Address, for request: OperationRequest? = nil) {
        (self.account, self.request) = (account, request)
    }

    /// Returns the preview of what a function plans; nothing is signed.
    static func preview(
        by account: Address,
        _ plan: (inout PlannedOperation) async throws -> Void
    ) async throws -> ActionPreview {
        var planned = PlannedOperation(by: account)
        try await plan(&planned)
        var preview = planned.registry.map(planned.preview.inUnits) ?? planned.preview
        preview.problems = planned.obstacles.map(\.problem)
        return preview
    }

    var isPreview: Bool { request == nil }

    /// Whether one endpoint's answer is enough; a preview warns of it instead.
    var acceptsOneSource: Bool { request?.acceptsOneSource ?? true }

    /// The maximum of all fees that the caller set, in wei; `nil` for the present ones.
    ///
    /// - Throws: ``Refusal`` with `bad_amount`.
    var feeMax: Amount? {
        get throws(Refusal) {
            guard let request else { return RequestedFees.current.ceiling }
            guard let text = request.feeMax else { return nil }
            return try Amount.entered(text, field: "feeMax")
        }
    }

    /// Records the obstacle of a preview; throws it if this is not a preview.
    mutating func note(_ obstacle: Refusal) throws(Refusal) {
        guard isPreview else { throw obstacle }
        obstacles.append(obstacle)
    }

    /// Runs checks that precede a signature, and notes what stands in the way.
    ///
    /// - Throws: As ``note(_:)``; also a refusal that makes the whole request meaningless: its
    ///   subject does not exist or belongs to somebody else, or the chain cannot be read.
    mutating func check(_ body: (inout PlannedOperation) async throws -> Void) async throws {
        do {
            try await body(&self)
        } catch let refusal as Refusal where refusal.code.isObstacle {
            try note(refusal)
        }
    }

    /// Adds what only a preview needs.
    mutating func describe(_ body: (inout ActionPreview) async throws -> Void) async rethrows {
        if isPreview { try await body(&preview) }
    }

    /// Adds the transactions and their fees, or notes why they cannot be sent.
    ///
    /// - Parameters:
    ///   - steps: The transactions.
    ///   - gasOfLast: See ``Contracts/ChainClient``'s `quote`.
    ///   - quote: Their fees, if they are known; otherwise the chain is asked.
    ///   - chain: Where they go.
    /// - Throws: As ``check(_:)``; also `bad_amount`.
    mutating func send(
        _ steps: [Intent.Step],
        gasOfLast: UInt64? = nil,
        quote: FeeQuote? = nil,
        on chain: MarketChain
    ) async throws {
        self.steps = steps
        try await check { plan in
            let feeMax = try plan.feeMax
            guard !steps.isEmpty else { return }
            try await plan.showBalances(on: chain)
            var question = FeeQuestion(steps, from: plan.account, fees: chain.fees)
            (question.agreed, question.returned) = (feeMax, plan.returned)
            question.gasOfLast = gasOfLast
            let asked = question
            let quote = if let quote { quote } else { try await chain.quote(asked) }
            plan.fees = try plan.preview.show(quote, within: feeMax, on: chain.chain)
        }
    }

    /// Shows what the account has of the chain's currency, which pays the fee, and of each token
    /// that leaves it.
    private mutating func showBalances(on chain: MarketChain) async throws {
        guard isPreview else { return }
        let tokens = preview.total.compactMap { try? Address(text: $0.currency) }
        for currency in [Currency.native] + tokens.map(Currency.token) {
            let balance = try await chain.balance(of: account, in: currency)
            preview.balances.append(Money(balance, currency))
        }
    }

    /// Adds the record of a listing that is published once all transactions are final.
    mutating func publish(_ content: RecordContent, in slot: Bytes32) {
        publications.append(.init(kind: .listing, slot: slot, payload: content.payload))
    }

    /// The operation's subject: the one that the preview names, or its first listing.
    var subject: String? {
        preview.subject
            ?? publications.first.map { ListingID(author: account, slot: $0.slot).description }
    }

    /// How the operation is carried out.
    var operationPlan: OperationPlan {
        OperationPlan(
            purpose: preview.action,
            steps: steps,
            feesMax: fees?.limits,
            publications: publications,
            disclosure: disclosure,
            reopening: reopening
        )
    }
}

extension ProblemCode {
    /// Whether it depends on the state of things, which may change, and not on the request.
    fileprivate var isObstacle: Bool {
        switch self {
        case .insufficientBalance, .moveNotOpen, .notFinalYet, .contractRefused, .listingGone,
            .bidTooLow, .notAsPromised, .ownListing, .shippingNotPossible, .inProgress,
            .feeAboveLimit, .oneSource:
            true
        default: false
        }
    }
}
