import Answers
package import Client
import Contracts
package import Keys
import Market

extension Wallets {
    /// Sends money of an account to another account.
    ///
    /// - Parameters:
    ///   - wanted: What to send; its receiver is an address.
    ///   - account: The account that pays.
    ///   - key: The caller's name for the call.
    ///   - feeMax: The maximum fee, in wei; `nil` for the present one.
    /// - Returns: The operation that carries it out.
    /// - Throws: ``Refusal``: `bad_address`, `bad_amount`, `insufficient_balance`,
    ///   `contract_refused`, `fee_above_limit`, `in_progress`, or the chain's health.
    package func send(
        _ wanted: Transfer,
        by account: Address,
        key: String,
        feeMax: String? = nil
    ) async throws -> Client.Operation {
        let operationRequest = try OperationRequest(
            .send,
            by: account,
            key: key,
            request: wanted,
            feeMax: feeMax
        )
        if let known = try await runner.known(operationRequest) { return known }
        try chain.saleIndex.requireCurrent()
        let agreed = try feeMax.map { try Amount.entered($0, field: "feeMax") }
        let plan = try await plan(wanted, of: account, feeMax: agreed)
        let fees: AgreedFees? =
            if let quote = plan.fee {
                try AgreedFees(
                    quote,
                    agreed,
                    on: chain.chain,
                    speed: RequestedFees.current.speed
                )
            } else {
                try await chain.agree([plan.step], to: feeMax, from: account)
            }
        try await requireSuccess(plan, of: account)
        return try await runner.begin(
            operationRequest,
            subject: plan.receiver.checksummed,
            plan: OperationPlan(purpose: "send", steps: [plan.step], feesMax: fees?.limits),
            fees: fees,
            on: chain.chain
        )
    }

    /// Returns the preview of a transfer: what it sends and costs; signs nothing.
    ///
    /// - Parameters:
    ///   - wanted: What to send.
    ///   - receiver: The receiver that the caller means.
    ///   - account: The account that pays.
    /// - Returns: What is sent and paid, and what prevents it.
    /// - Throws: ``Refusal``: `bad_address`, `bad_amount`, or the chain's health.
    package func preview(
        _ wanted: Transfer,
        to receiver: ActionPreview.Receiver,
        of account: Address
    ) async throws -> ActionPreview {
        try chain.saleIndex.requireCurrent()
        var wanted = wanted
        wanted.to = receiver.account
        let transfer = wanted
        let ceiling = RequestedFees.current.ceiling
        var preview = ActionPreview(
            action: "send",
            chain: chain.chain.number,
            summary: "Money of your account goes to \(receiver.account).",
            receiver: receiver
        )
        try await preview.check { preview in
            let plan = try await plan(transfer, of: account, feeMax: ceiling)
            let amount = chain.text(plan.amount, in: plan.currency)
            preview.subject = plan.receiver.checksummed
            preview.summary = "\(amount) of your account go to \(plan.receiver.checksummed)."
            preview.pay("amount", plan.amount, plan.currency)
            try await preview.warn(about: plan, receiver, chain)
            if let quote = plan.fee {
                try preview.show(quote, on: chain.chain)
                preview.explanation.append("What the fee does not use stays in your account.")
            } else {
                try await chain.price([plan.step], from: account, in: &preview)
            }
            try await requireSuccess(plan, of: account)
        }
        preview.explanation.append("Nobody can bring the money back once it is sent.")
        return preview
    }
}

extension ActionPreview {
    fileprivate mutating func warn(
        about plan: TransferPlan,
        _ receiver: Receiver,
        _ chain: MarketChain
    ) async throws {
        if receiver.name != nil, !receiver.isHere, receiver.isNamedByCaller != true {
            warnings.append(
                "A contact chooses its name itself. Compare the address with the one that you have "
                    + "from the person."
            )
        }
        let code = try await chain.asking {
            try await chain.client.perform(.code(of: plan.receiver)).bytes
        }
        guard !code.isEmpty else { return }
        warnings.append(
            "The receiver is a contract, not a person's key. Its code decides what happens to the "
                + "money."
        )
    }
}
