package import Ethereum
import Foundation
import Keys
import Synchronization

/// Answers for a ``FakeChain``, by each endpoint as a test has it, and counts what it is asked.
///
/// An endpoint with a `ws` URL announces blocks as well.
package final class ChainTransport: RPCTransport {
    /// A request, as a test sees it: the method of its first call, and the whole body.
    package struct Request: Sendable {
        package let endpoint: EndpointName
        package let method: String
        package let body: String
    }

    private struct State {
        var chain: FakeChain
        var requests: [Request] = []
        var subscriptions: [EndpointName: HeadSubscription] = [:]
    }

    private let chainNumber: UInt64
    private let state: Mutex<State>

    package init(_ chain: FakeChain, chainNumber: UInt64) {
        self.chainNumber = chainNumber
        state = Mutex(State(chain: chain))
    }

    package var requests: [Request] { state.withLock { $0.requests } }

    package var head: BlockHeader { state.withLock { $0.chain.head } }

    /// Changes the chain; nothing is announced.
    package func change(_ body: (inout FakeChain) -> Void) { state.withLock { body(&$0.chain) } }

    /// Announces a block at every endpoint that was asked to.
    package func announce(_ head: NotifiedHead) {
        for subscription in state.withLock({ $0.subscriptions.values.map(\.self) }) {
            subscription.add(head)
        }
    }

    /// Ends the connections of all subscriptions.
    package func hangUp() {
        let ended = state.withLock { state in
            defer { state.subscriptions = [:] }
            return Array(state.subscriptions.values)
        }
        for subscription in ended { subscription.end() }
    }

    package func subscribe(
        _ body: [UInt8],
        to endpoint: Endpoint,
        timeout: Duration
    ) async throws -> (answer: [UInt8], heads: HeadSubscription)? {
        guard endpoint.isWebSocket else { return nil }
        note(body, endpoint, "eth_subscribe")
        let heads = HeadSubscription(elementsMax: ChainLimits().headsWaitingMax)
        state.withLock { $0.subscriptions[endpoint.name] = heads }
        return ([UInt8](#"{"jsonrpc":"2.0","id":0,"result":"0x1"}"#.utf8), heads)
    }

    package func post(
        _ body: [UInt8],
        to endpoint: Endpoint,
        bytesMax: Int,
        timeout: Duration
    ) async throws -> [UInt8] {
        let parsed = try JSONSerialization.jsonObject(with: Data(body))
        let calls = parsed as? [[String: Any]] ?? [parsed as? [String: Any] ?? [:]]
        note(body, endpoint, calls.first?["method"] as? String ?? "")
        let answers = state.withLock { state in
            calls.map { answer($0, state.chain) }
        }
        let text = parsed is [Any] ? "[" + answers.joined(separator: ",") + "]" : answers[0]
        return [UInt8](text.utf8)
    }

    private func note(_ body: [UInt8], _ endpoint: Endpoint, _ method: String) {
        let text = String(decoding: body, as: UTF8.self)
        let request = Request(endpoint: endpoint.name, method: method, body: text)
        state.withLock { $0.requests.append(request) }
    }

    private func answer(_ call: [String: Any], _ chain: FakeChain) -> String {
        let id = call["id"] as? Int ?? 0
        let result = result(
            of: call["method"] as? String ?? "",
            call["params"] as? [Any] ?? [],
            chain
        )
        return #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
    }

    private func result(of method: String, _ parameters: [Any], _ chain: FakeChain) -> String {
        switch method {
        case "eth_chainId": return "\"0x\(String(chainNumber, radix: 16))\""
        case "eth_getBlockByNumber":
            let tag = parameters.first as? String ?? ""
            guard let number = Self.number(tag) else { return Self.json(chain.head) }
            return chain.headers([number])[number].map(Self.json) ?? "null"
        case "eth_getBlockByHash":
            let found = chain.blocks.first { $0.id.hash.hex == parameters.first as? String }
            return found.map(Self.json) ?? "null"
        case "eth_getLogs":
            let filter = parameters.first as? [String: Any] ?? [:]
            if let hash = filter["blockHash"] as? String {
                let logs = chain.allEvents.filter { $0.block.hash.hex == hash }
                return "[" + logs.map(Self.json).joined(separator: ",") + "]"
            }
            guard let from = Self.number(filter["fromBlock"] as? String ?? ""),
                let to = Self.number(filter["toBlock"] as? String ?? ""), from <= to
            else { return "[]" }
            return "[" + chain.logs(in: from...to).map(Self.json).joined(separator: ",") + "]"
        default: return "null"
        }
    }

    private static func number(_ text: String) -> UInt64? {
        UInt64(text.dropFirst(2), radix: 16)
    }

    private static func hex(_ number: UInt64) -> String { "\"0x\(String(number, radix: 16))\"" }

    private static func json(_ header: BlockHeader) -> String {
        #"{"number":\#(hex(header.number)),"hash":"\#(header.id.hash.hex)","#
            + #""parentHash":"\#(header.parent.hex)","timestamp":\#(hex(header.timestamp)),"#
            + #""logsBloom":"\#(header.bloom?.hex ?? "0x")"}"#
    }

    private static func json(_ event: ContractEvent) -> String {
        let topics = event.topics.map { "\"\($0.hex)\"" }.joined(separator: ",")
        return
            #"{"blockNumber":\#(hex(event.block.number)),"blockHash":"\#(event.block.hash.hex)","#
            + #""logIndex":\#(hex(event.index)),"transactionHash":"\#(event.transaction.hex)","#
            + #""address":"\#(event.address.checksummed)","topics":[\#(topics)],"#
            + #""data":"0x\#(Hex.encode(event.data))","removed":false}"#
    }
}
