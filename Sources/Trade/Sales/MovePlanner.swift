package import Answers
package import Client
import Contracts
import Ethereum
package import Keys
import Market
import Storage

/// Plans the moves of accounts in the market's sales.
package struct MovePlanner: Sendable {
    private let markets: Markets
    private let runner: OperationRunner
    private let store: Store

    private var saleIndexes: SaleIndexes { markets.saleIndexes }

    /// - Parameters:
    ///   - markets: The chains; each is asked about its own sales.
    ///   - runner: Carries out the moves.
    ///   - store: The store of the listings.
    init(markets: Markets, runner: OperationRunner, store: Store) {
        (self.markets, self.runner, self.store) = (markets, runner, store)
    }

    /// Makes a move in a sale.
    ///
    /// Its obstacles: `unknown_sale`, `malformed_value`, `not_your_sale`, `move_not_open`,
    /// `not_final_yet`, `one_source`, `contract_refused`, `insufficient_balance`,
    /// `fee_above_limit`, or the chain's health.
    ///
    /// - Parameters:
    ///   - id: The sale.
    ///   - request: The move.
    ///   - account: The account that makes the move.
    ///   - note: The text of its note, or why that cannot be sent; `nil` if it has none.
    ///   - reason: The words of the other side with its last proposal, for a preview; `nil` for
    ///     nothing.
    ///   - lacksKey: Whether the account has bought a digital work whose key is not here, for a
    ///     preview.
    /// - Returns: The move, to preview or to begin.
    package func move(
        _ id: String,
        _ request: Client.SaleMove,
        by account: Address,
        note: Result<PlannedText, Refusal>? = nil,
        reason: String? = nil,
        lacksKey: Bool = false
    ) -> ProposedOperation {
        let notes = MoveNotes(note: note, reason: reason, lacksKey: lacksKey)
        return ProposedOperation(
            .move,
            RequestedMove(sale: id, move: request, note: note),
            by: account,
            acceptsOneSource: request.acceptsOneSource == true,
            on: runner
        ) {
            try await self.plan(moving: id, request, notes, &$0)
        }
    }

    private func plan(
        moving id: String,
        _ request: Client.SaleMove,
        _ notes: MoveNotes,
        _ plan: inout PlannedOperation
    ) async throws {
        let (view, service) = try checked(request, in: id)
        let (sale, account) = (view.sale, plan.account)
        let chain = markets[sale]
        plan.registry = chain.deployment.registry
        plan.preview = ActionPreview(
            action: request.move,
            chain: chain.chain.number,
            subject: sale.id.description,
            summary: [.state(of: sale.state)]
        )
        try await plan.check { plan in
            let move = try open(request, in: view, service, for: account, plan.acceptsOneSource)
            plan.preview = move.preview
            try describe(workOf: sale, service, lacksKey: notes.lacksKey, in: &plan.preview)
            plan.preview.chain = chain.chain.number
            plan.preview.subject = sale.id.description
            try await chain.confirm(view, acceptsOneSource: plan.acceptsOneSource)
            try await plan.send([Intent.Step(move.call)], on: chain)
            try await plan.describe { preview in
                if let other = sale.otherSide(of: account),
                    let warning = try await chain.contractWarning(of: other.account, as: other.role)
                {
                    preview.warnings.append(warning)
                }
            }
        }
        if let note = notes.note { try plan.disclose(note, in: sale) }
        try await plan.describe { preview in
            preview.sale = ActionPreview.PreviewedSale(
                sale,
                title: try store.promise(of: sale)?.title,
                to: account
            )
            if let reason = notes.reason,
                preview.warnings.contains(where: { $0.code == "preview.clearsProposal" })
            {
                preview.warnings.append(Sentence("preview.proposalReason", ["reason": reason]))
            }
            preview.warnings += view.warnings
            preview.restsOnOneSource = view.restsOnOneSource
        }
    }

    /// Says what a move does if the thing sold is a digital work.
    private func describe(
        workOf sale: Market.Sale,
        _ service: any SaleKindService,
        lacksKey: Bool,
        in preview: inout ActionPreview
    ) throws {
        guard try store.promise(of: sale)?.isOfWork == true, type(of: service).sellsItem else {
            return
        }
        preview.summary = service.consequence(ofWork: preview.summary)
        guard lacksKey, let warning = type(of: service).warningWithoutKey(of: preview.action)
        else { return }
        preview.warnings.append(warning)
    }

    private func checked(
        _ request: Client.SaleMove,
        in id: String
    ) throws -> (SaleView, any SaleKindService) {
        let view: SaleView
        do { view = try saleIndexes.view(entered: id) } catch {
            // A sale that is not seen may be in blocks that are not read yet.
            for index in saleIndexes.all { try index.requireCurrent() }
            throw error
        }
        let saleIndex = saleIndexes[view.sale]
        try saleIndex.requireCurrent()
        let service = saleIndex.service(for: view.sale)
        try service.check(request)
        return (view, service)
    }

    /// Returns the requested move, if it is open to `account` now.
    private func open(
        _ request: Client.SaleMove,
        in view: SaleView,
        _ service: any SaleKindService,
        for account: Address,
        _ acceptsOneSource: Bool
    ) throws(Refusal) -> PlannedMove {
        guard let time = saleIndexes[view.sale].time else {
            throw Refusal(.chainAway, Sentence("refusal.noBlock"))
        }
        return try service.move(
            request,
            in: view.sale,
            by: account,
            at: time,
            requireAnswerable: { () throws(Refusal) in
                try view.requireAnswerable(by: account, acceptsOneSource: acceptsOneSource)
            }
        )
    }
}

