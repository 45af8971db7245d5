import AccountAccess
import Client
import Concurrency
import Foundation
import Keys
import Market

/// Warnings of moves that will be due for a seller while nobody is signed in.
extension OfferPlanner {
    /// Returns one warning of the moves that will be due when the seller's session has ended, and
    /// that the seller has not left to the node.
    func attendanceWarnings(of offer: PlannedListing) async throws -> [Sentence] {
        let seller = offer.seller
        // The node makes no move for an account whose key is in a wallet outside of it.
        guard let now = offer.chain.saleIndex.time,
            let due = offer.service.dueMoves(under: offer.content.terms, listedAt: now),
            try await !accounts.signsElsewhere(seller)
        else { return [] }
        var needed = due.moves
        if offer.listing.form == .digital { needed.insert(.deliver) }
        let end = await accounts.idleUntil(of: seller) ?? clock.now
        guard end < due.until.date else { return [] }
        let left = await accounts.unattended.moves(of: seller)
        if let until = left.until, until >= due.until.date {
            needed.subtract(left.moves.compactMap(UnattendedMove.init(rawValue:)))
        }
        // Sellers have nothing to get back that they do not claim.
        let moves = UnattendedMove.allCases.filter { needed.contains($0) && $0 != .refund }
        let terms = moves.map { "unattendedMove.\($0.rawValue)" }
        // Leaving moves to the node replaces those that are left to it.
        let all = UnattendedMove.allCases.filter {
            moves.contains($0) || left.moves.contains($0.rawValue)
        }
        var values = [
            "end": end.formatted(.iso8601),
            "moves": all.map(\.rawValue).joined(separator: ","),
        ]
        for (name, term) in zip(["first", "second", "third"], terms) { values[name] = term }
        switch moves.count {
        case 0: return []
        case 1: return [Sentence("unattended.one", values)]
        case 2: return [Sentence("unattended.two", values)]
        default: return [Sentence("unattended.three", values)]
        }
    }
}
