import Answers
package import Client
import Contracts
import Ethereum
package import Keys
import Market

/// Giving tokens away.
extension Wallets {
    /// Gives a token of an account to another account.
    ///
    /// - Parameters:
    ///   - gift: The token; its receiver is an address.
    ///   - account: The account that owns it.
    ///   - key: The caller's name for the call.
    ///   - feeMax: The maximum fee, in wei; `nil` for the present one.
    /// - Returns: The operation that carries it out.
    /// - Throws: ``Refusal``: `bad_address`, `not_allowed` if the account does not own the token,
    ///   `fee_above_limit`, `in_progress`, or the chain's health.
    package func give(
        _ gift: Gift,
        by account: Address,
        key: String,
        feeMax: String? = nil
    ) async throws -> Client.Operation {
        let request = try OperationRequest(.send, gift, by: account, key: key, feeMax: feeMax)
        let receiver = ActionPreview.Receiver(account: gift.to)
        return try await runner.begin(request) {
            try await plan(giving: gift, to: receiver, &$0)
        }
    }

    /// Returns the preview of a gift; signs nothing.
    ///
    /// - Throws: As ``give(_:by:key:feeMax:)``.
    package func preview(
        _ gift: Gift,
        to receiver: ActionPreview.Receiver,
        of account: Address
    ) async throws -> ActionPreview {
        var given = gift
        given.to = receiver.account
        let gift = given
        return try await PlannedOperation.preview(by: account) {
            try await plan(giving: gift, to: receiver, &$0)
        }
    }

    private func plan(
        giving gift: Gift,
        to receiver: ActionPreview.Receiver,
        _ plan: inout PlannedOperation
    ) async throws {
        try chain.saleIndex.requireCurrent()
        let to = try Address.entered(gift.to, field: "to")
        try chain.deployment.requireReceiver(to, of: plan.account)
        let token = try await chain.ownedToken(gift.token, of: plan.account)
        plan.preview = ActionPreview(
            action: "give",
            chain: chain.chain.number,
            subject: to.checksummed,
            summary: [
                Sentence(
                    "wallet.give",
                    ["token": token.decimal, "receiver": to.checksummed]
                )
            ],
            receiver: receiver,
            explanation: [Sentence("wallet.giftIsFinal")]
        )
        try await plan.describe { preview in
            if receiver.name != nil, receiver.isNamedByCaller != true {
                preview.warnings.append(Sentence("wallet.ownName"))
            }
            let code = try await chain.asking { try await chain.client.code(of: to) }
            if !code.isEmpty { preview.warnings.append(Sentence("wallet.receiverIsContract")) }
        }
        let item = ItemContract(address: chain.deployment.item.address)
        let call = item.transfer(token: token, from: plan.account, to: to)
        try await plan.check { plan in try await plan.send([Intent.Step(call)], on: chain) }
    }
}
