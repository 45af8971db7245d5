package import Answers
package import Client
import Keys
package import Market

extension Client.EscrowTerms {
    package init(_ terms: Market.EscrowTerms) {
        self.init()
        sellerDeposit = terms.sellerDeposit.decimal
        buyerDeposit = terms.buyerDeposit.decimal
        latePenalty = terms.latePenalty.decimal
        arbiter = terms.arbiter?.checksummed
        arbiterFee = terms.arbiterFee.decimal
        shipSeconds = terms.shipWindow.wholeSeconds
        confirmSeconds = terms.confirmWindow.wholeSeconds
        rulingSeconds = terms.rulingWindow.wholeSeconds
        offerUntil = terms.offerUntil.seconds
        buyer = terms.buyer?.checksummed
    }
}

extension TermsFault {
    /// The bound of an escrow offer in words.
    var escrowRefusal: Refusal {
        Market.EscrowTerms.Term(rawValue: term)?.refusal
            ?? Refusal(.badTerms, Sentence("refusal.malformedTerms"), field: "terms")
    }
}

extension Market.EscrowTerms.Term {
    /// The bound in words, with the field at fault by its API name.
    package var refusal: Refusal {
        let reason =
            switch self {
            case .price: Sentence("refusal.priceRange")
            case .sellerDeposit: Sentence("refusal.sellerDepositRange")
            case .buyerDeposit: Sentence("refusal.buyerDepositRange")
            case .latePenalty: Sentence("refusal.latePenaltyRange")
            case .arbiter: Sentence("refusal.arbiterSells")
            case .arbiterFee: Sentence("refusal.arbiterFeeRange")
            case .shipWindow: Sentence("refusal.shipWindowRange")
            case .confirmWindow: Sentence("refusal.confirmWindowRange")
            case .rulingWindow: Sentence("refusal.rulingWindowRange")
            case .offerUntil: Sentence("refusal.offerEndRange")
            case .buyer: Sentence("refusal.zeroBuyer")
            }
        return Refusal(.badTerms, reason, field: field)
    }

    /// The field of ``Client/ListingContent`` at fault.
    private var field: String {
        switch self {
        case .price: "price"
        case .sellerDeposit: "terms.sellerDeposit"
        case .buyerDeposit: "terms.buyerDeposit"
        case .latePenalty: "terms.latePenalty"
        case .arbiter: "terms.arbiter"
        case .arbiterFee: "terms.arbiterFee"
        case .shipWindow: "terms.shipSeconds"
        case .confirmWindow: "terms.confirmSeconds"
        case .rulingWindow: "terms.rulingSeconds"
        case .offerUntil: "terms.offerUntil"
        case .buyer: "terms.buyer"
        }
    }
}
