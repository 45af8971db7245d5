package import Client
import Contracts
import Ethereum
package import Keys
import Market

extension Wallets {
    /// Sends money of an account to another account.
    ///
    /// - Parameters:
    ///   - wanted: The transfer; its receiver is an address.
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
        let request = try OperationRequest(.send, wanted, by: account, key: key, feeMax: feeMax)
        let receiver = ActionPreview.Receiver(account: wanted.to)
        return try await runner.begin(request) {
            try await plan(sending: wanted, to: receiver, &$0)
        }
    }

    /// Returns the preview of a transfer: its amount and cost; signs nothing.
    ///
    /// - Parameters:
    ///   - wanted: The transfer.
    ///   - receiver: The receiver that the caller means.
    ///   - account: The account that pays.
    /// - Returns: The amounts sent and paid, and the obstacles.
    /// - Throws: ``Refusal``: `bad_address`, `bad_amount`, or the chain's health.
    package func preview(
        _ wanted: Transfer,
        to receiver: ActionPreview.Receiver,
        of account: Address
    ) async throws -> ActionPreview {
        var wanted = wanted
        wanted.to = receiver.account
        let transfer = wanted
        return try await PlannedOperation.preview(by: account) {
            try await plan(sending: transfer, to: receiver, &$0)
        }
    }

    private func plan(
        sending wanted: Transfer,
        to receiver: ActionPreview.Receiver,
        _ plan: inout PlannedOperation
    ) async throws {
        try chain.saleIndex.requireCurrent()
        plan.preview = ActionPreview(
            action: "send",
            chain: chain.chain.number,
            summary: [Sentence("wallet.sendAny", ["receiver": receiver.account])],
            receiver: receiver
        )
        try await plan.check { plan in
            let transfer = try await transfer(wanted, of: plan.account, feeMax: plan.feeMax)
            plan.preview.subject = transfer.receiver.checksummed
            try await plan.describe { preview in
                let amount = transfer.amount.value(in: transfer.currency, on: chain.chain)
                preview.summary = [
                    Sentence(
                        "wallet.send",
                        ["amount": amount, "receiver": transfer.receiver.checksummed],
                        in: chain.deployment.registry
                    )
                ]
                preview.pay("amount", transfer.amount, transfer.currency)
                try await preview.warn(about: transfer, receiver, chain)
            }
            try await plan.send([transfer.step], quote: transfer.fee, on: chain)
            if transfer.fee != nil, plan.fees != nil {
                plan.preview.explanation.append(Sentence("wallet.unusedFee"))
            }
            try await requireSuccess(transfer, of: plan.account)
        }
        plan.preview.explanation.append(Sentence("wallet.isFinal"))
    }
}

extension ActionPreview {
    fileprivate mutating func warn(
        about plan: TransferPlan,
        _ receiver: Receiver,
        _ chain: MarketChain
    ) async throws {
        if receiver.name != nil, receiver.isNamedByCaller != true {
            warnings.append(Sentence("wallet.ownName"))
        }
        let code = try await chain.asking {
            try await chain.client.code(of: plan.receiver)
        }
        guard !code.isEmpty else { return }
        warnings.append(Sentence("wallet.receiverIsContract"))
    }
}
