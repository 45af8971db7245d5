package import Keys

/// A sale of any kind: what all kinds have in common, its history, and the state of its kind.
package struct Sale: Sendable {
    /// The state of its kind, which has all other details.
    package private(set) var state: any SaleState
    /// The moves so far, oldest first; at most ``SaleLimits/stepsMax``.
    package private(set) var history: [SaleStep]
    /// The position of the last event that changed the possible moves.
    ///
    /// The next move waits until this event is final, but it does not wait for offers, which a
    /// party can repeat in every block.
    package private(set) var changedAt: EventPosition

    package init(_ state: any SaleState, history: [SaleStep] = []) {
        (self.state, self.history) = (state, history)
        changedAt = state.position
    }

    package var kind: SaleKind { type(of: state).kind }
    package var reference: SaleReference { state.reference }
    package var id: SaleID { state.reference.id }
    package var status: any SaleStatus { state.status }
    package var stage: SaleStage { state.status.stage }
    package var since: ChainTime { state.since }
    package var listedAt: EventPosition { state.listedAt }
    package var position: EventPosition { state.position }
    package var seller: Address { state.seller }
    package var buyer: Address? { state.buyer }
    package var parties: [Address] { state.parties }
    package var concerned: [Address] { state.concerned }
    package var price: Amount { state.price }
    package var currency: Currency { state.currency }
    /// Returns whether an account can review the sale, and the facts that a review must state.
    package func reviewRight(of account: Address) -> ReviewRight { state.reviewRight(of: account) }

    /// As ``reviewRight(of:)``, for one round of a sale with rounds.
    package func reviewRight(of account: Address, round: UInt64) -> ReviewRight {
        state.reviewRight(of: account, round: round)
    }

    /// Returns whether somebody can buy at `time`.
    package func isOffered(at time: ChainTime) -> Bool { state.isOffered(at: time) }

    /// Returns whether it sells the token that its own maker has made for an identifier.
    package func sellsToken(of identifier: ItemIdentifier) -> Bool {
        guard state.item != nil, let maker = state.maker else { return false }
        return identifier.contentHash(madeBy: maker) == state.contentHash
    }

    /// Whether the seller has handed the item over.
    package var isHandedOver: Bool { state.isHandedOver }

    /// Returns whether the seller has to send the item at `time`, and so needs the buyer's address.
    package func needsAddress(at time: ChainTime) -> Bool { state.needsAddress(at: time) }

    /// The accounts that read the notes of each other's moves: seller, buyer, and an arbiter who
    /// took the case; nobody as long as there is no buyer.
    package var correspondents: [Address] {
        guard buyer != nil else { return [] }
        return parties.filter { [.seller, .buyer, .arbiter].contains(role(of: $0)) }
    }

    /// The named arbiter, who has not taken the case.
    package var idleArbiter: Address? {
        concerned.first { role(of: $0) == .arbiter && !parties.contains($0) }
    }

    /// Returns whether the account acted in this sale.
    package func isParty(_ account: Address) -> Bool { state.isParty(account) }

    package func role(of account: Address) -> SaleRole { state.role(of: account) }

    /// Returns the accounts to notify of an event that was just applied, each with its role in it;
    /// also the only account that can buy.
    package func audience(of event: any SaleEvent) -> [Address: SaleRole] {
        let told = state.told(of: event)
        guard let reservation = state.offer?.offer.reservation else { return told }
        return told.merging([reservation.buyer: .buyer]) { known, _ in known }
    }

    /// Applies the next event of this sale.
    ///
    /// - Returns: The money that the contract took with it.
    /// - Throws: If the contract could not have emitted it here; the sale is unchanged.
    mutating func apply(_ event: any SaleEvent) throws(SaleFault) -> Amount {
        let taken = try state.fold(event)
        if event.changesMoves { changedAt = event.position }
        note(event)
        return taken
    }

    mutating func note(_ event: any SaleEvent) {
        guard let move = state.move(of: event) else { return }
        if history.count >= SaleLimits.stepsMax {
            // Offers to settle must not displace the parties' actions.
            history.remove(at: history.firstIndex { !$0.changesMoves } ?? 1)
        }
        let position = event.position
        history.append(
            SaleStep(
                move: move,
                changesMoves: event.changesMoves,
                time: position.time,
                transaction: position.transaction
            )
        )
    }
}

extension SaleState {
    fileprivate mutating func fold(_ event: any SaleEvent) throws(SaleFault) -> Amount {
        guard let event = event as? Event else { throw .otherKind }
        try apply(event)
        return taken(with: event)
    }

    fileprivate func told(of event: any SaleEvent) -> [Address: SaleRole] {
        (event as? Event).map { audience(of: $0) } ?? [:]
    }

    fileprivate func move(of event: any SaleEvent) -> ReportedMove? {
        (event as? Event).flatMap { move(reportedBy: $0) }
    }
}
