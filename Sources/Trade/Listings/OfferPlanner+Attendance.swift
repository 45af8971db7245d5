import AccountAccess
import Client
import Concurrency
import Foundation
import Keys
import Market

/// Warnings of moves that will be due for a seller while nobody is signed in.
extension OfferPlanner {
    /// Returns a warning of each move that will be due when the seller's session has ended, and that
    /// the seller has not left to the node.
    func attendanceWarnings(of offer: Offer) async throws -> [Sentence] {
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
        let left = await accounts.unattendedMoves(of: seller)
        if let until = left.until, until >= due.until.date {
            needed.subtract(left.moves.compactMap(UnattendedMove.init(rawValue:)))
        }
        let time = end.formatted(.iso8601)
        return UnattendedMove.allCases.filter(needed.contains).compactMap { move in
            switch move {
            case .deliver: Sentence("unattended.deliver", ["end": time])
            case .claim: Sentence("unattended.claim", ["end": time])
            case .end: Sentence("unattended.end", ["end": time])
            // Sellers have nothing to get back that they do not claim.
            case .refund: nil
            }
        }
    }
}
