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
            ?? Refusal(.badTerms, "The terms are malformed.", field: "terms")
    }
}

extension Market.EscrowTerms.Term {
    /// The bound in words, with the field at fault by its API name.
    package var refusal: Refusal {
        let description =
            switch self {
            case .price:
                "The price must be from 10,000 to 2^128 - 1 of the smallest unit."
            case .sellerDeposit:
                "The seller's deposit must be from a third of the price, rounded up, to ten times it."
            case .buyerDeposit:
                "The buyer's deposit must be from a third of the price, rounded up, to ten times it."
            case .latePenalty: "The penalty for not sending must be 1 to 5 % of the price."
            case .arbiter: "You cannot be the arbiter of your own sale."
            case .arbiterFee: "The arbiter's fee is at most 5 % of the price; 0 without an arbiter."
            case .shipWindow: "The time to hand over must be 2 to 60 days."
            case .confirmWindow: "The time to confirm must be 2 to 90 days."
            case .rulingWindow: "The time to rule must be 3 to 60 days."
            case .offerUntil: "The offer must end in the future, within 365 days."
            case .buyer: "The zero address cannot buy. Leave 'buyer' out to let anybody buy."
            }
        return Refusal(.badTerms, description, field: field)
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
