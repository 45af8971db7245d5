import Client
import Concurrency

/// Tells whether a settlement ended the sale or left a new proposal, as the chain shows it.
///
/// If the other side replaces its proposal just before the acceptance is mined, the contract takes
/// the acceptance as a new proposal. Only the chain shows which of the two happened.
enum SettlementOutcome {
    private static let looksMax = 50
    private static let interval = Duration.milliseconds(200)

    /// Returns the open proposal before an acceptance or a proposal is signed; `nil` for another
    /// move.
    static func proposal(
        before preview: ActionPreview,
        _ node: StoaClient
    ) async throws -> Sale.Proposal? {
        guard preview.accepts != nil, let sale = preview.subject else { return nil }
        return try await node.sale(sale).escrow?.proposal
    }

    /// Waits until the node has read the settlement from the chain, and describes its outcome.
    static func description(
        of sale: String,
        before: Sale.Proposal?,
        _ node: StoaClient
    ) async -> String {
        for _ in 0..<looksMax {
            // If the node does not answer now, it is asked again.
            if let now = try? await node.sale(sale), let text = description(of: now, before: before)
            {
                return text
            }
            guard (try? await SystemMonotonicClock().wait(interval)) != nil else { break }
        }
        return " The node does not know yet whether the sale has ended. See it with "
            + "'stoa sale show \(IDText.short(sale))'."
    }

    /// Describes the outcome of a settlement; `nil` if nothing has changed yet.
    static func description(of sale: Sale, before: Sale.Proposal?) -> String? {
        if sale.stage == "over" { return " The sale has ended." }
        guard let proposal = sale.escrow?.proposal, proposal != before else { return nil }
        let other = proposal.role == "seller" ? "buyer" : "seller"
        return " The sale has not ended: the \(proposal.role) proposes that the seller gets "
            + "\(MoneyText.percent(proposal.share)); the \(other) can accept it until "
            + "\(TimeText.text(proposal.until))."
    }
}
