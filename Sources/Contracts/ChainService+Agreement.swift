package import Ethereum
import Logging
package import Market

/// Whether a sale's events agree with the contract's own answer.
package enum SaleAgreement: Equatable, Sendable {
    /// They agree, according to this number of endpoints.
    case agreed(endpoints: Int)
    /// They do not, according to two endpoints or to the one that delivered them: events are
    /// missing or invented. The follower reads them again.
    case differs
    /// One endpoint contradicts the events, and no other one bears that out.
    case disputed([EndpointName])
    /// The second endpoint does not have the block yet.
    case pending
}

extension ChainService {
    /// Compares the fold of a sale's events with the contract's own answer, before money moves.
    ///
    /// Only this check finds logs that an endpoint leaves out. Endpoints other than the source of
    /// the events are asked, until two of three agree. One that contradicts the fold alone decides
    /// nothing. If the fold is wrong, its source is named and,
    /// if there is another endpoint, mistrusted; the logs of the sale's contract are read again
    /// from the sale's last known event on, and all events from the first block that differs.
    ///
    /// - Parameters:
    ///   - sale: The fold, or `nil` if no event names the sale.
    ///   - id: The sale.
    ///   - contract: The contract.
    ///   - block: The last block whose events were folded.
    ///   - isDisputed: Whether endpoints differ about the sale's events. Then the source of the
    ///     events is asked like every other endpoint, and two must confirm the fold.
    /// - Returns: Whether they agree; if not, no money may move.
    /// - Throws: ``EthereumError`` if the chain cannot be asked, or no longer has the block.
    package func agreement(
        on sale: Sale?,
        of id: SaleID,
        in contract: any SaleContract,
        at block: BlockID,
        isDisputed: Bool = false
    ) async throws -> SaleAgreement {
        var place = block
        // If the sale has no later event, the last confirmed block has the same state of it.
        if !isDisputed, let confirmed = ledger.confirmed, confirmed.number < block.number,
            let last = sale?.position.blockNumber, last <= confirmed.number
        {
            place = confirmed
        }
        let best = try await client.session()
        let deliverer = ledger.source(of: place.number) ?? best.name
        var votes = SaleVotes(state: sale?.state, query: contract.stored(id), place: place)
        try await gather(&votes, but: isDisputed ? [] : [deliverer], needed: isDisputed ? 2 : 1)
        if isDisputed { return await agreement(disputed: votes) }
        if votes.yes.count == 1 {
            for session in votes.no { await client.mistrust(session, because: Self.otherSale) }
            return .agreed(endpoints: 2)
        }
        guard let other = votes.no.first else {
            // An endpoint that is far behind will not have the block soon: one answer is enough.
            if votes.isPending, sourceState != .away { return .pending }
            let (source, found) = try await answer(to: votes.query, at: block)
            if votes.isSame(found) { return .agreed(endpoints: 1) }
            guard source.name == deliverer else { return .disputed([deliverer, source.name]) }
            return await differs(sale, id, in: contract, source: source)
        }
        let first = try await client.session(of: deliverer)
        if votes.no.count < 2 {
            guard let first, try await contradictsItself(first, votes) else {
                return .disputed([deliverer, other.name])
            }
        }
        return await differs(sale, id, in: contract, source: first)
    }

    /// Returns whether the endpoint that delivered the events says that the contract has another
    /// state than they have.
    private func contradictsItself(
        _ deliverer: EndpointSession,
        _ votes: SaleVotes
    ) async throws -> Bool {
        do {
            let found = try await deliverer.ask(votes.query, at: .hash(votes.place.hash))
            return !votes.isSame(found)
        } catch let error where SaleAnswer.isMissing(error) {
            return false
        }
    }

