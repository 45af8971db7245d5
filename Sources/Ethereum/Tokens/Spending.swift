package import Market

/// Builds the steps that approve the spending of tokens and then spend them.
package enum Spending {
    /// Returns the steps that let `call` spend exactly `amount`.
    ///
    /// The approval is never higher than the amount. An earlier, other allowance is set to zero
    /// first, because some tokens refuse to change one nonzero allowance to another.
    ///
    /// - Parameters:
    ///   - call: The call that spends the tokens.
    ///   - amount: The amount, in the currency's smallest unit.
    ///   - currency: The currency; the native one needs no approval.
    ///   - allowance: The contract's present allowance.
    ///   - isShared: Whether other transactions can use the allowance up before.
    /// - Returns: One to three steps; each must be mined before the next is sent.
    package static func steps(
        for call: ContractCall,
        drawing amount: Amount,
        in currency: Currency,
        allowance: Amount = .zero,
        isShared: Bool = false
    ) -> [Intent.Step] {
        let last = Intent.Step(call)
        guard case .token(let address) = currency,
            allowance != amount || isShared && !amount.isZero
        else { return [last] }
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
