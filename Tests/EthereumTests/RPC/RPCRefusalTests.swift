import Ethereum
import Foundation
import Keys
import Market
import Support
import Synchronization
import Testing
import Texts

/// Refusals as providers word them, for one call and for batches.
@Suite(.timeLimit(.minutes(1)))
struct RPCRefusalTests {
    private static let filter = LogFilter(addresses: [.zero], firstBlock: 0)

    /// What a fake endpoint answers to a call; `nil` lets it answer honestly.
    private typealias Refuse = @Sendable (_ call: [String: Any], _ blocks: UInt64) -> String?

    private let endpoint: Endpoint
    private let other: Endpoint
    private let transport = FakeTransport()
    private let lines = LogLines()

    init() throws {
        endpoint = try Endpoint(url: "https://first.example/v2/key-of-nobody-1234")
        other = try Endpoint(url: "https://second.example")
    }

    private func client(_ endpoints: [Endpoint]) -> ChainClient {
        ChainClient(
            chain: ChainID(31_337),
            endpoints: endpoints,
            transport: transport,
            clock: ManualClock(),
            logger: lines.logger
        )
    }

    private static let block =
        #"{"number":"0x1","hash":"\#(Bytes32.zero.hex)","parentHash":"\#(Bytes32.zero.hex)","#
        + #""timestamp":"0x1"}"#

    private static func quantity(_ value: Any?) -> UInt64 {
        UInt64((value as? String ?? "").dropFirst(2), radix: 16) ?? 0
    }

    /// Answers calls and batches; `status` is the HTTP status of a refused call.
    private func serve(_ endpoint: Endpoint, status: UInt = 200, _ refuse: @escaping Refuse) {
        transport.set(endpoint) { body in
            let value = try JSONSerialization.jsonObject(with: Data(body))
            let calls = value as? [[String: Any]] ?? [value as? [String: Any] ?? [:]]
            var isRefused = false
            let answers = calls.map { call -> String in
                let id = call["id"] as? Int ?? 0
                let filter = (call["params"] as? [Any])?.first as? [String: Any]
                let from = Self.quantity(filter?["fromBlock"])
                let blocks = filter == nil ? 0 : Self.quantity(filter?["toBlock"]) - from + 1
                if let refusal = refuse(call, blocks) {
                    isRefused = true
                    return refusal.replacing("ID", with: "\(id)")
                }
                let result =
                    switch call["method"] as? String {
                    case "eth_chainId": "\"0x7a69\""
                    case "eth_getLogs": "null"
                    case "eth_getBlockByNumber": Self.block
                    default: "\"0x2a\""
                    }
                return #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
            }
            let text = value is [Any] ? "[\(answers.joined(separator: ","))]" : answers[0]
            let bytes = [UInt8](text.utf8)
            guard isRefused, status != 200, !(value is [Any]) else { return bytes }
            throw RPCTransportError.refusal(status: status, retryAfter: nil, body: bytes)
        }
    }

