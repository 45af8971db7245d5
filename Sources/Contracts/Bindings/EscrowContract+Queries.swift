package import Keys
package import Market

extension EscrowContract {
    /// A sale as stored in the contract.
    package struct Sale: ContractSale {
        package let status: EscrowStatus
        package let seller: Address
        package let buyer: Address?
        package let token: Amount
        package let promise: Bytes32
        /// The time when the status was reached.
        package let since: ChainTime
        package let terms: EscrowTerms
        package let proposal: SettlementProposal?

        package var stage: SaleStage { status.stage }

        package func agrees(with state: any SaleState) -> Bool {
            guard let state = state as? EscrowSale else { return false }
            return status == state.status && seller == state.seller && buyer == state.buyer
                && token == state.listing.token && promise == state.listing.promise
                && since == state.since && terms == state.terms
                && proposal == state.deal?.proposal
        }
    }

    private static let sale = interface.known("sale")
    private static let saleID = interface.known("sale_id")
    private static let credit = interface.known("credit")
    private static let owed = interface.known("owed")
    private static let currencies = interface.known("currencies")
    private static let isCurrency = interface.known("is_currency")
    private static let item = interface.known("ITEM")
    private static let platform = interface.known("PLATFORM")
    private static let platformBasisPoints = interface.known("PLATFORM_BPS")
    private static let makerBasisPoints = interface.known("MAKER_BPS")

    /// Reads a sale; `nil` if there is none with this id.
    package func sale(_ id: SaleID) -> ContractQuery<Sale?> {
        ContractQuery(to: address, Self.sale, [.bytes32(id.hash)]) { reader in
            var fields = try reader.tuple()
            return try Sale(&fields)
        }
    }

    /// Asks the contract to compute the id that a sale has or will have.
    package func saleID(
        seller: Address,
        salt: Bytes32,
        token: Amount?,
        contentHash: Bytes32,
        promise: Bytes32,
        terms: EscrowTerms
    ) -> ContractQuery<SaleID> {
        let arguments: [ABIValue] = [
            .address(seller), .bytes32(salt), .amount(token ?? .zero), .bytes32(contentHash),
            .bytes32(promise), terms.abiValue,
        ]
        return ContractQuery(to: address, Self.saleID, arguments) { SaleID(try $0.bytes32()) }
    }

    /// Reads the credit that `account` can withdraw.
    package func credit(of account: Address, in currency: Currency) -> ContractQuery<Amount> {
        let arguments: [ABIValue] = [.address(currency.address), .address(account)]
        return ContractQuery(to: address, Self.credit, arguments) { try $0.amount() }
    }

    /// Reads what the contract owes to all sales and accounts together.
    package func owed(in currency: Currency) -> ContractQuery<Amount> {
        ContractQuery(to: address, Self.owed, [.address(currency.address)]) { try $0.amount() }
    }

    package func accepts(_ currency: Currency) -> ContractQuery<Bool> {
        ContractQuery(to: address, Self.isCurrency, [.address(currency.address)]) {
            try $0.bool()
        }
    }

    /// The tokens that are accepted besides the chain's native currency.
    package var currencies: ContractQuery<[Address]> {
        ContractQuery(to: address, Self.currencies) { try $0.addresses() }
    }

    package var item: ContractQuery<Address> {
        ContractQuery(to: address, Self.item) { try $0.address() }
    }

    package var platform: ContractQuery<Address> {
        ContractQuery(to: address, Self.platform) { try $0.address() }
    }

    package var platformBasisPoints: ContractQuery<UInt64> {
        ContractQuery(to: address, Self.platformBasisPoints) { try $0.small("a fee") }
    }

    package var makerBasisPoints: ContractQuery<UInt64> {
        ContractQuery(to: address, Self.makerBasisPoints) { try $0.small("a fee") }
    }
}

extension EscrowContract.Sale {
    /// Decodes the contract's struct `Sale`; `nil` if its status says that there is no sale.
    fileprivate init?(_ reader: inout ABIValueReader) throws(ABIError) {
        let number = try reader.small("a status")
        if number == 0 { return nil }
        status = try EscrowStatus(number: number)
        seller = try reader.address()
        buyer = try reader.party()
        token = try reader.amount()
        promise = try reader.bytes32()
        since = try reader.time()
        var termFields = try reader.tuple()
        terms = try EscrowTerms(&termFields)
        var offer = try reader.tuple()
        if let by = try offer.party() {
            let (share, settleBy) = (try offer.share(), try offer.time())
            proposal = SettlementProposal(by: by, share: share, settleBy: settleBy)
        } else {
            proposal = nil
        }
    }
}

extension EscrowStatus {
    /// Decodes the contract's flag, in which exactly one bit is set.
    init(number: UInt64) throws(ABIError) {
        guard let status = EscrowStatus(rawValue: number) else { throw .meaningless("a status") }
        self = status
    }
}
