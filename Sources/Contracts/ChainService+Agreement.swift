import Logging
package import Market

/// Whether the contract says what a sale's events say.
package enum SaleAgreement: Equatable, Sendable {
    /// It does, as so many endpoints answer.
    case agreed(endpoints: Int)
    /// It does not: events are missing or invented. They are read again.
    case differs
    /// Two endpoints answer differently for the contract itself.
    case disputed([EndpointName])
    /// The second endpoint has not the block yet.
    case pending
}

extension ChainService {
    /// Compares the fold of a sale's events with the contract's own answer, before money is moved.
    ///
    /// Logs that an endpoint leaves out are noticed by this alone. Another endpoint is asked than
    /// the one that told the events. If they differ, that one is mistrusted and all events are read
    /// again, from another one if there is one.
    ///
    /// - Parameters:
    ///   - state: The fold, or `nil` if no event names the sale.
    ///   - id: The sale.
    ///   - escrow: The contract.
    ///   - block: Up to which block, itself included, the events were folded.
    /// - Returns: Whether they agree; if not, no money may move.
    /// - Throws: ``EthereumError`` if the chain cannot be asked, also if the block is gone.
    package func agreement(
        on state: SaleState?,
        of id: SaleID,
        in escrow: EscrowContract,
        at block: BlockID
    ) async throws -> SaleAgreement {
        let teller = try await client.session()
        var place = block
        // Where nothing happened to the sale since, the last block that both have says the same.
        if let confirmed = ledger.confirmed, confirmed.number < block.number,
            let last = state?.position.blockNumber, last <= confirmed.number
        {
            place = confirmed
        }
        let told = ledger.teller(of: place.number) ?? teller.name
        guard configuration.endpoints.count > 1,
            let second = try await client.another(than: [told])
        else {
            let isSame = try await holds(state, of: id, in: escrow, at: block, as: teller)
            return isSame ? .agreed(endpoints: 1) : await differs(id, told: teller)
        }
        guard try await second.perform(.block(.hash(place.hash)))?.id == place else {
            return .pending
        }
        if try await holds(state, of: id, in: escrow, at: place, as: second) {
            return .agreed(endpoints: 2)
        }
        guard let first = try await client.session(of: told) else {
            return await differs(id, told: teller)
        }
        if try await holds(state, of: id, in: escrow, at: place, as: first) {
            return .disputed([first.name, second.name])
        }
        return await differs(id, told: first)
    }

    private func holds(
        _ state: SaleState?,
        of id: SaleID,
        in escrow: EscrowContract,
        at block: BlockID,
        as session: EndpointSession
    ) async throws -> Bool {
        switch (try await session.ask(escrow.sale(id), at: .hash(block.hash)), state) {
        case (nil, nil): true
        case (.some(let held), .some(let state)): held.agrees(with: state)
        case (.some, nil), (nil, .some): false
        }
    }

    private func differs(_ id: SaleID, told session: EndpointSession) async -> SaleAgreement {
        logger.error("events and contract differ", metadata: ["sale": "\(id.hash)"])
        await client.mistrust(session, because: "events are missing")
        startOver()
        return .differs
    }
}

extension EndpointSession {
    /// Answers a binding's question at a block, as this endpoint has it.
    ///
    /// - Throws: As ``ChainClient/ask(_:from:at:)``.
    func ask<Answer>(_ query: ContractQuery<Answer>, at block: BlockTag) async throws -> Answer {
        let call = query.call
        let request = CallRequest(to: call.to, value: call.value, data: call.data)
        do {
            return try query.decode(try await perform(.call(request, at: block)).bytes)
        } catch EthereumError.refused(_, let refusal) where refusal.isRevert {
            throw PreflightError.refused(refusal.reason)
        }
    }
}
