package import Ethereum
package import Keys
package import Market

extension Artifact {
    package static let escrow = embedded(EmbeddedArtifacts.escrow)
}

/// The market's escrow contract, for sales in which both sides lock a deposit.
///
/// Every move carries the offer, because the contract stores only the hash of it: the sale's id.
///
/// Source: Sources/Contracts/Vyper/Escrow.vy; Docs/contracts.md, sections 3 to 8.
package struct EscrowContract: ItemSaleContract {
    package typealias Event = EscrowEvent
    package typealias Terms = EscrowTerms

    package static let kind = SaleKind.escrow
    package static let artifact = Artifact.escrow
    /// Registrations of arbiters are read through ``arbiterTerms(of:in:)``.
    package static let topics = followedTopics(except: "ArbiterRegistered")

    package static let moves = functions([
        "list", "abort", "buy", "decline", "relist", "transfer_item", "refund", "confirm",
        "dispute",
        "claim", "take", "rule", "execute_default", "propose", "withdraw_proposal", "agree",
    ])

    package let address: Address

    package init(address: Address) {
        self.address = address
    }

    /// Pays the price and the buyer's deposit.
    ///
    /// If the currency is a token, the contract must be approved for both amounts first.
    package func buy(_ offer: EscrowOffer) -> ContractCall {
        move("buy", offer, paying: offer.terms.buyerSends)
    }

    /// Returns everything to the buyer and the deposit to the seller, before the ship window ends.
    package func decline(_ offer: EscrowOffer) -> ContractCall { move("decline", offer) }

    /// Returns everything to the buyer and puts the sale back to listed, before the ship window
    /// ends.
    package func relist(_ offer: EscrowOffer) -> ContractCall { move("relist", offer) }

    package func transferItem(_ offer: EscrowOffer) -> ContractCall {
        move("transfer_item", offer)
    }

    package func refund(_ offer: EscrowOffer) -> ContractCall { move("refund", offer) }

    package func confirm(_ offer: EscrowOffer) -> ContractCall { move("confirm", offer) }

    package func dispute(_ offer: EscrowOffer) -> ContractCall { move("dispute", offer) }

    package func claim(_ offer: EscrowOffer) -> ContractCall { move("claim", offer) }

    /// States that the arbiter is at work, which makes the fee due in every end except the default.
    package func take(_ offer: EscrowOffer) -> ContractCall { move("take", offer) }

    /// Decides a case that the arbiter has taken.
    package func rule(_ offer: EscrowOffer, share: SellerShare) -> ContractCall {
        move("rule", offer, [.small(share.basisPoints)])
    }

    package func executeDefault(_ offer: EscrowOffer) -> ContractCall {
        move("execute_default", offer)
    }

    /// Proposes to settle; replaces the caller's earlier proposal.
    ///
    /// - Parameters:
    ///   - offer: The offer of the sale.
    ///   - share: The seller's share of the price.
    ///   - until: The time before which the other party can agree, at most
    ///     ``EscrowLimits/proposalMax`` from now.
    ///   - feeDue: The arbiter's fee that is due now; the contract refuses if it is another.
    /// - Returns: The call.
    package func propose(
        _ offer: EscrowOffer,
        share: SellerShare,
        until: ChainTime,
        feeDue: Amount
    ) -> ContractCall {
        let arguments: [ABIValue] = [
            .small(share.basisPoints), .small(until.seconds), .amount(feeDue),
        ]
        return move("propose", offer, arguments)
    }

    package func withdrawProposal(_ offer: EscrowOffer) -> ContractCall {
        move("withdraw_proposal", offer)
    }

    /// Agrees to the other party's standing proposal; the contract refuses if its share differs, or
    /// if another fee of the arbiter is due.
    package func agree(
        _ offer: EscrowOffer,
        share: SellerShare,
        feeDue: Amount
    ) -> ContractCall {
        move("agree", offer, [.small(share.basisPoints), .amount(feeDue)])
    }

    /// Registers the caller as an arbiter whom sellers can name, replacing an earlier registration
    /// in the same currency.
    ///
    /// - Parameters:
    ///   - currency: The currency of the sales.
    ///   - feeMin: The lowest fee for which the caller works.
    ///   - until: The latest time at which a ruling can be due in a sale that names the caller, see
    ///     ``EscrowTerms/lastRuling``; a time that has passed ends the registration. Sales that are
    ///     listed already are not affected.
    /// - Returns: The call.
    package func arbitrate(
        in currency: Currency,
        feeMin: Amount,
        until: ChainTime
    ) -> ContractCall {
        call("arbitrate", [.address(currency.address), .amount(feeMin), .small(until.seconds)])
    }
}
