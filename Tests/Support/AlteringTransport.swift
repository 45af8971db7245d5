package import Ethereum
import Foundation
import Keys

/// Hands on what one endpoint answers as a test has it.
package struct AlteringTransport: RPCTransport {
    /// Given the request and the honest answer.
    package typealias Change = @Sendable (String, String) async throws -> String

    private let inner: any RPCTransport
    private let altered: EndpointName
    private let change: Change

    package init(inner: any RPCTransport, altered: EndpointName, change: @escaping Change) {
        (self.inner, self.altered, self.change) = (inner, altered, change)
    }

    package func post(
        _ body: [UInt8],
        to endpoint: Endpoint,
        bytesMax: Int,
        timeout: Duration
    ) async throws -> [UInt8] {
        let answer = try await inner.post(
            body,
            to: endpoint,
            bytesMax: bytesMax,
            timeout: timeout
        )
        guard endpoint.name == altered else { return answer }
        let text = try await change(
            String(decoding: body, as: UTF8.self),
            String(decoding: answer, as: UTF8.self)
        )
        return [UInt8](text.utf8)
    }

    package func subscribe(
        _ body: [UInt8],
        to endpoint: Endpoint,
        timeout: Duration
    ) async throws -> (answer: [UInt8], heads: HeadSubscription)? {
        try await inner.subscribe(body, to: endpoint, timeout: timeout)
    }
}

/// Has one endpoint answer for all, whatever their names.
package struct SameTransport: RPCTransport {
    private let inner: any RPCTransport
    private let real: Endpoint

    package init(inner: any RPCTransport, real: Endpoint) {
        (self.inner, self.real) = (inner, real)
    }

    package func post(
        _ body: [UInt8],
        to endpoint: Endpoint,
        bytesMax: Int,
        timeout: Duration
    ) async throws -> [UInt8] {
        try await inner.post(body, to: real, bytesMax: bytesMax, timeout: timeout)
    }
}

extension DevChain {
    /// The same chain at another name, whose answers a test may alter.
    package var liar: Endpoint {
        get throws {
            try Endpoint(url: endpoint.url.replacing("127.0.0.1", with: "localhost"))
        }
    }
}

extension ContractEvent {
    /// Adds the log to the answer of an `eth_getLogs` whose range holds its block.
    package func invented(in request: String, _ answer: String) -> String {
        guard request.contains("eth_getLogs"),
            let from = Self.quantity("fromBlock", in: request),
            let to = Self.quantity("toBlock", in: request),
            from <= to, (from...to).contains(block.number),
            let list = answer.firstRange(of: /"result": ?\[/)
        else { return answer }
        let topics = topics.map { "\"\($0.hex)\"" }.joined(separator: ",")
        let json =
            #"{"blockNumber":"0x\#(String(block.number, radix: 16))","blockHash":"\#(block.hash.hex)","#
            + #""logIndex":"0x\#(String(index, radix: 16))","transactionHash":"\#(transaction.hex)","#
            + #""address":"\#(address.checksummed)","topics":[\#(topics)],"#
            + #""data":"0x\#(Hex.encode(data))","removed":false}"#
        let isEmpty = answer[list.upperBound...].first == "]"
        return answer.replacingCharacters(
            in: list,
            with: #""result":["# + json + (isEmpty ? "" : ",")
        )
    }

    private static func quantity(_ name: String, in text: String) -> UInt64? {
        guard let key = text.firstRange(of: "\"\(name)\":\"0x") else { return nil }
        let digits = text[key.upperBound...].prefix { $0.isHexDigit }
        return UInt64(digits, radix: 16)
    }
}
