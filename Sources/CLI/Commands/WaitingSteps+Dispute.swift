import Client

/// The disputes in which an account has a part.
extension WaitingSteps {
    /// How many characters of a reason are shown; `stoa sale show` has all of it.
    private static let reasonMax = 100

    /// Asks for the names of accounts if one of the sales is in dispute.
    func names(for sales: [Sale], _ node: StoaClient) async -> Names {
        sales.contains { $0.phase == "disputed" } ? await Names.of(node, own: own) : .none
    }

    /// Says who disputes a sale, since when and why, and how to see the pictures; `nil` if nobody
    /// does.
    static func dispute(in sale: Sale, _ names: Names) -> String? {
        guard sale.phase == "disputed",
            let step = sale.history.last(where: { $0.move == "dispute" })
        else { return nil }
        let since = "disputed by \(names.short(step.by)) since \(TimeText.text(step.at))"
        let reason = step.note.map { note in
            let line = DisplayText.line(note)
            let shown = line.prefix(reasonMax)
            return ": '\(shown)\(shown.count < line.count ? "…" : "")'"
        }
        let pictures = step.pictures.map { pictures in
            let count = pictures.count == 1 ? "one picture" : "\(pictures.count) pictures"
            return " (\(count): stoa sale pictures \(IDText.short(sale.id)))"
        }
        return since + (reason ?? "") + (pictures ?? "")
    }
}