extension Market.Sale {
    /// The party that a party of this sale deals with; `nil` for others, or if there is none.
    fileprivate func otherSide(of account: Address) -> (account: Address, role: String)? {
        if account == seller { return buyer.map { ($0, SaleRole.buyer.name) } }
        return account == buyer ? (seller, SaleRole.seller.name) : nil
    }
}

extension PlannedOperation {
    /// Adds the note of a move, or notes why nobody would get it.
    fileprivate mutating func disclose(
        _ note: Result<PlannedText, Refusal>,
        in sale: Market.Sale
    ) throws(Refusal) {
        let text: PlannedText
        do { text = try note.get() } catch { return try self.note(error) }
        let canWrite = [.seller, .buyer, .arbiter].contains(sale.role(of: account))
        let readers = canWrite ? sale.correspondents.filter { $0 != account } : []
        guard !readers.isEmpty else {
            let refusal = Refusal(.malformedValue, Sentence("refusal.noteForNobody"), field: "note")
            return try self.note(refusal)
        }
        disclosure = OperationPlan.Disclosure(
            sale: sale.id,
            .note(readers: readers),
            sealed: text.sealed
        )
        guard isPreview else { return }
        preview.explanation.append(Sentence("preview.noteSent", ["note": text.text]))
        if text.pictureCount > 0 {
            preview.explanation.append(
                Sentence("preview.notePictures", ["count": "\(text.pictureCount)"])
            )
        }
        preview.explanation += readers.map { reader in
            Sentence(
                "preview.noteReader",
                ["role": "role.\(sale.role(of: reader).name)", "reader": reader.checksummed]
            )
        }
        if let arbiter = sale.idleArbiter, arbiter != account {
            preview.explanation.append(
                Sentence("preview.noteArbiter", ["arbiter": arbiter.checksummed])
            )
        }
    }
}

/// The additions of the account's own node to a move.
private struct MoveNotes: Sendable {
    let note: Result<PlannedText, Refusal>?
    let reason: String?
    let lacksKey: Bool
}

/// The content of a move, for comparing requests.
private struct RequestedMove: Encodable {
    let sale: String
    let move: Client.SaleMove

    /// No hash of it lets anybody guess the text of the note.
    init(sale: String, move: Client.SaleMove, note: Result<PlannedText, Refusal>?) {
        self.sale = sale
        var move = move
        move.acceptsOneSource = nil
        if case .success(let text) = note { (move.note, move.pictures) = (text.digest.hex, nil) }
        self.move = move
    }
}
