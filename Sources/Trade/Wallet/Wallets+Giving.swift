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
    ///   - receiver: The receiver that the caller means.
    ///   - account: The account that owns it.
    /// - Returns: The gift, to preview or to begin. Its obstacles: `bad_address`, `not_allowed` if
    ///   the account does not own the token, `fee_above_limit`, `in_progress`, or the chain's
    ///   health.
    package nonisolated func give(
        _ gift: Gift,
        to receiver: ActionPreview.Receiver? = nil,
        by account: Address
    ) -> ProposedOperation {
        let receiver = receiver ?? ActionPreview.Receiver(account: gift.to)
        var given = gift
        given.to = receiver.account
        return ProposedOperation(.send, given, by: account, on: runner) { [given] in
            try await self.plan(giving: given, to: receiver, &$0)
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
                Sentence("wallet.give", ["token": token.decimal, "receiver": to.checksummed])
            ],
            receiver: receiver,
            explanation: [Sentence("wallet.giftIsFinal")]
        )
        try await plan.describe { preview in
            try await preview.warn(about: receiver, at: to, on: chain)
        }
        let item = ItemContract(address: chain.deployment.item.address)
        let call = item.transfer(token: token, from: plan.account, to: to)
        try await plan.check { plan in try await plan.send([Intent.Step(call)], on: chain) }
    }
}