    /// Asks for a sale until one endpoint gives an answer that the contract can give.
    private func answer(
        to query: ContractQuery<(any ContractSale)?>,
        at block: BlockID
    ) async throws -> (source: EndpointSession, found: (any ContractSale)?) {
        var asked: Set<EndpointName> = []
        var failure: any Error = EthereumError.noEndpoint(configuration.chain)
        while let session = try await client.another(than: asked) {
            asked.insert(session.name)
            do {
                return (session, try await session.ask(query, at: .hash(block.hash)))
            } catch let error where SaleAnswer.isMissing(error) {
                failure = error
            }
        }
        throw failure
    }

    private static let otherSale = "two others have another state of a sale"

    /// Asks endpoints until `needed` of them confirm the fold, or two give the same other answer.
    private func gather(
        _ votes: inout SaleVotes,
        but names: Set<EndpointName>,
        needed: Int
    ) async throws {
        guard configuration.endpoints.count > 1 else { return }
        var asked = names
        while votes.yes.count < needed, votes.no.count < 2,
            let other = try await client.another(than: asked)
        {
            asked.insert(other.name)
            do {
                let known = try await other.perform(.block(.hash(votes.place.hash)))
                guard known?.id == votes.place else {
                    votes.isPending = true
                    continue
                }
                votes.take(try await other.ask(votes.query, at: .hash(votes.place.hash)), of: other)
            } catch is UnreadableAnswer {
                await client.mistrust(other, because: "a sale that no contract can answer")
            } catch let error where SaleAnswer.isMissing(error) {
                continue
            }
        }
    }

    private func agreement(disputed votes: SaleVotes) async -> SaleAgreement {
        if votes.yes.count > 1 {
            for session in votes.no { await client.mistrust(session, because: Self.otherSale) }
            return .agreed(endpoints: 2)
        }
        if votes.no.isEmpty, votes.isPending { return .pending }
        let names = ledger.disputes.flatMap { [$0.source, $0.other].compactMap { $0 } }
        return .disputed(Set(names).sorted { $0.description < $1.description })
    }

    private func differs(
        _ sale: Sale?,
        _ id: SaleID,
        in contract: any SaleContract,
        source session: EndpointSession?
    ) async -> SaleAgreement {
        logFinding(
            "events and contract differ",
            about: "\(id.hash)",
            metadata: ["sale": "\(id.hash)"]
        )
        if let session {
            note(.stateDiffers(id.hash), by: session.name)
            // The only usable endpoint is kept: its next answer may be complete. Nor is one at
            // fault whose logs were read again and are those that were applied.
            if !repairs.isUnexplained(id.hash),
                (try? await client.another(than: [session.name])) != nil
            {
                await client.mistrust(session, because: "events are missing")
            }
        }
        repair(
            id.hash,
            in: contract.address,
            from: sale?.position.blockNumber,
            or: sale?.listedAt.blockNumber
        )
        return .differs
    }
}

/// The answers of several endpoints about one sale.
private struct SaleVotes {
    let state: (any SaleState)?
    let query: ContractQuery<(any ContractSale)?>
    let place: BlockID
    /// The endpoints that confirm the fold.
    var yes: [EndpointSession] = []
    /// The endpoints that contradict the fold, all with the same answer.
    var no: [EndpointSession] = []
    private var other: AnyHashable??
    /// Whether an endpoint does not have the block yet.
    var isPending = false

    init(
        state: (any SaleState)?,
        query: ContractQuery<(any ContractSale)?>,
        place: BlockID
    ) {
        (self.state, self.query, self.place) = (state, query, place)
    }

    func isSame(_ found: (any ContractSale)?) -> Bool {
        switch (found, state) {
        case (nil, nil): true
        case (.some(let held), .some(let state)): held.agrees(with: state)
        case (.some, nil), (nil, .some): false
        }
    }

    mutating func take(_ found: (any ContractSale)?, of session: EndpointSession) {
        let answer = found.map { AnyHashable($0) }
        if isSame(found) {
            yes.append(session)
        } else if other == nil || other == .some(answer) {
            other = .some(answer)
            no.append(session)
        }
    }
}
