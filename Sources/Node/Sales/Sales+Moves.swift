package import Client
import Contracts
package import Keys
import Market

extension Sales {
    /// How long before a deadline a move is no longer started, because it might be mined too late.
    private static let margin = Duration.seconds(600)
    /// How long a proposed settlement can be agreed to.
    private static let settlementWindow = Duration.days(3)

    /// Makes a move in a sale.
    ///
    /// - Parameters:
    ///   - id: The sale.
    ///   - request: The move.
    ///   - account: The account that makes the move.
    ///   - key: The caller's idempotency key.
    ///   - feeMax: The maximum fee, in wei; `nil` for the present fee.
    /// - Returns: The operation that carries it out.
    /// - Throws: ``Refusal``: `unknown_sale`, `malformed_value`, `not_your_sale`, `move_not_open`,
    ///   `not_final_yet`, `one_source`, `contract_refused`, `insufficient_balance`,
    ///   `fee_above_limit`, or the chain's health.
    package func move(
        _ id: String,
        _ request: Client.SaleMove,
        by account: Address,
        key: String,
        feeMax: String? = nil
    ) async throws -> Client.Operation {
        let asked = [id, request.move, request.text] + request.acceptance
        let operationRequest = try OperationRequest(
            .move,
            by: account,
            key: key,
            request: asked,
            feeMax: feeMax
        )
        if let known = try await runner.known(operationRequest) { return known }
        let moveRequest = try moveRequest(id, request)
        let acceptsOneSource = request.acceptsOneSource == true
        let move = try open(moveRequest, for: account, acceptsOneSource: acceptsOneSource)
        try await chain.confirm(moveRequest.view, acceptsOneSource: acceptsOneSource)
        let steps = [Intent.Step(call(move, moveRequest.share, in: moveRequest.view.state))]
        let fees = try await chain.agree(steps, to: feeMax, from: account)
        return try await runner.begin(
            operationRequest,
            subject: moveRequest.view.state.reference.id.description,
            plan: OperationPlan(
                purpose: moveRequest.name.rawValue,
                steps: steps,
                feesMax: fees?.limits
            ),
            fees: fees
        )
    }

    /// Returns the preview of a move, with the same checks as the move itself; signs nothing.
    ///
    /// Resting on one endpoint is no obstacle: the preview warns of it, and the account must accept
    /// it.
    ///
    /// - Throws: ``Refusal``: `unknown_sale`, `malformed_value`, `not_your_sale`, or the chain's
    ///   health. Everything else is an obstacle in words.
    package func preview(
        _ id: String,
        _ request: Client.SaleMove,
        by account: Address
    ) async throws -> ActionPreview {
        let moveRequest = try moveRequest(id, request)
        var preview = ActionPreview(
            action: moveRequest.name.rawValue,
            subject: moveRequest.view.state.reference.id.description,
            summary: "The sale is \(moveRequest.view.state.status.name)."
        )
        try await preview.check { preview in
            let move = try open(moveRequest, for: account, acceptsOneSource: true)
            let time = saleIndex.time ?? moveRequest.view.state.position.time
            preview =
                MovePreview(
                    state: moveRequest.view.state,
                    move: move,
                    share: moveRequest.share,
                    account: account,
                    time: time,
                    settleBy: time.advanced(by: Self.settlementWindow)
                ).preview
            try await chain.confirm(moveRequest.view, acceptsOneSource: true)
            let step = Intent.Step(call(move, moveRequest.share, in: moveRequest.view.state))
            try await chain.price([step], from: account, in: &preview)
        }
        preview.sale = ActionPreview.PreviewedSale(
            moveRequest.view.state,
            title: try store.foundListing(of: moveRequest.view.state)?.promise.title,
            to: account
        )
        preview.warnings += moveRequest.view.warnings
        preview.restsOnOneSource = moveRequest.view.restsOnOneSource
        return preview
    }

    /// A request for a move, parsed.
    private struct MoveRequest {
        let view: SaleView
        let name: MoveName
        let share: SellerShare
        /// For `settle`: whether it must accept a proposal or must make one; `nil` for either.
        let accepts: Bool?
    }

