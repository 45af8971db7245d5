package import Client
import Contracts
package import Keys
package import Market

extension EscrowSales {
    /// How long before a deadline a move is no longer started, because it might be mined too late.
    private static let margin = Duration.seconds(600)
    /// How long a proposed settlement can be agreed to.
    private static let settlementWindow = Duration.days(3)

    package func actions(
        in sale: Market.Sale,
        for account: Address,
        at time: ChainTime
    ) -> [SaleAction] {
        state(of: sale).actions(for: account, at: time).moves.map { open in
            SaleAction(
                move: EscrowMoveName(open.move).rawValue,
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
                "'buy' is not a move: a purchase names the listing, so that its price is checked.",
                field: "move"
            )
        }
        guard request.accepts == nil || name == .settle else {
            throw Refusal(.malformedValue, "Only 'settle' accepts a proposal.", field: "accepts")
        }
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
        guard !wanted.isEmpty else { throw notOpen(name, state, open, account) }
        try requireAnswerable()
        let agreed = wanted.first {
            if case .agree(let proposal) = $0.move { proposal.share == share } else { false }
        }
        let plain = wanted.first { if case .agree = $0.move { false } else { true } }
        if let accepts = request.accepts, accepts != (agreed != nil) {
            throw .proposalChanged(accepts: accepts)
        }
        guard let chosen = agreed ?? plain else { throw notOpen(name, state, open, account) }
        if let end = chosen.before, time.advanced(by: Self.margin) >= end {
            throw Refusal(
                .moveNotOpen,
                "'\(name.rawValue)' closes in less than ten minutes; it might be mined too late."
            )
        }
        let settleBy = time.advanced(by: Self.settlementWindow)
        return PlannedMove(
            name: name.rawValue,
            call: call(chosen.move, share, until: settleBy, in: state),
            preview: EscrowMovePreview(
                state: state,
                move: chosen.move,
                share: share,
                account: account,
                time: time,
                settleBy: settleBy
            ).preview
        )
    }

    private func share(
        of request: Client.SaleMove,
        for name: EscrowMoveName
    ) throws(Refusal) -> SellerShare {
        guard name == .settle || name == .rule else { return .none }
        guard let points = request.share, let share = SellerShare(basisPoints: points) else {
            throw Refusal(
                .malformedValue,
                "Enter the seller's share of the price in basis points, from 0 to 10000.",
                field: "share"
            )
        }
        return share
    }

    private func notOpen(
        _ name: EscrowMoveName,
        _ state: EscrowSale,
        _ open: [EscrowOpenMove],
        _ account: Address
    ) -> Refusal {
        if state.role(of: account) == .stranger {
            return Refusal(
                .notYourSale,
                "Only the parties of this sale can '\(name.rawValue)' now, and this account is "
                    + "not one of them."
            )
        }
        let names = open.map { EscrowMoveName($0.move).rawValue }
        let rest =
            names.isEmpty
            ? "nothing is open to you now"
            : "open to you: \(names.reduced.joined(separator: ", "))"
        return Refusal(
            .moveNotOpen,
            "'\(name.rawValue)' is not open: the sale is \(state.status.name); \(rest).",
            field: "move"
        )
    }

    private func call(
        _ move: EscrowMove,
        _ share: SellerShare,
        until settleBy: ChainTime,
        in state: EscrowSale
    ) -> ContractCall {
        let id = state.reference.id
        return switch move {
        case .abort: contract.abort(id)
        case .buy: contract.buy(id, terms: state.terms)
        case .transferItem: contract.transferItem(id)
        case .confirm: contract.confirm(id)
        case .refund: contract.refund(id)
        case .dispute: contract.dispute(id)
        case .claim: contract.claim(id)
        case .executeDefault: contract.executeDefault(id)
        case .rule: contract.rule(id, share: share)
        case .agree(let proposal):
            contract.settle(id, share: proposal.share, settleBy: proposal.settleBy)
        case .proposeSettlement: contract.settle(id, share: share, settleBy: settleBy)
        }
    }
}

/// The API's names of an escrow sale's moves.
enum EscrowMoveName: String, CaseIterable, Sendable {
    case buy, transfer, confirm, abort, refund, dispute, claim, settle, rule
    case executeDefault = "execute_default"

    init(_ move: EscrowMove) {
        self =
            switch move {
            case .buy: .buy
            case .transferItem: .transfer
            case .confirm: .confirm
            case .abort: .abort
            case .refund: .refund
            case .dispute: .dispute
            case .claim: .claim
            case .proposeSettlement, .agree: .settle
            case .rule: .rule
            case .executeDefault: .executeDefault
            }
    }

    init(entered text: String) throws(Refusal) {
        guard let name = Self(rawValue: text) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal(
                .malformedValue,
                "There is no move \(text.quoted). The moves are \(names).",
                field: "move"
            )
        }
        self = name
    }
}

extension Refusal {
    /// Refuses a settlement that would do something other than its sender was shown.
    fileprivate static func proposalChanged(accepts: Bool) -> Refusal {
        Refusal(
            .moveNotOpen,
            accepts
                ? "There is no proposal of this share to accept any more: it has been replaced, or "
                    + "its time is over. Nothing was signed. Look at the sale again."
                : "The other side has now proposed this very share: to settle would accept it and "
                    + "end the sale. Nothing was signed. Look at the sale again.",
            field: "accepts"
        )
    }
}

extension [String] {
    /// Each element once, in the order of first occurrence.
    fileprivate var reduced: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
