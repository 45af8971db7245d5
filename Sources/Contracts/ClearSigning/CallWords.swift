package import Ethereum
import Keys
import Market
package import Texts

/// The purpose of a transaction, in the words that wallets show.
///
/// Pure: the words are those of ``ClearSigningTexts``, so a hardware wallet that has the market's
/// descriptors shows the same.
package struct CallWords: Hashable, Sendable {
    /// The purpose, such as `Buy an item and lock your deposit`.
    package let intent: Sentence
    /// The values that must be seen before signing, each with its label.
    package let details: [Sentence]

    /// The purpose, then each value.
    package var sentences: [Sentence] { [intent] + details }
}

extension Sentence {
    /// A value of a call with its label.
    ///
    /// - Parameters:
    ///   - label: The label's code.
    ///   - value: The value.
    ///   - type: Of which type it is, see Docs/api.md, section 1.5.
    fileprivate init(_ label: String, _ value: String, as type: ValueType) {
        let values = ["label": label, "value": value]
        switch type {
        case .account: self.init("signing.account", values)
        case .amount: self.init("signing.amount", values)
        case .duration: self.init("signing.duration", values)
        case .share: self.init("signing.share", values)
        case .term: self.init("signing.term", values)
        case .text: self.init("signing.text", values)
        case .time: self.init("signing.time", values)
        }
    }
}

/// The types of values that a call has.
private enum ValueType {
    case account, amount, duration, share, term, text, time
}

extension DeployedMarket {
    /// Returns the words of a transaction to one of the market's contracts, to a token, or to an
    /// account.
    ///
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - contracts: The kinds of contracts that this program knows.
    /// - Returns: The words, which are those that wallets show.
    package func words(of transaction: Transaction, _ contracts: SaleContracts) -> CallWords {
        guard let to = transaction.to else {
            return CallWords(intent: Sentence("call.create"), details: [paid(transaction)])
        }
        if let (artifact, texts) = texts(at: to, contracts),
            let words = CallWords(transaction, artifact, texts, in: self)
        {
            return words
        }
        if let words = CallWords(token: to, transaction.data, in: self) { return words }
        let isBare = transaction.data.isEmpty
        return CallWords(
            intent: isBare ? Sentence("call.send") : Sentence("call.unknown"),
            details: [Sentence("label.to", to.checksummed, as: .account), paid(transaction)]
        )
    }

    private func paid(_ transaction: Transaction) -> Sentence {
        Sentence("label.paidIn", transaction.value.value(in: .native, on: chain), as: .amount)
    }

    private func texts(
        at address: Address,
        _ contracts: SaleContracts
    ) -> (Artifact, ClearSigningTexts)? {
        if address == item.address { return (.item, ItemContract.clearSigning) }
        guard let kind = contract(at: address)?.kind,
            let type = contracts.types.first(where: { $0.kind == kind })
        else { return nil }
        return (type.artifact, type.clearSigning)
    }
}

extension CallWords {
    /// The words of a call of a contract with ``ClearSigningTexts``; `nil` if it has none.
    fileprivate init?(
        _ transaction: Transaction,
        _ artifact: Artifact,
        _ texts: ClearSigningTexts,
        in market: DeployedMarket
    ) {
        let interface = artifact.interface
        guard let selector = FunctionSelector(startOf: transaction.data),
            let function = interface.function(selector),
            let call = texts.calls.first(where: { interface.known($0.function) == function }),
            let arguments = try? function.decodeCall(transaction.data)  // else it has no words
        else { return nil }
        var values: [String: ABIValue] = ["@.value": .amount(transaction.value)]
        for (input, argument) in zip(function.inputs, arguments) {
            input.collect(argument, under: "", into: &values)
        }
        let fields = Dictionary((texts.fields + call.fields).map { ($0.path, $0) }) { $1 }
        intent = Sentence(call.intent)
        details = call.shown.compactMap { path in
            guard let value = values[path] else { return nil }
            let field = fields[path] ?? ClearSigningField(path, path, .plain)
            let (text, type) = field.format.value(value, values, on: market.chain)
            return Sentence(field.label, text, as: type)
        }
    }

    /// The words of a call of an ERC-20 token that the market takes; `nil` for another call.
    fileprivate init?(token address: Address, _ data: [UInt8], in market: DeployedMarket) {
        guard
            market.tokens.contains(where: { $0.address == address })
                || market.currencies.contains(.token(address)),
            let call = TokenContract.change(in: data)
        else { return nil }
        let amount = call.amount.value(in: .token(address), on: market.chain)
        let receiver = call.receiver.checksummed
        switch call.change {
        case .approve:
            intent = Sentence("call.allowToken")
            details = [
                Sentence("label.most", amount, as: .amount),
                Sentence("label.contract", receiver, as: .account),
            ]
        case .transfer:
            intent = Sentence("call.sendTokens")
            details = [
                Sentence("label.amount", amount, as: .amount),
                Sentence("label.to", receiver, as: .account),
            ]
        }
    }
}

extension ABIParameter {
    /// Names each part of a value by its path, as ``ABIFunction/paths`` does.
    fileprivate func collect(
        _ value: ABIValue,
        under parent: String,
        into values: inout [String: ABIValue]
    ) {
        let path = parent + name
        switch (type, value) {
        case (.tuple, .tuple(let parts)):
            for (component, part) in zip(components, parts) {
                component.collect(part, under: path + ".", into: &values)
            }
        case (.fixedArray, .array(let elements)):
            for (index, element) in elements.enumerated() {
                values["\(path).[\(index)]"] = element
            }
        default: values[path] = value
        }
    }
}

extension ClearSigningField.Format {
    /// Returns a value with its type; one of another type than expected stays as it is.
    fileprivate func value(
        _ value: ABIValue,
        _ values: [String: ABIValue],
        on chain: ChainID
    ) -> (String, ValueType) {
        switch (self, value) {
        case (.amount(let path), .uint(let number)):
            guard case .address(let token)? = values[path], let amount = Amount(number) else {
                return ("\(value)", .text)
            }
            return (amount.value(in: Currency(address: token), on: chain), .amount)
        case (.native, .uint(let number)):
            guard let amount = Amount(number) else { return ("\(value)", .text) }
            return (amount.value(in: .native, on: chain), .amount)
        case (.date, .uint(let number)):
            guard let seconds = UInt64(exactly: number), seconds < 1 << 40 else {
                return ("\(value)", .text)
            }
            return (ChainTime(seconds: seconds).value, .time)
        case (.duration, .uint(let number)):
            guard let seconds = UInt64(exactly: number), seconds < 1 << 40 else {
                return ("\(value)", .text)
            }
            return ("\(seconds)", .duration)
        case (.share, .uint(let number)):
            guard let points = UInt64(exactly: number) else { return ("\(value)", .text) }
            return ("\(points)", .share)
        case (.address, .address(let address)) where address == .zero:
            return ("role.nobody", .term)
        case (.address, .address(let address)): return (address.checksummed, .account)
        default: return ("\(value)", .text)
        }
    }
}
