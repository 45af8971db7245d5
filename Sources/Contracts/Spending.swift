package import Market

/// Builds the steps by which a contract is let draw tokens and does so.
package enum Spending {
    /// Steps that let a contract draw exactly `amount` in `call`.
    ///
    /// Never more is allowed than is drawn. What was allowed before is set to zero first, because
    /// some tokens refuse to change one allowance to another.
    ///
    /// - Parameters:
    ///   - call: What draws it.
    ///   - amount: How much it draws, in the currency's smallest unit.
    ///   - currency: The chain's own money needs no allowance.
    ///   - allowance: What the contract may draw now.
    /// - Returns: One to three steps, each to be sent after the one before is mined.
    package static func steps(
        for call: ContractCall,
        drawing amount: Amount,
        in currency: Currency,
        allowance: Amount = .zero
    ) -> [Intent.Step] {
        let last = Intent.Step(call)
        guard case .token(let address) = currency, allowance != amount else { return [last] }
        let token = TokenContract(address: address)
        let approval = Intent.Step(token.approve(call.to, amount: amount))
        guard !allowance.isZero else { return [approval, last] }
        return [Intent.Step(token.approve(call.to, amount: .zero)), approval, last]
    }
}

extension Intent.Step {
    package init(_ call: ContractCall) {
        self.init(to: call.to, value: call.value, data: call.data)
    }
}
