package import Keys

/// The state of one escrow contract, its sales and debts: the fold of all its events.
///
/// Source: Docs/contracts.md, "Credits".
package struct EscrowLedger: Hashable, Sendable {
    /// An event of the contract, decoded.
    package enum Event: Hashable, Sendable {
        case sale(EscrowEvent)
        /// `account` withdrew all its credit to the address `to`.
        case withdrawn(currency: Currency, account: Address, to: Address, amount: Amount)
    }

    /// An account's credit in one currency.
    private struct CreditKey: Hashable {
        let currency: Currency
        let account: Address
    }

    package let contract: ContractReference
    package let fees: MarketFees
    package private(set) var sales: [SaleID: EscrowSale] = [:]
    /// The contract's total debt to sales and accounts.
    package private(set) var owed: [Currency: Amount] = [:]
    private var credits: [CreditKey: Amount] = [:]

    package init(contract: ContractReference, fees: MarketFees) {
        (self.contract, self.fees) = (contract, fees)
    }

    /// Returns the amount that `account` can withdraw.
    package func credit(of account: Address, in currency: Currency) -> Amount {
        credits[CreditKey(currency: currency, account: account)] ?? .zero
    }

    /// Every credit that is not zero.
    package var openCredits: [(currency: Currency, account: Address, amount: Amount)] {
        credits.map { ($0.key.currency, $0.key.account, $0.value) }
    }

    /// Applies the contract's next event.
    ///
    /// - Throws: If the contract could not have emitted it here; the state is unchanged.
    package mutating func apply(_ event: Event) throws(SaleFault) {
        switch event {
        case .sale(let event):
            try apply(event)
        case .withdrawn(let currency, let account, _, let amount):
            let key = CreditKey(currency: currency, account: account)
            guard !amount.isZero, credits[key] == amount,
                let rest = owed[currency]?.subtracting(amount)
            else { throw .wrongCredit }
            credits[key] = nil
            owed[currency] = rest
        }
    }

    private mutating func apply(_ event: EscrowEvent) throws(SaleFault) {
        guard var sale = sales[event.sale] else {
            let sale = try EscrowSale(listing: event, contract: contract, fees: fees)
            try owe(sale.terms.sellerDeposit, in: sale.terms.currency)
            sales[event.sale] = sale
            return
        }
        try sale.apply(event)
        switch event.change {
        case .bought:
            try owe(sale.terms.buyerSends, in: sale.terms.currency)
        case .credited(let currency, let account, let amount):
            let key = CreditKey(currency: currency, account: account)
            guard let sum = (credits[key] ?? .zero).adding(amount) else { throw .wrongCredit }
            credits[key] = sum
        case .listed, .itemTransferred, .disputed, .settlementProposed, .ended: break
        }
        sales[event.sale] = sale
    }

    private mutating func owe(_ amount: Amount, in currency: Currency) throws(SaleFault) {
        guard let sum = (owed[currency] ?? .zero).adding(amount) else { throw .wrongPayout }
        owed[currency] = sum
    }
}
