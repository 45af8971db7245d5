package import Client
import Foundation
package import Texts

extension Client.Sale {
    /// Makes a shop's words for the phase of a sale that is shown.
    ///
    /// - Parameter units: The units of its chain.
    /// - Returns: The words, with the highest bid, or until when the seller has to send.
    package func words(in units: any AmountUnits) -> Sentence {
        // A deadline that has passed is not shown.
        switch (phase, deadline?.at) {
        case ("bid", nil): return Sentence("standing.biddingOver")
        case ("bid", _): return .highestBid(price, on: chain, in: units)
        case ("ready", nil), ("listed", nil): return Sentence("standing.ended")
        case ("ready", _) where auction != nil: return Sentence("standing.noBids")
        case ("paid", nil): return Sentence("standing.notSent")
        case ("paid", let end?):
            return Sentence("standing.paid", ["until": end.formatted(.iso8601)])
        case ("settled", _) where history.last?.move == "rule": return Sentence("standing.ruled")
        case ("settled", _) where history.last?.move == "execute_default":
            return Sentence("standing.defaulted")
        default: return Sentence("phase.\(phase)")
        }
    }

    /// Says of an item that the buyer collects that it is handed over, not sent.
    mutating func noteHandOver() {
        switch (phase, deadline?.at) {
        case ("paid", let end?):
            status = Sentence("standing.paidForPickup", ["until": end.formatted(.iso8601)])
        case ("transferred", _): status = Sentence("standing.handedOver")
        default: break
        }
        guard turn.values["task"] == "turn.toSend" else { return }
        turn = Sentence(turn.code, turn.values.merging(["task": "turn.toHandOver"]) { $1 })
    }
}

extension Client.Listing {
    /// Makes a shop's words for the state of a listing that is shown, and of its sale.
    ///
    /// - Parameter units: The units of its chain.
    /// - Returns: The words, with the highest bid or the free seats.
    package func words(in units: any AmountUnits) -> Sentence {
        switch (state, salePhase) {
        case ("open", _):
            if let highestBid {
                return .highestBid(highestBid, on: content.chain ?? 0, in: units)
            }
            if let freeSeats { return Sentence("standing.seats", ["count": "\(freeSeats)"]) }
            return Sentence(minimalBid == nil ? "state.open" : "standing.noBids")
        case ("over", nil), ("over", "listed"), ("over", "ready"): return Sentence("standing.ended")
        case ("over", "bid"): return Sentence("standing.biddingOver")
        case ("over", "open"): return Sentence("standing.enrolmentClosed")
        case ("over", "complete"): return Sentence("phase.sold")
        case ("over", let phase?): return Sentence("phase.\(phase)")
        case ("unknown", let phase?):
            return Sentence("standing.unknown", ["phase": "phase.\(phase)"])
        default: return Sentence("state.\(state)")
        }
    }
}

extension Sentence {
    fileprivate static func highestBid(
        _ bid: Money,
        on chain: UInt64,
        in units: any AmountUnits
    ) -> Sentence {
        let amount = "\(bid.amount) \(bid.currency) \(chain)"
        return Sentence("standing.highestBid", ["amount": amount], in: units)
    }
}
