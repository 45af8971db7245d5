package import Keys
package import Market

extension Artifact {
    package static let escrow = embedded(PackageResources.Escrow_json)
}

/// The market's escrow contract, for sales in which both sides lock a deposit.
///
/// Source: Sources/Contracts/Vyper/Escrow.vy; Docs/contracts.md, "Escrow".
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
    private static let transferItem = interface.known("transfer_item")
    private static let refund = interface.known("refund")
    private static let confirm = interface.known("confirm")
    private static let dispute = interface.known("dispute")
    private static let claim = interface.known("claim")
    private static let rule = interface.known("rule")
    private static let executeDefault = interface.known("execute_default")
    private static let settle = interface.known("settle")
    private static let withdraw = interface.known("withdraw")

    /// Encodes the data of a transaction that deploys the contract.
    ///
    /// - Parameters:
    ///   - item: The market's item contract, already deployed, which fixes the maker's share.
    ///   - fees: The platform and its share.
    ///   - tokens: The ERC-20 tokens accepted besides the chain's native currency, at most 8.
    /// - Returns: Creation code, followed by the arguments.
    package static func creation(
        item: Address,
        fees: MarketFees,
        tokens: [Address]
    ) -> [UInt8] {
        written {
            try artifact.creation([
                .address(item), .address(fees.platform), .small(fees.platformBasisPoints),
                .array(tokens.map { .address($0) }),
            ])
        }
    }

    /// Offers an item for sale and locks the seller's deposit.
    ///
    /// If the currency is a token, the contract must be approved for the deposit first.
    ///
    /// - Parameters:
    ///   - terms: The offer.
    ///   - token: The seller's item, which the contract must be approved for; `nil` mints one.
    ///   - contentHash: The hash of what the item stands for.
    ///   - promise: The hash of the listing that this sale fulfils.
    ///   - salt: Distinguishes sales with the same terms.
    /// - Returns: The call, with the deposit as its value if the currency is the native one.
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

    /// Pays the price and the buyer's deposit, under the terms that the sale was listed with.
    ///
    /// If the currency is a token, the contract must be approved for both amounts first.
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

    /// Proposes to settle, or agrees if the other party has proposed the same.
    package func settle(
        _ sale: SaleID,
        share: SellerShare,
        settleBy: ChainTime
    ) -> ContractCall {
        call(Self.settle, sale, [.small(share.basisPoints), .small(settleBy.seconds)])
    }

    /// Withdraws the caller's whole credit in one currency.
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
