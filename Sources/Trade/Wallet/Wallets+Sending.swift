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
    ///   - receiver: The receiver that the caller means.
    ///   - account: The account that pays.
    /// - Returns: The transfer, to preview or to begin. Its obstacles: `bad_address`, `bad_amount`,
    ///   `insufficient_balance`, `contract_refused`, `fee_above_limit`, `in_progress`, or the
    ///   chain's health.
    package nonisolated func send(
        _ wanted: Transfer,
        to receiver: ActionPreview.Receiver? = nil,
        by account: Address
    ) -> ProposedOperation {
        let receiver = receiver ?? ActionPreview.Receiver(account: wanted.to)
        var transfer = wanted
        transfer.to = receiver.account
        return ProposedOperation(.send, transfer, by: account, on: runner) { [transfer] in
            try await self.plan(sending: transfer, to: receiver, &$0)
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
                try await preview.warn(about: receiver, at: transfer.receiver, on: chain)
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
    /// Warns of a receiver that named itself, and of one that is a contract.
    mutating func warn(
        about receiver: Receiver,
        at address: Address,
        on chain: MarketChain
    ) async throws {
        if receiver.name != nil, receiver.isNamedByCaller != true {
            warnings.append(Sentence("wallet.ownName"))
        }
        let code = try await chain.asking { try await chain.client.code(of: address) }
        if !code.isEmpty { warnings.append(Sentence("wallet.receiverIsContract")) }
    }
}
