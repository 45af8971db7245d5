package import Keys
package import Market

extension Artifact {
    package static let escrow = embedded(PackageResources.Escrow_json)
}

/// The market's escrow contract, for sales in which both sides lock a deposit.
///
/// Every move carries the offer, because the contract stores only the hash of it: the sale's id.
///
/// Source: Sources/Contracts/Vyper/Escrow.vy; Docs/contracts.md, sections 3 to 8.
package struct EscrowContract: SaleContract {
    package static let kind = SaleKind.escrow
    package static let artifact = Artifact.escrow

    package let address: Address

    package init(address: Address) {
        self.address = address
    }

    static let interface = artifact.interface
    private static let list = interface.known("list")
    private static let abort = interface.known("abort")
    private static let buy = interface.known("buy")
    private static let decline = interface.known("decline")
    private static let transferItem = interface.known("transfer_item")
    private static let refund = interface.known("refund")
    private static let confirm = interface.known("confirm")
    private static let dispute = interface.known("dispute")
    private static let claim = interface.known("claim")
    private static let take = interface.known("take")
    private static let rule = interface.known("rule")
    private static let executeDefault = interface.known("execute_default")
    private static let propose = interface.known("propose")
    private static let withdrawProposal = interface.known("withdraw_proposal")
    private static let agree = interface.known("agree")
    private static let arbitrate = interface.known("arbitrate")
    private static let withdraw = interface.known("withdraw")

    /// The functions whose first argument is an offer, which names a sale.
    static let moves: [FunctionSelector: ABIFunction] = {
        let moves = [
            list, abort, buy, decline, transferItem, refund, confirm, dispute, claim, take, rule,
            executeDefault, propose, withdrawProposal, agree,
        ]
        return Dictionary(uniqueKeysWithValues: moves.map { ($0.selector, $0) })
    }()

    /// Encodes the constructor's arguments.
    ///
    /// - Parameters:
    ///   - item: The market's item contract, already deployed, which fixes the maker's share.
    ///   - fees: The platform and its share.
    ///   - tokens: The ERC-20 tokens accepted besides the chain's native currency, at most 8.
    /// - Returns: The arguments, which follow the creation code.
    package static func arguments(
        item: Address,
        fees: MarketFees,
        tokens: [Address]
    ) -> [UInt8] {
        written {
            try artifact.arguments([
                .address(item), .address(fees.platform), .small(fees.platformBasisPoints),
                .array(tokens.map { .address($0) }),
            ])
        }
    }

    /// Offers an item for sale and locks the seller's deposit; the caller is the offer's seller.
    ///
    /// If the offer names a token, the contract must be approved for it first; if not, the
    /// contract mints one, and must be allowed to, see ``ItemContract/allowMinter(_:_:)``. If the
    /// currency is a token, the contract must be approved for the deposit first.
    ///
    /// - Returns: The call, with the deposit as its value if the currency is the native one.
    package func list(_ offer: EscrowOffer) -> ContractCall {
        let terms = offer.terms
        return call(
            Self.list,
            offer,
            value: terms.currency == .native ? terms.sellerDeposit : .zero
        )
    }

    /// Pays the price and the buyer's deposit.
    ///
    /// If the currency is a token, the contract must be approved for both amounts first.
    package func buy(_ offer: EscrowOffer) -> ContractCall {
        let terms = offer.terms
        return call(Self.buy, offer, value: terms.currency == .native ? terms.buyerSends : .zero)
    }

    package func abort(_ offer: EscrowOffer) -> ContractCall { call(Self.abort, offer) }

    /// Returns everything to the buyer and the deposit to the seller, before the ship window ends.
    package func decline(_ offer: EscrowOffer) -> ContractCall { call(Self.decline, offer) }

    package func transferItem(_ offer: EscrowOffer) -> ContractCall {
        call(Self.transferItem, offer)
    }

    package func refund(_ offer: EscrowOffer) -> ContractCall { call(Self.refund, offer) }

    package func confirm(_ offer: EscrowOffer) -> ContractCall { call(Self.confirm, offer) }

    package func dispute(_ offer: EscrowOffer) -> ContractCall { call(Self.dispute, offer) }

    package func claim(_ offer: EscrowOffer) -> ContractCall { call(Self.claim, offer) }

    /// Says that the arbiter is at work, which makes the fee due in every end but the default.
    package func take(_ offer: EscrowOffer) -> ContractCall { call(Self.take, offer) }

    /// Decides a case that the arbiter has taken.
    package func rule(_ offer: EscrowOffer, share: SellerShare) -> ContractCall {
        call(Self.rule, offer, [.small(share.basisPoints)])
    }

    package func executeDefault(_ offer: EscrowOffer) -> ContractCall {
        call(Self.executeDefault, offer)
    }

    /// Proposes to settle, in place of the caller's earlier proposal.
    ///
    /// - Parameters:
    ///   - offer: The offer of the sale.
    ///   - share: The seller's share of the price.
    ///   - until: The time before which the other party can agree, at most
    ///     ``EscrowLimits/proposalMax`` from now.
    /// - Returns: The call.
    package func propose(
        _ offer: EscrowOffer,
        share: SellerShare,
        until: ChainTime
    ) -> ContractCall {
        call(Self.propose, offer, [.small(share.basisPoints), .small(until.seconds)])
    }

    package func withdrawProposal(_ offer: EscrowOffer) -> ContractCall {
        call(Self.withdrawProposal, offer)
    }

    /// Agrees to the other party's standing proposal; the contract refuses if its share differs.
    package func agree(_ offer: EscrowOffer, share: SellerShare) -> ContractCall {
        call(Self.agree, offer, [.small(share.basisPoints)])
    }

    /// Registers the caller as an arbiter whom sellers can name, in place of an earlier
    /// registration in the same currency.
    ///
    /// - Parameters:
    ///   - currency: The currency of the sales.
    ///   - feeMin: The lowest fee for which the caller works.
    ///   - until: The latest end of an offer that can name the caller; a time that has passed ends
    ///     the registration. Sales that are listed already are not affected.
    /// - Returns: The call.
    package func arbitrate(
        in currency: Currency,
        feeMin: Amount,
        until: ChainTime
    ) -> ContractCall {
        ContractCall(
            to: address,
            Self.arbitrate,
            [.address(currency.address), .amount(feeMin), .small(until.seconds)]
        )
    }

    package func withdraw(
        _ amount: Amount,
        of currency: Currency,
        to receiver: Address
    ) -> ContractCall {
        ContractCall(
            to: address,
            Self.withdraw,
            [.address(currency.address), .amount(amount), .address(receiver)]
        )
    }

    private func call(
        _ function: ABIFunction,
        _ offer: EscrowOffer,
        _ arguments: [ABIValue] = [],
        value: Amount = .zero
    ) -> ContractCall {
        ContractCall(to: address, function, [offer.abiValue] + arguments, value: value)
    }
}
