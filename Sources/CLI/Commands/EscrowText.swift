import Client
import Texts

/// Formats what only a sale by escrow has.
enum EscrowText {
    /// Formats the terms of a sale; the end of the offer is over once it is bought.
    static func terms(_ escrow: Sale.Escrow, of sale: Sale, _ names: Names) -> [String] {
        var terms = escrow.terms
        if sale.stage != "offered" { terms.offerUntil = nil }
        return lines(terms, sale.price.currency, names)
    }

    /// Describes what stands in an open sale: the proposals to settle, each with its share and end,
    /// and whether the arbiter has taken the dispute.
    static func proposals(in escrow: Sale.Escrow, _ names: Names = .none) -> [String] {
        let due = "taken      by the arbiter, whose fee is due unless the default ends the sale"
        return (escrow.isTaken ? [due] : [])
            + escrow.proposals.map { proposal in
                let other = proposal.role == "seller" ? "buyer" : "seller"
                return "proposal   of the \(proposal.role), \(names.text(proposal.by)): the seller "
                    + "gets \(ShareText.text(proposal.share)) of the price; the \(other) can "
                    + "agree until " + TimeText.text(proposal.until)
            }
    }

    static func lines(_ terms: EscrowTerms, _ currency: String, _ names: Names) -> [String] {
        var lines: [String] = []
        if let seller = terms.sellerDeposit, let buyer = terms.buyerDeposit {
            lines.append(
                "deposits   \(MoneyText.paid(seller, currency)) of the seller, "
                    + "\(MoneyText.paid(buyer, currency)) of the buyer"
            )
        }
        if let penalty = terms.latePenalty, penalty != "0" {
            let amount = MoneyText.paid(penalty, currency)
            let words =
                terms.arbiter == nil
                ? Sentence("terms.penalty", ["amount": amount])
                : Sentence("terms.penaltyRuled", ["amount": amount])
            lines.append("penalty    \(words)")
        }
        if let arbiter = terms.arbiter {
            let fee = MoneyText.paid(terms.arbiterFee ?? "0", currency)
            lines.append("arbiter    \(names.text(arbiter)), gets \(fee) for a dispute once taken")
        } else {
            lines.append("arbiter    none")
        }
        let times = [
            terms.shipSeconds.map { "\(DurationText.text($0)) to send" },
            terms.confirmSeconds.map { "\(DurationText.text($0)) to confirm" },
            terms.rulingSeconds.map {
                "\(DurationText.text($0)) to settle a dispute"
                    + (terms.arbiter == nil ? "" : " or have it ruled")
            },
        ]
        lines.append("times      " + times.compactMap { $0 }.joined(separator: ", "))
        if let end = terms.offerUntil {
            lines.append("offer ends " + TimeText.text(end))
        }
        return lines
    }
}
