import Answers
package import Client
package import Ethereum
package import Keys
package import Market

/// A sale as of the newest block, and how far it can be relied on.
package struct SaleView: Sendable {
    package let sale: Market.Sale
    /// Confirmations of the last event, such as a bid, at most as many as needed.
    ///
    /// Fewer than needed as long as a second endpoint has to confirm one of the sale's events.
    package let confirmations: UInt64
    package let confirmationsNeeded: UInt64
    /// Like ``confirmations``, for the last event that changed the possible moves.
    ///
    /// Moves wait for these. Offers to settle do not count: a party could make one in every block,
    /// and no move of the other party would ever open.
    private let changeConfirmations: UInt64
    /// Why its events cannot be complete, if they cannot.
    package let fault: SaleFault?
    /// The newest block that this state includes.
    package let block: BlockID?
    /// The number of endpoints that have all its events.
    package let confirmedBy: Int
    /// How far a second endpoint confirms the chain.
    package let sources: SourceStatus
    /// Whether one endpoint has an event of the sale that another one does not have.
    ///
    /// That event is left out here, and no later event of the sale is final.
    package let isDisputed: Bool
    /// Whether its last event is as deep as a final one, no matter which endpoint confirms it.
    private let isDeep: Bool

    init(_ sale: Market.Sale, in book: SaleBook) {
        let id = sale.id
        self.sale = sale
        let depth = book.confirmations(ofHeight: sale.changedAt.blockNumber)
        confirmationsNeeded = book.confirmations
        confirmations =
            book.isSettledWholly(id)
            ? book.confirmations
            : min(book.confirmations(ofHeight: sale.position.blockNumber), book.confirmations - 1)
        changeConfirmations =
            book.isSettled(id) ? book.confirmations : min(depth, book.confirmations - 1)
        isDeep = depth == book.confirmations
        fault = book.faults[id]
        block = book.applied
        sources = book.sources
        confirmedBy = book.isConfirmed(id) ? book.sources.needed : 1
        isDisputed = book.isDisputed(id)
    }

    /// Whether every event that changed the possible moves is final.
    package var isFinal: Bool { changeConfirmations == confirmationsNeeded }

    /// Whether a move has to rest on one endpoint, because no second one answers.
    package var restsOnOneSource: Bool { sources.state == .away }

    /// Returns whether the sale can be answered: it is final, or the account itself moved last.
    ///
    /// A disputed sale can be answered once it is deep enough:
    /// ``MarketChain/confirm(_:acceptsOneSource:)`` then requires that two endpoints' contracts
    /// confirm the shown state.
    ///
    /// - Parameters:
    ///   - account: The account that answers.
    ///   - acceptsOneSource: Whether the account accepts one endpoint's answer while no second one
    ///     answers.
    /// - Returns: `false` as long as an endpoint that is needed has not confirmed it.
    package func isAnswerable(by account: Address, acceptsOneSource: Bool) -> Bool {
        let takesOne = acceptsOneSource && restsOnOneSource
        if isFinal || ((takesOne || isDisputed) && isDeep) { return true }
        return sale.state.lastMover == account
            && (confirmedBy == sources.needed || takesOne || isDisputed)
    }

    /// Refuses if the sale cannot be answered yet; see ``isAnswerable(by:acceptsOneSource:)``.
    func requireAnswerable(by account: Address, acceptsOneSource: Bool) throws(Refusal) {
        guard !isAnswerable(by: account, acceptsOneSource: acceptsOneSource) else { return }
        if isAnswerable(by: account, acceptsOneSource: true) {
            throw .oneSource(on: sale.reference.contract.chain)
        }
        throw Refusal(
            .notFinalYet,
            Sentence(
                isDeep ? "refusal.needsSecond" : "refusal.notFinalYet",
                ["count": "\(changeConfirmations)", "needed": "\(confirmationsNeeded)"]
            ),
            retryAfter: .seconds(5)
        )
    }

    /// The warnings for a person who relies on the sale.
    package var warnings: [Sentence] {
        var warnings = sources.warnings
        if isDisputed {
            warnings.append(Sentence("chain.eventDisputed"))
        }
        return warnings
    }
}

extension SourceStatus {
    /// The warnings for a person who relies on the endpoints.
    ///
    /// That only one is configured is the operator's choice, and the same for each sale: the status
    /// of the chain says it.
    package var warnings: [Sentence] {
        switch state {
        case .confirming, .single: []
        case .away: [Sentence("chain.endpointAway")]
        case .disagreeing(let names):
            [
                Sentence(
                    "chain.endpointsDiffer",
                    ["endpoints": names.map(\.description).joined(separator: ", ")]
                )
            ]
        }
    }
}
