import Gossip
import GossipProtocol
import Keys
import Logging
import Market
import Storage

/// Hands envelopes to the homes of their recipients.
extension MailSender {
    /// Offers the envelopes to every home that does not have them yet, all at once.
    ///
    /// - Returns: Whether a home refused some because it is asked too often.
    func deposit(_ outgoing: inout OutgoingMail, _ item: Item) async throws -> Bool {
        // An account whose homes cannot be read has no homes.
        let deposits = outgoing.deposits { (try? directory.homeLeases(of: $0)) ?? [] }
        let answered = await withTaskGroup(
            of: (HomeDeposit, [Bytes32: DepositAnswers.Answer]).self
        ) { group in
            for deposit in deposits {
                let turn = AskingPace.Deposit(
                    to: deposit.lease.peer,
                    by: item.name.account,
                    isOfSale: item.entry.destination.isOfSale,
                    costing: deposit.envelopes.count
                )
                group.addTask { (deposit, await self.answers(to: deposit, in: turn)) }
            }
            var answered: [(HomeDeposit, [Bytes32: DepositAnswers.Answer])] = []
            for await answer in group { answered.append(answer) }
            return answered
        }
        for (deposit, answers) in answered { outgoing.record(answers, to: deposit) }
        if outgoing.heldBy > 0 { outgoing.reason = nil }
        try Task.checkCancellation()
        return answered.contains { $0.1.values.contains(.refused(.tooOften)) }
    }

    /// Returns the home's answers, which may be missing for some or all of the envelopes.
    private func answers(
        to deposit: HomeDeposit,
        in turn: AskingPace.Deposit
    ) async -> [Bytes32: DepositAnswers.Answer] {
        let lease = deposit.lease
        let envelopes = deposit.envelopes.map(\.envelope)
        let answers = DepositAnswers()
        do {
            guard await client.canAsk(lease.peer) else { throw LinkError.notLinked(lease.peer) }
            let request = { () async throws in
                try await self.client.request(
                    lease,
                    own: deposit.isOwn,
                    within: self.settings.requestTimeMax
                ) { [exchange = self.exchange, grant = deposit.grant] in
                    try await exchange.deposit(envelopes, under: grant, at: lease.peer) {
                        answers.add($0, $1)
                    }
                }
            }
            // This node asks itself without a limit.
            if lease.peer == exchange.localPeer {
                try await request()
            } else {
                try await exchange.pacer.turn(of: turn, request)
            }
        } catch {
            logger.debug(
                "home not reached",
                metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
            )
        }
        return answers.all
    }
}
