import Client
import Foundation

/// Formats what only a sale by escrow has.
enum EscrowText {
    /// Formats the terms of a sale; the end of the offer is over once it is bought.
    static func terms(_ escrow: Sale.Escrow, of sale: Sale, _ names: Names) -> [String] {
        var terms = escrow.terms
        if sale.stage != "offered" { terms.offerUntil = nil }
        return lines(terms, sale.price.currency, names)
    }

    /// Describes the open proposal to settle: who made it, its share, and until when it is valid.
    static func proposal(in escrow: Sale.Escrow, _ names: Names = .none) -> [String] {
        guard let proposal = escrow.proposal else { return [] }
        let other = proposal.role == "seller" ? "buyer" : "seller"
        return [
            "proposal   of the \(proposal.role), \(names.text(proposal.by)): the seller gets "
                + "\(MoneyText.percent(proposal.share)) of the price; the \(other) can accept it "
                + "until " + TimeText.text(proposal.until)
        ]
    }

    static func lines(_ terms: EscrowTerms, _ currency: String, _ names: Names) -> [String] {
        var lines: [String] = []
        if let seller = terms.sellerDeposit, let buyer = terms.buyerDeposit {
            lines.append(
                "deposits   \(MoneyText.text(seller, currency)) of the seller, "
                    + "\(MoneyText.text(buyer, currency)) of the buyer"
            )
        }
        if let penalty = terms.latePenalty, penalty != "0" {
            let amount = MoneyText.text(penalty, currency)
            lines.append("penalty    \(amount) from the seller to the buyer if nothing is sent")
        }
        if let arbiter = terms.arbiter {
            let fee = MoneyText.text(terms.arbiterFee ?? "0", currency)
            lines.append("arbiter    \(names.text(arbiter)), gets \(fee) for a ruling")
        } else {
            lines.append("arbiter    none")
        }
        let times = [
            terms.shipSeconds.map { "\(DurationText.text($0)) to send" },
            terms.confirmSeconds.map { "\(DurationText.text($0)) to confirm" },
            terms.rulingSeconds.map { "\(DurationText.text($0)) to settle a dispute" },
        ]
        lines.append("times      " + times.compactMap { $0 }.joined(separator: ", "))
        if let end = terms.offerUntil {
            let date = Date(timeIntervalSince1970: Double(end))
            lines.append("offer ends " + TimeText.text(date))
        }
        return lines
    }
}
