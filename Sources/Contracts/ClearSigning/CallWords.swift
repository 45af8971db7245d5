package import Ethereum
import Foundation
import Keys
import Market
import Texts

/// The purpose of a transaction, in the words that wallets show.
///
/// Pure: the words are those of ``ClearSigningTexts``, so a hardware wallet that has the market's
/// descriptors shows the same.
package struct CallWords: Hashable, Sendable {
    /// The purpose, such as `Buy an item and lock your deposit`.
    package let intent: String
    /// A label and a text that must be seen before signing.
    package let details: [Detail]

    /// One value of the call.
    package struct Detail: Hashable, Sendable {
        package let label: String
        package let text: String
    }

    /// One line for each value, after the intent.
    package var lines: [String] { [intent] + details.map { "\($0.label): \($0.text)" } }
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
            return CallWords(intent: "Make a new contract", details: [paid(transaction)])
        }
        if let (artifact, texts) = texts(at: to, contracts),
            let words = CallWords(transaction, artifact, texts, in: self)
        {
            return words
        }
        if let words = CallWords(token: to, transaction.data, in: self) { return words }
        let isBare = transaction.data.isEmpty
        return CallWords(
            intent: isBare ? "Send money" : "Call a contract that this node does not know",
            details: [CallWords.Detail(label: "To", text: to.checksummed), paid(transaction)]
        )
    }

    private func paid(_ transaction: Transaction) -> CallWords.Detail {
        let text = PriceText.text(transaction.value, in: .native, on: chain)
        return CallWords.Detail(label: "Paid in now", text: text)
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
        intent = call.intent
        details = call.shown.compactMap { path in
            guard let value = values[path] else { return nil }
            let field = fields[path] ?? ClearSigningField(path, path, .plain)
            return Detail(
                label: field.label,
                text: field.format.text(value, values, on: market.chain)
            )
        }
    }

    /// The words of a call of an ERC-20 token that the market takes; `nil` for another call.
    fileprivate init?(token address: Address, _ data: [UInt8], in market: DeployedMarket) {
        guard
            market.tokens.contains(where: { $0.address == address })
                || market.currencies.contains(.token(address)),
            let call = TokenContract.change(in: data)
        else { return nil }
        let amount = PriceText.text(call.amount, in: .token(address), on: market.chain)
        switch call.change {
        case .approve:
            intent = "Allow a contract to take tokens of yours"
            details = [
                Detail(label: "At most", text: amount),
                Detail(label: "Contract", text: call.receiver.checksummed),
            ]
        case .transfer:
            intent = "Send tokens"
            details = [
                Detail(label: "Amount", text: amount),
                Detail(label: "To", text: call.receiver.checksummed),
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
    /// Returns a value as a person reads it; one of another type than expected stays as it is.
    fileprivate func text(
        _ value: ABIValue,
        _ values: [String: ABIValue],
        on chain: ChainID
    ) -> String {
        switch (self, value) {
        case (.amount(let path), .uint(let number)):
            guard case .address(let token)? = values[path], let amount = Amount(number) else {
                return "\(value)"
            }
            return PriceText.text(amount, in: Currency(address: token), on: chain)
        case (.native, .uint(let number)):
            guard let amount = Amount(number) else { return "\(value)" }
            return PriceText.text(amount, in: .native, on: chain)
        case (.date, .uint(let number)):
            guard let seconds = Int64(exactly: number), seconds < 1 << 40 else { return "\(value)" }
            return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        case (.duration, .uint(let number)):
            guard let seconds = Int64(exactly: number), seconds < 1 << 40 else { return "\(value)" }
            return Duration.seconds(seconds).inWords
        case (.share, .uint(let number)):
            guard let points = UInt64(exactly: number) else { return "\(value)" }
            return NumberWords.percent(points)
        case (.address, .address(let address)) where address == .zero: return "nobody"
        default: return "\(value)"
        }
    }
}
