package import Answers
package import Client
import Contracts
import Ethereum
package import Keys
package import Market
import Setup

extension EscrowSales {
    /// How long a proposal stands if its sender does not say.
    private static let proposalWindow = Duration.days(3)

    package func actions(
        in sale: Market.Sale,
        for account: Address,
        at time: ChainTime
    ) -> [SaleAction] {
        state(of: sale).actions(for: account, at: time).moves.map { open in
            SaleAction(
                move: EscrowMoveName(open.move).rawValue,
                share: open.move.proposal?.share.basisPoints,
                until: open.before?.date,
                consequence: open.consequence
            )
        }
    }

    package func check(_ request: Client.SaleMove) throws(Refusal) {
        let name = try EscrowMoveName(entered: request.move)
        guard name != .buy else {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.purchaseIsNoMove", ["move": name.rawValue.quoted]),
                field: "move"
            )
        }
        guard request.until == nil || name == .propose else {
            throw Refusal(.malformedValue, Sentence("refusal.onlyProposeUntil"), field: "until")
        }
        try request.requireNoDetails()
        _ = try share(of: request, for: name)
    }

    package func move(
        _ request: Client.SaleMove,
        in sale: Market.Sale,
        by account: Address,
        at time: ChainTime,
        requireAnswerable: () throws(Refusal) -> Void
    ) throws(Refusal) -> PlannedMove {
        let state = state(of: sale)
        let name = try EscrowMoveName(entered: request.move)
        let share = try share(of: request, for: name)
        let open = state.actions(for: account, at: time).moves
        let wanted = open.filter { EscrowMoveName($0.move) == name }
        guard !wanted.isEmpty else { throw notOpen(name, state, open, account, at: time) }
        try requireAnswerable()
        let chosen = wanted.first { open in
            open.move.proposal.map { $0.share == share } ?? true
        }
        guard let chosen else { throw .otherProposal(wanted.compactMap(\.move.proposal).first) }
        try ItemSales.requireTime(for: chosen, name.rawValue, at: time)
        let until = try end(of: request, at: time)
        return PlannedMove(
            call: call(chosen.move, share, until: until, in: state),
            preview: EscrowMovePreview(
                state: state,
                move: chosen.move,
                share: share,
                account: account,
                time: time,
                until: until
            ).preview
        )
    }

    /// Returns until when a proposal stands, by default for three days.
    private func end(
        of request: Client.SaleMove,
        at time: ChainTime
    ) throws(Refusal) -> ChainTime {
        guard let seconds = request.until else {
            return time.advanced(by: Self.proposalWindow)
        }
        let until = ChainTime(seconds: seconds)
        guard until > time.advanced(by: ItemSales.margin),
            until <= time.advanced(by: EscrowLimits.proposalMax)
        else {
            throw Refusal(.malformedValue, Sentence("refusal.proposalRange"), field: "until")
        }
        return until
    }

    private func share(
        of request: Client.SaleMove,
        for name: EscrowMoveName
    ) throws(Refusal) -> SellerShare {
        guard [.propose, .agree, .rule].contains(name) else { return .none }
        guard let points = request.share, let share = SellerShare(basisPoints: points) else {
            throw Refusal(.malformedValue, Sentence("refusal.giveShare"), field: "share")
        }
        return share
    }

    private func notOpen(
        _ name: EscrowMoveName,
        _ state: EscrowSale,
        _ open: [EscrowOpenMove],
        _ account: Address,
        at time: ChainTime
    ) -> Refusal {
        let others = [state.seller, state.buyer, state.terms.arbiter].compactMap { $0 }
        let isOpenToParty = others.contains { party in
            state.actions(for: party, at: time).moves.contains { EscrowMoveName($0.move) == name }
        }
        if state.role(of: account) == .stranger, isOpenToParty || !name.isForEverybody {
            return Refusal(
                .notYourSale,
                Sentence(
                    name.isForEverybody ? "refusal.noPartyNow" : "refusal.noParty",
                    ["move": name.rawValue]
                ),
                field: "move"
            )
        }
        let next = state.nextDeadline(after: time)
        let refusal = Refusal.notOpen(
            name.rawValue,
            of: state,
            at: next.flatMap { $0.effect.opens(name) ? $0.at : nil },
            instead: open.map { EscrowMoveName($0.move).rawValue },
            last: state.status == .paid ? EscrowMoveName.confirm.rawValue : nil
        )
        guard name == .dispute, state.status == .disputed, state.isParty(account) else {
            return refusal
        }
        let more = Sentence("refusal.proposeCarriesNote")
        return Refusal(.moveNotOpen, (refusal.reason ?? []) + [more], field: "move")
    }

    private func call(
        _ move: EscrowMove,
        _ share: SellerShare,
        until: ChainTime,
        in state: EscrowSale
    ) -> ContractCall {
        let offer = state.listing.offer
        return switch move {
        case .abort: contract.abort(offer)
        case .buy: contract.buy(offer)
        case .decline: contract.decline(offer)
        case .relist: contract.relist(offer)
        case .transferItem: contract.transferItem(offer)
        case .confirm: contract.confirm(offer)
        case .refund: contract.refund(offer)
        case .dispute: contract.dispute(offer)
        case .claim: contract.claim(offer)
        case .executeDefault: contract.executeDefault(offer)
        case .take: contract.take(offer)
        case .rule: contract.rule(offer, share: share)
        case .propose:
            contract.propose(offer, share: share, until: until, feeDue: state.feeDue)
        case .withdrawProposal: contract.withdrawProposal(offer)
        case .agree(let proposal):
            contract.agree(offer, share: proposal.share, feeDue: state.feeDue)
        }
    }
}

