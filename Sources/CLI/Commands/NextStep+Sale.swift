import Client

/// The steps that a sale leaves to the account that asks, as the node names them.
extension NextStep {
    /// Returns what the account can do next in a sale, the likeliest first.
    static func of(_ sale: Sale) -> [NextStep] {
        sale.nextSteps.compactMap { NextStep($0, in: sale) }
    }

    /// Reads a step of the node; `nil` for one that this program does not know.
    init?(_ step: Sale.NextStep, in sale: Sale) {
        let name = step.words.code.dropFirst("next.".count)
        guard let kind = Kind.allCases.first(where: { "\($0)" == name }) else { return nil }
        let id = IDText.short(sale.id)
        switch kind {
        case .sending: self.init(kind, step.operation.map(IDText.short) ?? id)
        case .agree: self.init(kind, id, " --share \(ShareText.typed(step.share ?? 0))")
        case .raise:
            let bid = step.bid.map { bid in
                CurrencyUnits.on(sale.chain) { " '\(MoneyText.exact(bid))'" }
            }
            self.init(kind, sale.listing.map(IDText.short) ?? id, bid ?? "")
        case .leaveRound: self.init(kind, id, step.round.map { " --round \($0)" } ?? "")
        case .evaluate: self.init(kind, id, Self.marks)
        case .pickUp: self.init(kind, sale.listing.map(IDText.short) ?? id)
        case .collect: self.init(kind)
        default: self.init(kind, id)
        }
    }

    private static let marks =
        ["preparation", "content", "delivery", "communication", "overall"]
        .map { " --\($0) <0 to 100>" }.joined()
}

/// The steps that follow on an operation.
extension NextStep {
    /// Returns the steps after a withdrawal: `rest` is the listing if pieces of it stay for sale.
    static func after(withdrawal preview: ActionPreview, leaving rest: String? = nil) -> [NextStep]
    {
        (preview.comesBack.isEmpty ? [] : [NextStep(.collect)])
            + [rest.map { NextStep(.showListing, IDText.short($0)) } ?? NextStep(.status)]
    }

    /// Returns the steps after an operation that has ended well.
    static func after(_ ended: Client.Operation, _ node: StoaClient) async -> [NextStep] {
        switch (ended.kind, ended.subject) {
        case (.list, let subject?):
            let listing = IDText.short(subject)
            return [NextStep(.showListing, listing), NextStep(.shareListing, listing)]
        case (.edit, let subject?): return [NextStep(.showListing, IDText.short(subject))]
        case (.buy, let subject?), (.bid, let subject?), (.move, let subject?):
            guard let sale = try? await node.sale(subject) else { return [] }
            let steps = of(sale)
            guard steps.isEmpty else { return steps }
            let isOver = sale.stage == "over"
            return [isOver ? NextStep(.status) : NextStep(.watch, IDText.short(sale.id))]
        case (.collect, _): return [NextStep(.status)]
        default: return []
        }
    }
}

extension CallOptions {
    /// Prints the steps that follow on an operation; nothing for programs.
    ///
    /// - Parameters:
    ///   - ended: The operation, which has ended well.
    ///   - node: The node that made it.
    ///   - known: Steps that the command has named already.
    func sayNext(
        after ended: Client.Operation,
        _ node: StoaClient,
        besides known: Set<NextStep.Kind> = []
    ) async {
        guard !json else { return }
        let steps = await NextStep.after(ended, node).filter { !known.contains($0.kind) }
        say(next: steps)
    }

    /// Prints steps; nothing for programs.
    func say(next steps: [NextStep]) {
        guard !steps.isEmpty else { return }
        output.note(NextStep.lines(steps).joined(separator: "\n"))
    }
}
