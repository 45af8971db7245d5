package import Keys

/// One contract's debts: to running sales, and to accounts that can withdraw.
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

    /// The rest of the amount that one sale has credited to an account.
    package struct Part: Hashable, Sendable {
        package let sale: SaleID
        package fileprivate(set) var amount: Amount
    }

    /// An account's withdrawable credit, and the sales that it comes from, oldest first; never
    /// empty.
    private struct Balance: Hashable, Sendable {
        var sum: Amount
        var parts: [Part]

        mutating func add(_ part: Part) {
            sum = sum.adding(part.amount) ?? .max
            // A sale can credit an account several times, such as one that is outbid twice.
            if let last = parts.last, last.sale == part.sale {
                parts[parts.count - 1].amount = last.amount.adding(part.amount) ?? .max
            } else {
                parts.append(part)
            }
        }

        /// Takes the newest parts if they are exactly the amount, as when a seller draws the
        /// deposits of ended sales to list again; else the oldest ones.
        mutating func take(_ amount: Amount, leaving rest: Amount) {
            sum = rest
            if let first = firstOfNewest(amount) { return parts.removeSubrange(first...) }
            var open = amount
            var emptied = 0
            while emptied < parts.count, let left = open.subtracting(parts[emptied].amount) {
                open = left
                emptied += 1
            }
            parts.removeFirst(emptied)
            if let first = parts.first?.amount.subtracting(open) { parts[0].amount = first }
        }

        /// The place from which on the parts are exactly an amount; `nil` if there is none.
        private func firstOfNewest(_ amount: Amount) -> Int? {
            var open = amount
            for place in parts.indices.reversed() {
                guard let left = open.subtracting(parts[place].amount) else { return nil }
                if left.isZero { return place }
                open = left
            }
            return nil
        }
    }

    /// The contract's total debt to sales and accounts.
    package private(set) var owed: [Currency: Amount] = [:]
    private var credits: [Key: Balance] = [:]

    package init() {}

    /// Returns the amount that `account` can withdraw.
    package func credit(of account: Address, in currency: Currency) -> Amount {
        credits[Key(currency: currency, account: account)]?.sum ?? .zero
    }

    /// Returns the sales behind an account's credit, oldest first.
    ///
    /// An account collects from a contract, not from a sale: the newest credits are used if they
    /// are exactly the collected amount, and else the oldest ones.
    package func parts(of account: Address, in currency: Currency) -> [Part] {
        credits[Key(currency: currency, account: account)]?.parts ?? []
    }

    /// The number of credits that are not zero.
    package var openCreditCount: Int { credits.count }

    package mutating func take(_ amount: Amount, in currency: Currency) throws(SaleFault) {
        guard !amount.isZero else { return }
        guard let sum = (owed[currency] ?? .zero).adding(amount) else { throw .wrongPayout }
        owed[currency] = sum
    }

    /// Returns whether an account's credit can grow by so much.
    func canAdd(_ credit: Credit) -> Bool {
        self.credit(of: credit.account, in: credit.currency).adding(credit.amount) != nil
    }

    /// Adds a sale's credit to an account; see ``canAdd(_:)``.
    package mutating func add(_ credit: Credit, of sale: SaleID) {
        guard !credit.amount.isZero else { return }
        let key = Key(currency: credit.currency, account: credit.account)
        let part = Part(sale: sale, amount: credit.amount)
        guard credits[key] != nil else {
            credits[key] = Balance(sum: credit.amount, parts: [part])
            return
        }
        credits[key]?.add(part)
    }

    /// Returns whether an account's credit is at least so much.
    func canTake(_ credit: Credit) -> Bool {
        !credit.amount.isZero
            && self.credit(of: credit.account, in: credit.currency).subtracting(credit.amount)
                != nil
    }

    /// Removes an amount that was withdrawn or used to pay for a sale; the account's credit is at
    /// least that amount.
    package mutating func withdraw(_ credit: Credit) throws(SaleFault) {
        let key = Key(currency: credit.currency, account: credit.account)
        guard !credit.amount.isZero, let rest = credits[key]?.sum.subtracting(credit.amount),
            let stillOwed = owed[credit.currency]?.subtracting(credit.amount)
        else { throw .wrongCredit }
        owed[credit.currency] = stillOwed
        if rest.isZero {
            credits[key] = nil
        } else {
            credits[key]?.take(credit.amount, leaving: rest)
        }
    }
}
