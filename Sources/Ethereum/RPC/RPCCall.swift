package import Keys
package import Market

/// A JSON-RPC call, with the type of its answer.
package struct RPCCall<Answer: Decodable & Sendable>: Sendable {
    package let method: String
    let parameters: [RPCParameter]
    /// Reads an answer that is written as endpoints usually do, faster than a JSON decoder; `nil`
    /// if it is written otherwise, or is not an answer.
    var plain: (@Sendable (_ answer: [UInt8]) -> Answer?)?
    /// The value that an answer of `null` means, if it is not an error.
    var none: Answer?
    /// The blocks that the answer is about, if it needs more than their states.
    var blocks: ClosedRange<UInt64>?

    init(_ method: String, _ parameters: [RPCParameter] = []) {
        (self.method, self.parameters) = (method, parameters)
    }
}

/// The block whose state a call reads.
package enum BlockTag: Equatable, Sendable {
    case latest
    case pending
    case number(UInt64)
    /// Exactly this block; refused if it is no longer part of the chain (EIP-1898).
    case hash(Bytes32)
}

/// A message call that `eth_call` and `eth_estimateGas` run without sending it.
package struct CallRequest: Equatable, Sendable {
    package let from: Address?
    /// The receiver; `nil` creates a contract.
    package let to: Address?
    package let value: Amount
    package let data: [UInt8]
    /// The most gas that it may use; `nil` for as much as the endpoint allows.
    package var gas: UInt64?

    package init(from: Address? = nil, to: Address?, value: Amount = .zero, data: [UInt8]) {
        (self.from, self.to, self.value, self.data) = (from, to, value, data)
    }
}

extension RPCCall where Answer == Quantity {
    /// EIP-695.
    package static var chainID: Self { Self("eth_chainId") }

    package static var gasPrice: Self { Self("eth_gasPrice") }

    /// Reads the tip that the endpoint advises, in wei; not every node has the method.
    package static var advisedTip: Self { Self("eth_maxPriorityFeePerGas") }

    /// Counts the transactions of an account that the chain has at `block`.
    package static func transactionCount(of account: Address, at block: BlockTag) -> Self {
        Self("eth_getTransactionCount", [.address(account), .block(block)])
    }

    package static func balance(of account: Address, at block: BlockTag = .latest) -> Self {
        Self("eth_getBalance", [.address(account), .block(block)])
    }

    package static func estimateGas(_ request: CallRequest, at block: BlockTag = .latest) -> Self {
        Self("eth_estimateGas", [.call(request), .block(block)])
    }
}

extension RPCCall where Answer == String {
    /// Subscribes to new blocks; the answer is the subscription's id.
    static var newHeads: Self { Self("eth_subscribe", [.name("newHeads")]) }
}

extension RPCCall where Answer == HexBytes {
    package static func call(_ request: CallRequest, at block: BlockTag = .latest) -> Self {
        Self("eth_call", [.call(request), .block(block)])
    }

    package static func code(of contract: Address, at block: BlockTag = .latest) -> Self {
        Self("eth_getCode", [.address(contract), .block(block)])
    }

    /// Sends a signed transaction; the answer is its hash.
    package static func send(_ raw: [UInt8]) -> Self {
        Self("eth_sendRawTransaction", [.bytes(raw)])
    }
}

extension RPCCall where Answer == BlockHeader? {
    package static func block(_ block: BlockTag) -> Self {
        if case .hash(let hash) = block {
            return Self("eth_getBlockByHash", [.bytes(hash.bytes), .flag(false)])
        }
        var call = Self("eth_getBlockByNumber", [.block(block), .flag(false)])
        if case .number(let number) = block { call.blocks = number...number }
        return call
    }
}

extension RPCCall where Answer == AnnouncedBlock? {
    /// Reads a whole header, whose hash is checked.
    package static func whole(_ block: BlockTag) -> Self {
        let call = RPCCall<BlockHeader?>.block(block)
        var whole = Self(call.method, call.parameters)
        whole.blocks = call.blocks
        return whole
    }
}

extension RPCCall where Answer == Receipt? {
    package static func receipt(of transaction: Bytes32) -> Self {
        Self("eth_getTransactionReceipt", [.bytes(transaction.bytes)])
    }
}

extension RPCCall where Answer == [ContractEvent] {
    package static func logs(_ filter: LogFilter, in range: ClosedRange<UInt64>) -> Self {
        logs(fields(of: filter), in: range)
    }

    /// Reads the logs of exactly this block (EIP-234).
    package static func logs(_ filter: LogFilter, of block: Bytes32) -> Self {
        var fields = fields(of: filter)
        fields["blockHash"] = .bytes(block.bytes)
        var call = Self("eth_getLogs", [.object(fields)])
        (call.plain, call.none) = (PlainLogs.events, [])
        return call
    }

    private static func fields(of filter: LogFilter) -> [String: RPCParameter] {
        var fields: [String: RPCParameter] = [
            "address": .list(filter.addresses.map { .address($0) })
        ]
        if !filter.topics.isEmpty {
            fields["topics"] = .list([.list(filter.topics.map { .bytes($0.bytes) })])
        }
        return fields
    }

    /// Reads the events that the fields of a filter describe, besides the range.
    static func logs(
        _ filter: [String: RPCParameter],
        in range: ClosedRange<UInt64>
    ) -> Self {
        let ends: [String: RPCParameter] = [
            "fromBlock": .quantity(range.lowerBound), "toBlock": .quantity(range.upperBound),
        ]
        var call = Self("eth_getLogs", [.object(filter.merging(ends) { $1 })])
        (call.plain, call.none, call.blocks) = (PlainLogs.events, [], range)
        return call
    }
}

extension RPCCall where Answer == FeeHistory {
    /// Reads the base fees of the last blocks, and their tips at the given percentiles.
    package static func feeHistory(blocks: UInt64, percentiles: [Int]) -> Self {
        let percentiles = percentiles.map { RPCParameter.integer($0) }
        var call = Self("eth_feeHistory", [.quantity(blocks), .block(.latest), .list(percentiles)])
        call.none = FeeHistory.none
        return call
    }
}