    private func moveRequest(_ id: String, _ request: Client.SaleMove) throws -> MoveRequest {
        try saleIndex.requireCurrent()
        let view = try view(id)
        let name = try Self.name(request)
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
        let share = try Self.share(request, for: name)
        return MoveRequest(view: view, name: name, share: share, accepts: request.accepts)
    }

    private static func name(_ request: Client.SaleMove) throws(Refusal) -> MoveName {
        guard let name = MoveName(rawValue: request.move) else {
            let names = MoveName.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal(
                .malformedValue,
                "There is no move \(request.move.quoted). The moves are \(names).",
                field: "move"
            )
        }
        return name
    }

    private static func share(
        _ request: Client.SaleMove,
        for name: MoveName
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

    /// Returns the move of that name, if it is open to `account` now.
    private func open(
        _ moveRequest: MoveRequest,
        for account: Address,
        acceptsOneSource: Bool
    ) throws(Refusal) -> EscrowMove {
        let (view, name) = (moveRequest.view, moveRequest.name)
        guard let time = saleIndex.time else { throw Refusal(.chainAway, "No block was seen yet.") }
        let all = view.state.actions(for: account, at: time).moves
        let wanted = all.filter { MoveName($0.move) == name }
        guard !wanted.isEmpty else { throw notOpen(name, view, all, account) }
        try view.requireAnswerable(by: account, acceptsOneSource: acceptsOneSource)
        let agreed = wanted.first {
            if case .agree(let proposal) = $0.move {
                proposal.share == moveRequest.share
            } else {
                false
            }
        }
        let plain = wanted.first { if case .agree = $0.move { false } else { true } }
        if let accepts = moveRequest.accepts, accepts != (agreed != nil) {
            throw .proposalChanged(accepts: accepts)
        }
        guard let chosen = agreed ?? plain else { throw notOpen(name, view, all, account) }
        if let end = chosen.before, time.advanced(by: Self.margin) >= end {
            throw Refusal(
                .moveNotOpen,
                "'\(name.rawValue)' closes in less than ten minutes; it might be mined too late."
            )
        }
        return chosen.move
    }

    private func notOpen(
        _ name: MoveName,
        _ view: SaleView,
        _ open: [OpenMove],
        _ account: Address
    ) -> Refusal {
        if view.state.role(of: account) == .stranger {
            return Refusal(
                .notYourSale,
                "Only the parties of this sale can '\(name.rawValue)' now, and this account is "
                    + "not one of them."
            )
        }
        let names = open.map { MoveName($0.move).rawValue }
        let rest =
            names.isEmpty
            ? "nothing is open to you now"
            : "open to you: \(names.reduced.joined(separator: ", "))"
        return Refusal(
            .moveNotOpen,
            "'\(name.rawValue)' is not open: the sale is \(view.state.status.name); \(rest).",
            field: "move"
        )
    }

    private func call(
        _ move: EscrowMove,
        _ share: SellerShare,
        in state: EscrowSale
    ) -> ContractCall {
        let (escrow, id) = (chain.escrow, state.reference.id)
        switch move {
        case .abort: return escrow.abort(id)
        case .buy: return escrow.buy(id, terms: state.terms)
        case .transferItem: return escrow.transferItem(id)
        case .confirm: return escrow.confirm(id)
        case .refund: return escrow.refund(id)
        case .dispute: return escrow.dispute(id)
        case .claim: return escrow.claim(id)
        case .executeDefault: return escrow.executeDefault(id)
        case .rule: return escrow.rule(id, share: share)
        case .agree(let proposal):
            return escrow.settle(id, share: proposal.share, settleBy: proposal.settleBy)
        case .proposeSettlement:
            let time = saleIndex.time ?? state.position.time
            let end = time.advanced(by: Self.settlementWindow)
            return escrow.settle(id, share: share, settleBy: end)
        }
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

extension Client.SaleMove {
    /// The share as text, for comparing requests.
    fileprivate var text: String { share.map { "\($0)" } ?? "" }

    /// Whether it must accept, for comparing requests; empty if the request does not say.
    fileprivate var acceptance: [String] { accepts.map { ["accepts \($0)"] } ?? [] }
}

extension [String] {
    /// Each element once, in the order of first occurrence.
    fileprivate var reduced: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
