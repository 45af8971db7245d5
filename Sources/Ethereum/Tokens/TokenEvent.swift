package import Keys
package import Market

/// An event of an ERC-20 token.
///
/// Source: EIP-20, "Events".
package enum TokenEvent: Hashable, Sendable {
    case transferred(from: Address, to: Address, amount: Amount)
    case approved(owner: Address, spender: Address, amount: Amount)

    package static let transferTopic = transfer.topic

    private static let transfer = ABIEvent(name: "Transfer", inputs: pairAndAmount)
    private static let approval = ABIEvent(name: "Approval", inputs: pairAndAmount)
    private static let pairAndAmount = [
        ABIParameter(type: .address, isIndexed: true),
        ABIParameter(type: .address, isIndexed: true),
        ABIParameter(type: .uint256),
    ]

    /// Decodes one log of a token.
    ///
    /// - Throws: ``ABIError/topic`` for any other event, and ``ABIError/count(expected:found:)``
    ///   for that of an ERC-721 token, whose third argument is a topic too.
    package init(_ log: ContractLog) throws(ABIError) {
        let event = log.topics.first == Self.approval.topic ? Self.approval : Self.transfer
        var reader = try ABIValueReader(event.decode(log))
        let (first, second) = (try reader.address(), try reader.address())
        let amount = try reader.amount()
        self =
            event == Self.approval
            ? .approved(owner: first, spender: second, amount: amount)
            : .transferred(from: first, to: second, amount: amount)
    }
}
