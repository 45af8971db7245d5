import BigInt
import Client
import Concurrency
import Foundation
import Keys
import Market

extension Client.Sale {
    /// A sale as the API shows it to `account` at the chain's `time`.
    init(_ view: SaleView, listing: String?, for account: Address?, at time: ChainTime?) {
        let state = view.state
        let terms = state.terms
        let now = time ?? state.position.time
        self.init(
            id: state.reference.id.description,
            chain: state.reference.contract.chain.number,
            contract: state.reference.contract.address.checksummed,
            listing: listing,
            phase: state.status.name,
            seller: state.seller.checksummed,
            buyer: state.buyer?.checksummed,
            item: state.listing.token.decimal,
            price: Money(terms.price, terms.currency),
            sellerDeposit: terms.sellerDeposit.decimal,
            buyerDeposit: terms.buyerDeposit.decimal,
            terms: Client.EscrowTerms(.escrow(terms)),
            since: state.since.date,
            payouts: state.ending.map { Self.payouts(of: $0, in: state) },
            actions: account.map { account in
                view.outlook(for: account, at: now).moves.map { SaleAction($0) }
            } ?? [],
            deadline: state.nextDeadline(after: now).map { Deadline($0) },
            confirmations: view.confirmations,
            confirmationsNeeded: view.confirmationsNeeded,
            confirmedBy: view.confirmedBy,
            restsOnOneSource: view.restsOnOneSource,
            warnings: view.warnings,
            proposal: state.proposal(at: now).map { Proposal($0, in: state) }
        )
    }

    private static func payouts(of ending: EscrowSale.Ending, in state: EscrowSale) -> [Payout] {
        let payout = ending.event.payout
        let parts: [(String, Address, Amount)] = [
            ("seller", state.seller, payout.seller),
            ("buyer", ending.event.buyer, payout.buyer),
            ("platform", state.fees.platform, payout.platform),
            ("maker", ending.event.maker, payout.maker),
            ("arbiter", state.terms.arbiter ?? .zero, payout.arbiter),
            ("nobody", EscrowRules.nobody, payout.nobody),
        ]
        return parts.filter { !$0.2.isZero }.map { role, account, amount in
            Payout(role: role, account: account.checksummed, amount: amount.decimal)
        }
    }
}

extension EscrowSale {
    /// How it ended, if it has.
    var ending: Ending? {
        guard case .ended(let ending) = phase else { return nil }
        return ending
    }
}

extension EscrowStatus {
    /// The API's name of the status.
    var name: String { "\(self)" }

    /// - Throws: ``Refusal`` with `malformed_value` if the text is none of the API's names.
    init(entered text: String) throws(Refusal) {
        guard let status = Self.allCases.first(where: { $0.name == text }) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw Refusal(.malformedValue, "'phase' is one of \(names).", field: "phase")
        }
        self = status
    }
}

extension Money {
    init(_ amount: Amount, _ currency: Currency) {
        self.init(amount: amount.decimal, currency: currency.name)
    }
}

extension Currency {
    /// `native`, or the token's address.
    var name: String {
        switch self {
        case .native: "native"
        case .token(let address): address.checksummed
        }
    }
}

extension ChainTime {
    var date: Date { Date(timeIntervalSince1970: Double(seconds)) }
}

extension SaleAction {
    init(_ open: OpenMove) {
        self.init(
            move: MoveName(open.move).rawValue,
            until: open.before?.date,
            consequence: open.consequence
        )
    }
}

extension Client.Sale.Proposal {
    init(_ proposal: SettlementProposal, in state: EscrowSale) {
        self.init(
            by: proposal.by.checksummed,
            role: state.role(of: proposal.by).rawValue,
            share: proposal.share.basisPoints,
            until: proposal.settleBy.date
        )
    }
}

extension Client.Sale.Deadline {
    init(_ deadline: SaleDeadline) {
        let consequence =
            switch deadline.effect {
            case .offerEnds:
                "Nobody can buy any more; the seller can take the offer back at any time."
            case .refundOpens:
                "The seller can no longer hand over; anyone can have the buyer refunded."
            case .claimOpens:
                "The buyer can no longer dispute; anyone can complete the sale."
            case .defaultOpens:
                "The arbiter can no longer rule; anyone can execute the default, which halves the "
                    + "price and costs both sides most of their deposits."
            }
        self.init(at: deadline.at.date, consequence: consequence)
    }
}

/// The API's names of moves.
enum MoveName: String, CaseIterable, Sendable {
    case buy, transfer, confirm, abort, refund, dispute, claim, settle, rule
    case executeDefault = "execute_default"

    init(_ move: EscrowMove) {
        self =
            switch move {
            case .buy: .buy
            case .transferItem: .transfer
            case .confirm: .confirm
            case .abort: .abort
            case .refund: .refund
            case .dispute: .dispute
            case .claim: .claim
            case .proposeSettlement, .agree: .settle
            case .rule: .rule
            case .executeDefault: .executeDefault
            }
    }
}