extension EscrowMove {
    /// The proposal that the move accepts; `nil` for another move.
    fileprivate var proposal: SettlementProposal? {
        if case .agree(let proposal) = self { proposal } else { nil }
    }
}

/// The API's names of an escrow sale's moves.
enum EscrowMoveName: String, CaseIterable, Sendable {
    case buy, abort, decline, relist, transfer, confirm, refund, dispute, claim, propose
    case withdrawProposal = "withdraw_proposal"
    case agree, take, rule
    case executeDefault = "execute_default"

    init(_ move: EscrowMove) {
        self =
            switch move {
            case .buy: .buy
            case .decline: .decline
            case .relist: .relist
            case .transferItem: .transfer
            case .confirm: .confirm
            case .abort: .abort
            case .refund: .refund
            case .dispute: .dispute
            case .claim: .claim
            case .propose: .propose
            case .withdrawProposal: .withdrawProposal
            case .agree: .agree
            case .take: .take
            case .rule: .rule
            case .executeDefault: .executeDefault
            }
    }

    /// Whether anybody can make the move from some time on.
    var isForEverybody: Bool {
        switch self {
        case .buy, .abort, .refund, .claim, .executeDefault: true
        case .decline, .relist, .transfer, .confirm, .dispute, .propose, .withdrawProposal, .agree,
            .take, .rule:
            false
        }
    }

    init(entered text: String) throws(Refusal) {
        guard let name = Self(rawValue: text) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal(
                .malformedValue,
                Sentence("refusal.unknownMove", ["move": text.quoted, "moves": names]),
                field: "move"
            )
        }
        self = name
    }
}

extension Refusal {
    /// Refuses to agree to a share that the other side does not propose, but another one.
    fileprivate static func otherProposal(_ standing: SettlementProposal?) -> Refusal {
        let proposed = standing.map {
            Sentence("refusal.proposedShare", ["share": $0.share.value])
        }
        return Refusal(
            .moveNotOpen,
            [Sentence("refusal.shareNotProposed"), proposed, Sentence("refusal.nothingSigned")]
                .compactMap(\.self),
            field: "share"
        )
    }
}

extension EscrowDeadlineEffect {
    /// Whether this opens the move to anybody.
    fileprivate func opens(_ name: EscrowMoveName) -> Bool {
        switch self {
        case .offerEnds: name == .abort
        case .refundOpens: name == .refund
        case .claimOpens: name == .claim
        case .defaultOpens: name == .executeDefault
        }
    }
}