    private static func error(_ code: Int, _ message: String, _ data: String? = nil) -> String {
        let data = data.map { #","data":"# + $0 } ?? ""
        return
            #"{"jsonrpc":"2.0","id":ID,"error":{"code":\#(code),"message":"\#(message)"\#(data)}}"#
    }

    /// Reads a range as its readers do: fewer blocks after each refusal.
    private func read(_ blocks: UInt64, _ client: ChainClient) async throws -> [UInt64] {
        var asked: [UInt64] = []
        var size = blocks
        while true {
            do {
                asked.append(size)
                let found = try await client.perform(RPCCall.logs(Self.filter, in: 1...size))
                #expect(found.isEmpty)
                return asked
            } catch EthereumError.tooManyBlocks { size /= 2 }
        }
    }

    @Test(arguments: [
        (200, error(-32_000, "exceed maximum block range: 1000")),
        (200, error(-32_005, "query returned more than 10000 results")),
        (400, error(-32_600, "up to a 10 block range is allowed")),
        (400, error(-32_602, "eth_getLogs: block range is too wide")),
        (413, error(-32_614, "limited to 0 - 10000 blocks range")),
        (429, error(-32_005, "limit exceeded")),
        (429, error(-32_001, "ask for fewer blocks")),
        (500, error(-32_012, "failed", #""range above 10""#)),
        (500, error(-32_603, "internal error")),
        (503, error(-32_000, "request timed out")),
        (403, error(-32_701, "block range over the plan's")),
        (200, error(-32_000, "log response size exceeded")),
        (200, error(-32_602, "invalid params", #"{"reason":["too many blocks"],"max":10}"#)),
        (200, #"{"jsonrpc":"2.0","id":null,"error":{"code":"-32000","message":"no"}}"#),
        (400, #"{"error":"range too large"}"#),
        (400, #"{"code":-32000,"message":"range too large"}"#),
        (400, #"[{"error":{"message":"ten blocks, please"}}]"#),
    ])
    func `halves a refused range without blaming the endpoint`(status: Int, refusal: String)
        async throws
    {
        serve(endpoint, status: UInt(status)) { _, blocks in blocks > 10 ? refusal : nil }
        let client = client([endpoint, other])
        #expect(try await read(80, client) == [80, 40, 20, 10])
        #expect(await client.reports[0].status == .good)
        #expect(!transport.exchanges.contains(other.name))
    }

    @Test(arguments: [
        (200, error(-32_000, "daily request count exceeded, request rate limited")),
        (429, error(429, "Your app has exceeded its compute units per second capacity")),
        (429, error(-32_005, "You've exceeded the RPS limit available on the current plan.")),
        (200, error(-32_000, "more than 25 requests per second")),
        (200, error(-32_601, "the method eth_getLogs does not exist")),
        (200, error(-32_000, "block range extends beyond current head block")),
        (401, error(-32_000, "unauthorized")), (402, error(-32_000, "payment required")),
    ])
    func `asks the next endpoint if fewer blocks would not help`(
        status: Int,
        refusal: String
    ) async throws {
        serve(endpoint, status: UInt(status)) { _, blocks in blocks > 0 ? refusal : nil }
        serve(other) { _, _ in nil }
        let client = client([endpoint, other])
        #expect(try await read(80, client) == [80])
        guard case .failing = await client.reports[0].status else {
            Issue.record("\(await client.reports[0])")
            return
        }
    }

    @Test
    func `logs an unknown refusal once; for a single block it is a fault`() async throws {
        serve(endpoint) { call, blocks in
            blocks > 0 ? Self.error(-32_099, "the moon \(blocks) key-of-nobody-1234") : nil
        }
        let client = client([endpoint])
        for _ in 0..<3 {
            await #expect(throws: EthereumError.self) { _ = try await read(80, client) }
        }
        let told = lines.all.filter { $0.contains("unknown reason") }
        #expect(told.count == 1 && told[0].contains("the moon 80"), "\(lines.all)")
        #expect(!lines.all.joined().contains("key-of-nobody"))
        guard case .failing(.refused(_, let refusal)) = await client.reports[0].status else {
            Issue.record("\(await client.reports[0])")
            return
        }
        #expect(refusal.code == -32_099)
    }

    @Test func `reads old blocks from the next endpoint, new ones from the first`() async throws {
        serve(endpoint) { _, blocks in
            blocks > 5 ? Self.error(4_444, "pruned history unavailable") : nil
        }
        serve(other) { _, _ in nil }
        let client = client([endpoint, other])
        #expect(try await read(80, client) == [80])
        #expect(try await client.session(reading: 1).name == other.name)
        #expect(try await client.session(reading: 2).name == endpoint.name)
        #expect(await client.reports[0].status == .good)
    }

    @Test(arguments: [
        (200, error(-32_000, "unknown block")), (200, error(-32_602, "invalid params")),
        (400, error(-32_602, "blockHash is not supported")),
        (200, error(-32_001, "resource not found")), (500, error(-32_000, "header not found")),
    ])
    func `a refusal of a block's hash is not a fault`(status: Int, refusal: String) async throws {
        serve(endpoint, status: UInt(status)) { _, blocks in blocks > 0 ? refusal : nil }
        let client = client([endpoint])
        let session = try await client.session()
        func ask(_ count: Int) async {
            let call = RPCCall.logs(Self.filter, of: .zero)
            do {
                _ = try await session.perform([RPCCall](repeating: call, count: count))
                Issue.record("it was answered")
            } catch EthereumError.refused {
                return
            } catch {
                Issue.record("\(error)")
            }
        }
        for count in [1, 3] { await ask(count) }
        #expect(await client.reports[0].status == .good)

        serve(endpoint) { _, blocks in blocks > 0 ? Self.error(-32_603, "no") : nil }
        await ask(1)
        guard case .failing(.refused) = await client.reports[0].status else {
            Issue.record("\(await client.reports[0])")
            return
        }
    }

    @Test func `hides short secrets without hiding a refusal's meaning`() async throws {
        var endpoint = try Endpoint(url: "https://x:2@third.example")
        endpoint.headers.append(Endpoint.Header(name: "key", value: "ee"))
        serve(endpoint) { call, blocks in
            if blocks > 10 { return Self.error(-32_000, "exceeds the largest block range of 20") }
            return call["method"] as? String == "eth_sendRawTransaction"
                ? Self.error(-32_000, "tx fee (2.00 ether) exceeds the configured cap") : nil
        }
        let client = client([endpoint])
        #expect(try await read(80, client) == [80, 40, 20, 10])
        #expect(await client.reports[0].status == .good)
        let words = "t… f… (….00 ether) e…c…ds the configured cap"
        do {
            _ = try await client.perform(.send([1]))
            Issue.record("it was taken")
        } catch EthereumError.refused(_, let refusal) {
            #expect(refusal.sendAnswer == .mispriced(.lower, words))
            var shown = "\(refusal) \(EthereumError.refused(endpoint.name, refusal))"
            dump(refusal, to: &shown)
            #expect(shown.contains(words) && !shown.contains("exceeds"), "\(shown)")
        }
    }

    @Test func `derives fees from the gas price if the fee history fails`() async throws {
        for (status, code) in [(200, -32_000), (400, -32_602), (500, -32_603), (200, -32_601)] {
            serve(endpoint, status: UInt(status)) { call, _ in
                call["method"] as? String == "eth_feeHistory" ? Self.error(code, "no") : nil
            }
            let client = client([endpoint])
            #expect(try await client.feeMarket().leastPrice == Amount(small: 42))
            #expect(await client.reports[0].status == .good)
        }
    }

    @Test func `asks for the advised tip if the newest blocks show none`() async throws {
        for (rewards, expected) in [("[]", 42), (#"[["0x0","0x0","0x0"]]"#, 42), ("", 7)] {
            let asked = Mutex(0)
            let rewards = rewards.isEmpty ? #"[["0x7","0x7","0x7"]]"# : rewards
            serve(endpoint) { call, _ in
                switch call["method"] as? String {
                case "eth_feeHistory":
                    return #"{"jsonrpc":"2.0","id":ID,"result":{"baseFeePerGas":["0x64","0x64"],"#
                        + #""reward":\#(rewards)}}"#
                case "eth_maxPriorityFeePerGas":
                    asked.withLock { $0 += 1 }
                    return nil
                default: return nil
                }
            }
            let market = try await client([endpoint]).feeMarket()
            let policy = FeePolicy(ceiling: Amount(small: 1_000), tipMin: Amount(small: 1))
            guard case .dynamic(let tip, _, _) = policy.pricing(market, speed: .normal) else {
                Issue.record("\(market)")
                continue
            }
            #expect(tip == Amount(small: UInt64(expected)))
            #expect(asked.withLock { $0 } == (expected == 42 ? 1 : 0))
        }
    }

    /// Asks for 60 balances at an endpoint that takes batches up to a length.
    private func ask(
        limit: Int,
        _ refusal: @escaping @Sendable () throws -> [UInt8]
    ) async throws -> (lengths: [Int], status: EndpointReport.Status) {
        let lengths = Mutex<[Int]>([])
        transport.set(endpoint) { body in
            let value = try JSONSerialization.jsonObject(with: Data(body))
            let count = (value as? [Any])?.count ?? 1
            let text = String(decoding: body, as: UTF8.self)
            guard !text.contains("eth_chainId") else {
                return [UInt8](#"{"jsonrpc":"2.0","id":0,"result":"0x7a69"}"#.utf8)
            }
            lengths.withLock { $0.append(count) }
            guard count <= limit else { return try refusal() }
            let answers = (0..<count).map { #"{"jsonrpc":"2.0","id":\#($0),"result":"0x2a"}"# }
            let answer = value is [Any] ? "[\(answers.joined(separator: ","))]" : answers[0]
            return [UInt8](answer.utf8)
        }
        let client = client([endpoint])
        let calls = [RPCCall<Quantity>](repeating: .balance(of: .zero), count: 60)
        for _ in 0..<2 {
            #expect(
                try await client.perform(calls) == calls.map { _ in Quantity(.init(small: 42)) }
            )
        }
        return (lengths.withLock { $0 }, await client.reports[0].status)
    }

    @Test(arguments: [
        (200, #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}"#),
        (200, #"{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"the moon"}}"#),
        (200, #"[{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"batch too large"}}]"#),
        (200, #"[{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}]"#),
        (500, #"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"10 at a time"}}"#),
        (400, #"{"message":"invalid request"}"#),
        (429, #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"batch limit"}}"#),
        (413, ""), (500, ""), (400, ""),
    ])
    func `splits a refused batch and remembers its length`(
        status: Int,
        body: String
    ) async throws {
        for limit in [1, 7, 59] {
            let (lengths, state) = try await ask(limit: limit) {
                let bytes = [UInt8](body.utf8)
                guard status != 200 else { return bytes }
                throw bytes.isEmpty
                    ? RPCTransportError.status(UInt(status))
                    : .refusal(status: UInt(status), retryAfter: nil, body: bytes)
            }
            #expect(state == .good)
            // Refused at first, and rarely after that.
            let refused = lengths.indices.filter { lengths[$0] > limit }
            #expect(refused.count < 10 && refused.first == 0, "\(lengths)")
            #expect(lengths.max() == 60)
        }
    }

    @Test(arguments: [(502, "<html>Bad gateway"), (403, "Forbidden"), (200, ""), (200, "<html>")])
    func `an outage on a range counts as a fault and halves the next range`(
        status: Int,
        answer: String
    ) async throws {
        serve(endpoint, status: UInt(status)) { _, blocks in blocks > 10 ? answer : nil }
        let client = client([endpoint])
        let session = try await client.session()
        for size in [80, 40, 20] as [UInt64] {
            await #expect(throws: EthereumError.self) {
                try await session.perform(RPCCall.logs(Self.filter, in: 1...size))
            }
            #expect(await client.rangeBlocksMax(of: session) == size / 2)
        }
        #expect(try await session.perform(RPCCall.logs(Self.filter, in: 1...10)).isEmpty)
    }

    @Test(arguments: [
        "[]", "{}", "", "<html>", #"[{"jsonrpc":"2.0","id":1,"result":"0x1"}]"#,
        #"{"jsonrpc":"2.0","id":0,"result":"0x1"}"#,
    ])
    func `repeats a batch with a broken answer as single calls`(answer: String) async throws {
        transport.set(endpoint) { body in
            let value = try JSONSerialization.jsonObject(with: Data(body))
            guard let call = value as? [String: Any] else { return [UInt8](answer.utf8) }
            let result = call["method"] as? String == "eth_chainId" ? "0x7a69" : "0x2a"
            let id = call["id"] as? Int ?? 0
            return [UInt8](#"{"jsonrpc":"2.0","id":\#(id),"result":"\#(result)"}"#.utf8)
        }
        let client = client([endpoint])
        let session = try await client.session()
        let calls = (1...6).map { RPCCall.balance(of: .zero, at: .number(UInt64($0))) }
        #expect(try await session.perform(calls).count == 6)
        #expect(await client.reports[0].status == .good)
    }

    @Test func `shortens a batch after the pause if it exceeds the endpoint's quota`() async throws
    {
        await #expect(throws: EthereumError.busy(endpoint.name, status: 429, retryAfter: nil)) {
            _ = try await ask(limit: 40) {
                throw RPCTransportError.busy(status: 429, retryAfter: nil)
            }
        }
        #expect(transport.exchanges.count == 2)
    }

    /// - From endpoints: HTTP 401, 402, 403 → … wants a key or a password, … / … wants to be paid …
    ///   / … does not allow this …
    @Test(arguments: [
        (401, "wants a key or a password"), (402, "wants to be paid"),
        (403, "does not allow this"), (404, "has nothing at this address"),
        (302, "sends requests on to another address"), (502, "answered HTTP 502"),
    ])
    func `describes an HTTP status`(status: Int, words: String) {
        let text = "\(EthereumError.httpStatus(endpoint.name, UInt(status)))"
        #expect(text.hasPrefix("https://first.example \(words)") && text.contains("\(status)"))
    }

    @Test func `an error is a sentence, and words for the middle of another one`() {
        let none = EthereumError.noEndpoint(ChainID(7))
        #expect(none.reason.code == "endpoint.noneUsable" && none.reason.values == ["chain": "7"])
        let detail = none.reason.detail
        #expect(detail.hasPrefix("No endpoint of chain 7") && detail.hasSuffix("."))
        #expect("\(none)".hasPrefix("no endpoint of chain 7") && !"\(none)".hasSuffix("."))
        let busy = EthereumError.busy(endpoint.name, status: 429, retryAfter: .seconds(5))
        #expect("\(busy)".contains(" wants fewer requests (HTTP 429, again in 5 s): lower "))
    }

    @Test func `sends a URL's user and password in a header and never shows them`() throws {
        let endpoint = try Endpoint(url: "https://us%65r:p%40ss@host.example:8545/rpc?a=1")
        #expect(endpoint.url == "https://host.example:8545/rpc?a=1")
        let header = Endpoint.Header(
            name: "authorization",
            value: "Basic " + Data("user:p@ss".utf8).base64EncodedString()
        )
        #expect(endpoint.headers == [header])
        #expect("\(endpoint)" == "https://host.example:8545")
        #expect(Endpoint.shown("https://user:pass@host.example") == "https://host.example/…")
        #expect(try Endpoint(url: "https://host.example").headers.isEmpty)
    }
}
