package import Keys

/// The state of a market's sale contracts, their sales and debts: the fold of all their events.
///
/// Source: Docs/contracts.md, section 3.
package struct SaleLedger: Sendable {
    /// A contract whose events are folded.
    package struct Contract: Hashable, Sendable {
        package let kind: SaleKind
        package let fees: MarketFees

        package init(kind: SaleKind, fees: MarketFees) { (self.kind, self.fees) = (kind, fees) }
    }

    /// An event of one of the contracts, decoded.
    package struct Event: Sendable {
        package enum Content: Sendable {
            case sale(any SaleEvent)
            /// An account withdrew this part of its credit to the address `to`.
            case withdrawn(ContractMoney.Credit, to: Address)
        }

        package let contract: Address
        package let content: Content

        package init(of contract: Address, _ content: Content) {
            (self.contract, self.content) = (contract, content)
        }

        /// The sale that the event is about, if any.
        package var sale: SaleID? {
            switch content {
            case .sale(let event): event.sale
            case .withdrawn: nil
            }
        }

        /// The event about a sale; `nil` for others.
        package var saleEvent: (any SaleEvent)? {
            if case .sale(let event) = content { event } else { nil }
        }
    }

    package let chain: ChainID
    package let contracts: [Address: Contract]
    package private(set) var sales: [SaleID: Sale] = [:]
    /// The debts of each contract.
    package private(set) var money: [Address: ContractMoney]
    private let folds: SaleFolds

    package init(
        chain: ChainID,
        contracts: [Address: Contract],
        folds: SaleFolds
    ) {
        (self.chain, self.contracts, self.folds) = (chain, contracts, folds)
        money = contracts.mapValues { _ in ContractMoney() }
    }

    /// Applies the next event of a contract.
    ///
    /// Sales are changed in place, because one can have thousands of bidders or students.
    ///
    /// - Throws: If the contract could not have emitted it here; the state is unchanged.
    package mutating func apply(_ event: Event) throws(SaleFault) {
        guard let contract = contracts[event.contract] else { throw .otherSale }
        switch event.content {
        case .withdrawn(let credit, _): try money[event.contract]?.withdraw(credit)
        case .sale(let content): try apply(content, of: event.contract, contract)
        }
    }

    private mutating func apply(
        _ event: any SaleEvent,
        of address: Address,
        _ contract: Contract
    ) throws(SaleFault) {
        let reference = ContractReference(chain: chain, address: address)
        guard let known = sales[event.sale]?.reference.contract else {
            let opened = try folds.sale(
                of: contract.kind,
                listing: event,
                contract: reference,
                fees: contract.fees
            )
            try money[address]?.take(opened.taken, in: opened.sale.currency)
            sales[event.sale] = opened.sale
            return
        }
        guard known == reference else { throw .otherSale }
        // The money taken cannot overflow: an amount is below 2¹²⁸, and a sale has far fewer than
        // 2⁶⁴ of them.
        if let credit = event.credit, money[address]?.canAdd(credit) != true { throw .wrongCredit }
        // The bid counted in full as money taken; the credit that paid for it is no longer owed.
        if let used = event.usedCredit, money[address]?.canTake(used) != true { throw .wrongCredit }
        guard let taken = try sales[event.sale]?.apply(event),
            let currency = sales[event.sale]?.currency
        else { return }
        if let credit = event.credit { money[address]?.add(credit, of: event.sale) }
        if let used = event.usedCredit { try money[address]?.withdraw(used) }
        try money[address]?.take(taken, in: currency)
    }
}
