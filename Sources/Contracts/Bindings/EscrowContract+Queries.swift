package import Ethereum
package import Keys
package import Market

extension EscrowContract {
    /// A sale as stored in the contract, beside the terms, to which its id commits.
    package struct Sale: StoredSale {
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
        /// The latest time at which a ruling can be due in a new offer that names the arbiter; zero
        /// if there is no registration.
        package let until: ChainTime

        package init(feeMin: Amount, until: ChainTime) {
            (self.feeMin, self.until) = (feeMin, until)
        }
    }

    /// Reads an account's terms as an arbiter in one currency.
    package func arbiterTerms(
        of account: Address,
        in currency: Currency
    ) -> ContractQuery<ArbiterTerms> {
        query("arbiter_terms", [.address(account), .address(currency.address)]) {
            // Anyone can register for ever, by using the greatest possible number.
            ArbiterTerms(feeMin: try $0.amount(), until: try $0.clampedTime())
        }
    }
}

extension EscrowContract.Sale {
    package init?(_ reader: inout ABIValueReader) throws(ABIError) {
        var ahead = reader
        if try ahead.small("a status") == 0 { return nil }
        status = try reader.flag()
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
