package import Keys
package import Market

/// A block with its transactions, as far as they move the native currency.
package struct BlockTransfers: Equatable, Sendable {
    package let header: BlockHeader
    package let transactions: [Transfer]

    /// One transaction of the block; whether it succeeded is only in its receipt.
    package struct Transfer: Hashable, Sendable {
        package let hash: Bytes32
        package let from: Address
        /// `nil` if it creates a contract.
        package let to: Address?
        package let value: Amount
    }
}

extension BlockTransfers: Decodable {
    private enum Key: String, CodingKey { case transactions }

    package init(from decoder: any Decoder) throws {
        header = try BlockHeader(from: decoder)
        transactions = try decoder.container(keyedBy: Key.self)
            .decode([Transfer].self, forKey: .transactions)
    }
}

extension BlockTransfers.Transfer: Decodable {
    private enum Key: String, CodingKey { case hash, from, to, value }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        hash = try fields.hash(.hash)
        from = try fields.address(.from)
        let isCall = try fields.decodeIfPresent(HexBytes.self, forKey: .to) != nil
        to = isCall ? try fields.address(.to) : nil
        value = try fields.amount(.value)
    }
}

extension RPCCall where Answer == BlockTransfers? {
    /// Reads a block with all its transactions.
    package static func transfers(in block: UInt64) -> Self {
        Self("eth_getBlockByNumber", [.block(.number(block)), .flag(true)])
    }
}

extension RPCCall where Answer == [ContractEvent] {
    /// Reads the transfers of tokens from an account, or to it.
    ///
    /// Source: EIP-20, "Transfer"; the second topic is the sender, the third the receiver.
    package static func tokenTransfers(
        of tokens: [Address],
        from sender: Address? = nil,
        to receiver: Address? = nil,
        in range: ClosedRange<UInt64>
    ) -> Self {
        func topic(_ account: Address?) -> RPCParameter {
            guard let account else { return .any }
            return .bytes([UInt8](repeating: 0, count: 12) + account.bytes)
        }
        let topics: [RPCParameter] = [
            .bytes(TokenEvent.transferTopic.bytes), topic(sender), topic(receiver),
        ]
        let filter: [String: RPCParameter] = [
            "address": .list(tokens.map { .address($0) }), "topics": .list(topics),
        ]
        return logs(filter, in: range)
    }
}
