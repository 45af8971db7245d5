package import Keys
package import Market

/// The market's escrow: sales in which both sides lock a deposit.
///
/// Source: Sources/Contracts/Vyper/Escrow.vy; Docs/contracts.md, "Escrow".
package struct EscrowContract: Hashable, Sendable {
    package let address: Address

    package init(address: Address) {
        self.address = address
    }

    static let interface = Artifact.escrow.interface
    private static let list = interface.known("list")
    private static let abort = interface.known("abort")
    private static let buy = interface.known("buy")
    private static let transferItem = interface.known("transfer_item")
    private static let refund = interface.known("refund")
    private static let confirm = interface.known("confirm")
    private static let dispute = interface.known("dispute")
    private static let claim = interface.known("claim")
    private static let rule = interface.known("rule")
    private static let executeDefault = interface.known("execute_default")
    private static let settle = interface.known("settle")
    private static let withdraw = interface.known("withdraw")

    /// What is sent to make the contract.
    ///
    /// - Parameters:
    ///   - item: The market's tokens, already deployed.
    ///   - platform: Who receives the platform's part.
    ///   - platformBasisPoints: The platform's part, at most 500.
    ///   - tokens: The ERC-20 tokens taken beside the chain's own money, at most 8.
    /// - Returns: Creation code with the arguments behind it.
    package static func creation(
        item: Address,
        platform: Address,
        platformBasisPoints: UInt64,
        tokens: [Address]
    ) -> [UInt8] {
        written {
            try Artifact.escrow.creation([
                .address(item), .address(platform), .small(platformBasisPoints),
                .array(tokens.map { .address($0) }),
            ])
        }
    }

    /// Offers a token for sale and locks the seller's deposit.
    ///
    /// In a token currency the contract must have been approved for the deposit before.
    ///
    /// - Parameters:
    ///   - terms: The offer.
    ///   - token: The seller's item, which the contract must be approved for; `nil` mints one.
    ///   - contentHash: The hash of what the item stands for.
    ///   - promise: The hash of the listing this sale fulfils.
    ///   - salt: Tells apart sales of the same terms.
    /// - Returns: The call, with the deposit as its value where the currency is the chain's own.
    package func list(
        terms: EscrowTerms,
        token: Amount?,
        contentHash: Bytes32,
        promise: Bytes32,
        salt: Bytes32
    ) -> ContractCall {
        ContractCall(
            to: address,
            Self.list,
            [
                terms.abiValue, .amount(token ?? .zero), .bytes32(contentHash), .bytes32(promise),
                .bytes32(salt),
            ],
            value: terms.currency == .native ? terms.sellerDeposit : .zero
        )
    }

    /// Pays price and buyer's deposit, under the terms the sale was listed with.
    ///
    /// In a token currency the contract must have been approved for both before.
    package func buy(_ sale: SaleID, terms: EscrowTerms) -> ContractCall {
        call(
            Self.buy,
            sale,
            value: terms.currency == .native ? terms.buyerSends : .zero
        )
    }

    package func abort(_ sale: SaleID) -> ContractCall { call(Self.abort, sale) }

    package func transferItem(_ sale: SaleID) -> ContractCall { call(Self.transferItem, sale) }

    package func refund(_ sale: SaleID) -> ContractCall { call(Self.refund, sale) }

    package func confirm(_ sale: SaleID) -> ContractCall { call(Self.confirm, sale) }

    package func dispute(_ sale: SaleID) -> ContractCall { call(Self.dispute, sale) }

    package func claim(_ sale: SaleID) -> ContractCall { call(Self.claim, sale) }

    package func executeDefault(_ sale: SaleID) -> ContractCall { call(Self.executeDefault, sale) }

    package func rule(_ sale: SaleID, share: SellerShare) -> ContractCall {
        call(Self.rule, sale, [.small(share.basisPoints)])
    }

    /// Proposes to settle, or agrees where the other party has proposed the same.
    package func settle(
        _ sale: SaleID,
        share: SellerShare,
        settleBy: ChainTime
    ) -> ContractCall {
        call(Self.settle, sale, [.small(share.basisPoints), .small(settleBy.seconds)])
    }

    /// Draws all of the sender's credit in one currency.
    package func withdraw(_ currency: Currency, to receiver: Address) -> ContractCall {
        ContractCall(
            to: address,
            Self.withdraw,
            [.address(currency.address), .address(receiver)]
        )
    }

    private func call(
        _ function: ABIFunction,
        _ sale: SaleID,
        _ arguments: [ABIValue] = [],
        value: Amount = .zero
    ) -> ContractCall {
        ContractCall(to: address, function, [.bytes32(sale.hash)] + arguments, value: value)
    }
}
