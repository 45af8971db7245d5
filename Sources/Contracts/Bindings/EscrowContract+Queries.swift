package import Keys
package import Market

extension EscrowContract {
    /// A sale as stored in the contract, beside the terms, to which its id commits.
    package struct Sale: ContractSale {
        package let status: EscrowStatus
        package let buyer: Address?
        package let token: Amount
        /// When the window of the present status ends; `nil` for an ended sale.
        package let deadline: ChainTime?
        /// Whether the arbiter took the case.
        package let isTaken: Bool
        package let sellerProposal: Proposal?
        package let buyerProposal: Proposal?

        package var stage: SaleStage { status.stage }

        package func agrees(with state: any SaleState) -> Bool {
            guard let state = state as? EscrowSale, status == state.status,
                buyer == state.buyer, token == state.listing.token, deadline == state.deadline
            else { return false }
            // Of an ended sale the contract keeps only how it ended.
            guard stage != .over else { return true }
            return isTaken == state.isTaken
                && sellerProposal == state.deal?.sellerProposal.map { Proposal($0) }
                && buyerProposal == state.deal?.buyerProposal.map { Proposal($0) }
        }
    }

    /// A proposal to settle as stored in the contract.
    package struct Proposal: Hashable, Sendable {
        package let share: SellerShare
        package let until: ChainTime

        init(_ proposal: SettlementProposal) {
            (share, until) = (proposal.share, proposal.until)
        }

        /// Decodes the contract's struct `Proposal`; `nil` if there is none.
        fileprivate init?(_ reader: inout ABIValueReader) throws(ABIError) {
            (share, until) = (try reader.share(), try reader.time())
            if until.seconds == 0 { return nil }
        }
    }

    /// On what terms an account is an arbiter in one currency.
    package struct ArbiterTerms: Hashable, Sendable {
        /// The lowest fee.
        package let feeMin: Amount
        /// The latest end of an offer that can name the arbiter; zero if there is no registration.
        package let until: ChainTime

        package init(feeMin: Amount, until: ChainTime) {
            (self.feeMin, self.until) = (feeMin, until)
        }
    }

    private static let sale = interface.known("sale")
    private static let saleID = interface.known("sale_id")
    private static let arbiterTerms = interface.known("arbiter_terms")
    private static let credit = interface.known("credit")
    private static let owed = interface.known("owed")
    private static let currencies = interface.known("currencies")
    private static let isCurrency = interface.known("is_currency")
    private static let item = interface.known("ITEM")
    private static let chainID = interface.known("CHAIN_ID")
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

    /// Asks the contract to compute the id that an offer's sale has or will have.
    package func saleID(_ offer: EscrowOffer) -> ContractQuery<SaleID> {
        ContractQuery(to: address, Self.saleID, [offer.abiValue]) { SaleID(try $0.bytes32()) }
    }

    /// Reads on what terms an account is an arbiter in one currency.
    package func arbiterTerms(
        of account: Address,
        in currency: Currency
    ) -> ContractQuery<ArbiterTerms> {
        let arguments: [ABIValue] = [.address(account), .address(currency.address)]
        return ContractQuery(to: address, Self.arbiterTerms, arguments) {
            // Anybody can register for ever, with the greatest number that there is.
            ArbiterTerms(feeMin: try $0.amount(), until: try $0.clampedTime())
        }
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

    /// The chain's id when the contract was deployed, with which it computes the ids of sales.
    package var chainID: ContractQuery<UInt64> {
        ContractQuery(to: address, Self.chainID) { try $0.small("a chain's id") }
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
        buyer = try reader.party()
        token = try reader.amount()
        let deadline = try reader.time()
        self.deadline = deadline.seconds == 0 ? nil : deadline
        isTaken = try reader.bool()
        var sellers = try reader.tuple()
        sellerProposal = try EscrowContract.Proposal(&sellers)
        var buyers = try reader.tuple()
        buyerProposal = try EscrowContract.Proposal(&buyers)
    }
}

extension EscrowStatus {
    /// Decodes the contract's flag, in which exactly one bit is set.
    init(number: UInt64) throws(ABIError) {
        guard let status = EscrowStatus(rawValue: number) else { throw .meaningless("a status") }
        self = status
    }
}
