import Client
import Concurrency

/// What became of a sale by a settlement, as the chain shows it: it may have ended, or a proposal
/// stands.
///
/// The other side may have replaced its proposal just before; what was to accept it is then a
/// proposal itself, which nobody but the contract can tell.
enum SettlementOutcome {
    private static let looksMax = 50
    private static let interval = Duration.milliseconds(200)

    /// The proposal that stands before a settlement is signed; `nil` for another move.
    static func proposal(
        before preview: ActionPreview,
        _ node: StoaClient
    ) async throws -> Sale.Proposal? {
        guard preview.accepts != nil, let sale = preview.subject else { return nil }
        return try await node.sale(sale).proposal
    }

    /// Waits until the node has read what the settlement did, and says it.
    static func words(
        of sale: String,
        before: Sale.Proposal?,
        _ node: StoaClient
    ) async -> String {
        for _ in 0..<looksMax {
            // A node that does not answer now may do so next time.
            if let now = try? await node.sale(sale), let words = words(of: now, before: before) {
                return words
            }
            guard (try? await SystemMonotonicClock().wait(interval)) != nil else { break }
        }
        return " Whether the sale has ended is not seen yet: stoa sale show \(IDText.short(sale))"
    }

    /// `nil` if nothing has changed.
    static func words(of sale: Sale, before: Sale.Proposal?) -> String? {
        if sale.payouts != nil { return " The sale has ended." }
        guard let proposal = sale.proposal, proposal != before else { return nil }
        let other = proposal.role == "seller" ? "buyer" : "seller"
        return " The sale has not ended: a proposal of the \(proposal.role) stands, by which the "
            + "seller gets \(MoneyText.percent(proposal.share)); the \(other) can accept it until "
            + "\(TimeText.text(proposal.until))."
    }
}
