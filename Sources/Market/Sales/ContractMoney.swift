package import Keys

/// What one contract owes: to sales that run, and to accounts that can withdraw.
///
/// Source: Docs/contracts.md, section 3.
package struct ContractMoney: Hashable, Sendable {
    /// An amount that an account can withdraw, as an event reports it.
    package struct Credit: Hashable, Sendable {
        package let currency: Currency
        package let account: Address
        package let amount: Amount

        package init(currency: Currency, account: Address, amount: Amount) {
            (self.currency, self.account, self.amount) = (currency, account, amount)
        }
    }

    /// An account's credit in one currency.
    private struct Key: Hashable {
        let currency: Currency
        let account: Address
    }

    /// The contract's total debt to sales and accounts.
    package private(set) var owed: [Currency: Amount] = [:]
    private var credits: [Key: Amount] = [:]

    package init() {}

    /// Returns the amount that `account` can withdraw.
    package func credit(of account: Address, in currency: Currency) -> Amount {
        credits[Key(currency: currency, account: account)] ?? .zero
    }

    /// The number of credits that are not zero.
    package var openCreditCount: Int { credits.count }

    mutating func take(_ amount: Amount, in currency: Currency) throws(SaleFault) {
        guard !amount.isZero else { return }
        guard let sum = (owed[currency] ?? .zero).adding(amount) else { throw .wrongPayout }
        owed[currency] = sum
    }

    mutating func add(_ credit: Credit) throws(SaleFault) {
        let key = Key(currency: credit.currency, account: credit.account)
        guard let sum = (credits[key] ?? .zero).adding(credit.amount) else { throw .wrongCredit }
        credits[key] = sum
    }

    /// Removes an amount from the credit of an account, which is at least that amount.
    mutating func withdraw(_ credit: Credit) throws(SaleFault) {
        let key = Key(currency: credit.currency, account: credit.account)
        guard !credit.amount.isZero, let rest = credits[key]?.subtracting(credit.amount),
            let stillOwed = owed[credit.currency]?.subtracting(credit.amount)
        else { throw .wrongCredit }
        credits[key] = rest.isZero ? nil : rest
        owed[credit.currency] = stillOwed
    }
}
