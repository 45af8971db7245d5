import Client
import Setup

/// The words of a title by which a sale is named without a question.
extension ConsentOptions {
    /// Refuses to sign without asking if the words that name a sale mean others too, of which only
    /// one allows the command.
    ///
    /// An id, its first digits and a whole title name one sale.
    ///
    /// - Parameters:
    ///   - text: The text that names the sale.
    ///   - preview: The preview, in the sale that the node has chosen.
    ///   - node: The node that knows the account's sales.
    /// - Throws: ``Failure`` with `ambiguous_id`; the node's ``Problem`` with all matches.
    func requireOnly(_ text: String, _ preview: ActionPreview, of node: StoaClient) async throws {
        guard yes, let subject = preview.subject, !Self.isBeginning(text, of: subject),
            preview.sale?.title?.lowercased() != text.lowercased()
        else { return }
        let meant: Sale
        do { meant = try await node.sale(text) } catch let problem as Problem
            where problem.code != ProblemCode.ambiguousID.rawValue
        {
            return
        }
        // Without the move, the words can mean a sale that does not allow it.
        guard meant.id != subject, let title = meant.promised?.title else { return }
        throw Failure(
            .usage,
            "\(text.quoted) matches the sale \(IDText.short(subject)), but "
                + "'\(DisplayText.line(title))' (\(IDText.short(meant.id))) too. With --yes, give the "
                + "id or the whole title. Nothing was signed.",
            problem: ProblemCode.ambiguousID.rawValue
        )
    }

    private static func isBeginning(_ text: String, of id: String) -> Bool {
        let digits = text.lowercased()
        return id.hasPrefix(digits) || id.hasPrefix("0x" + digits)
    }
}
