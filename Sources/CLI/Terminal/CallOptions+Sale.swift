import Client

/// The choice of the account that has a part in a sale.
extension CallOptions {
    /// Calls the node as the signed-in account that has a part in a sale, if no account is named.
    ///
    /// If several have a part, the one of `stoa account use` is chosen. If none has, the node is
    /// called as ``asReader(_:)`` does, which finds a sale by its id.
    ///
    /// - Parameters:
    ///   - sale: The sale as the person names it; words of a title find only an account's own.
    ///   - body: Gets the address of the account, or `nil`.
    /// - Throws: ``Failure`` if several accounts have a part, none is chosen and words of a title
    ///   name the sale; the errors of `body`.
    func asParty(
        of sale: String,
        _ body: (StoaClient, String?) async throws -> Void
    ) async throws {
        let entries = named == nil ? try sessions.all().filter(isIssuer) : []
        let live = entries.count > 1 ? await live(among: entries) : []
        var parties: [SessionFolder.Entry] = []
        for entry in live where await hasPart(entry, in: sale) { parties.append(entry) }
        let chosen = parties.first { $0.session.account.name == sessions.standard }
        guard let party = chosen ?? parties.first else { return try await asReader(body) }
        guard chosen != nil || parties.count == 1 else {
            let names = parties.map(\.session.account.name).joined(separator: ", ")
            do {
                return try await asReader(body)
            } catch let problem as Problem where problem.code == ProblemCode.unknownSale.rawValue {
                throw Failure(
                    .usage,
                    "Several signed-in accounts have such a sale. Choose one with --as: \(names)."
                )
            }
        }
        let account = party.session.account
        if account.name != sessions.standard { output.note("as         \(account.name)") }
        try await inSession(party) { try await body($0, account.address) }
    }

    /// Whether an account has a part in the sale that it means by a text, or in several.
    private func hasPart(_ entry: SessionFolder.Entry, in sale: String) async -> Bool {
        var hasPart = false
        do {
            try await inSession(entry) { node in
                hasPart = try await node.sale(sale).own != nil
            }
        } catch let problem as Problem {
            // Words of a title match only sales of its own.
            hasPart = problem.code == ProblemCode.ambiguousID.rawValue
        } catch {
            // The call that follows says why the node does not answer.
        }
        return hasPart
    }
}

/// A command that reads a sale as the signed-in account that has a part in it.
protocol SaleReaderCall: ReaderCall {
    var sale: String { get }
}

extension SaleReaderCall {
    func run() async throws { try await options.asParty(of: sale, call) }
}
