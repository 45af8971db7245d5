import Concurrency
import Ethereum
import Keys
import Market
import Support
import Testing

struct ChainClientTests {
    private let transport = FakeTransport()
    private let first: Endpoint
    private let second: Endpoint

    init() throws {
        first = try Endpoint(url: "https://first.example:8545/secret-key")
        second = try Endpoint(url: "https://second.example")
    }

    private var client: ChainClient { client([first, second]) }

    private func client(
        _ endpoints: [Endpoint],
        clock: any MonotonicClock = SteppedClock()
    ) -> ChainClient {
        ChainClient(
            chain: ChainID(31_337),
            endpoints: endpoints,
            transport: transport,
            clock: clock,
            logger: quiet
        )
    }

    /// Answers the chain id, and everything else with `result`.
    private func serve(_ endpoint: Endpoint, chain: String = "0x7a69", _ result: String) {
        transport.set(endpoint) { request in
            let text = String(decoding: request, as: UTF8.self)
            let shown = text.contains("eth_chainId") ? "\"\(chain)\"" : result
            return [UInt8](#"{"jsonrpc":"2.0","id":0,"result":\#(shown)}"#.utf8)
        }
    }

    private func serve(_ endpoint: Endpoint, raw: String) {
        transport.set(endpoint) { request in
            let text = String(decoding: request, as: UTF8.self)
            let chain = #"{"jsonrpc":"2.0","id":0,"result":"0x7a69"}"#
            return [UInt8]((text.contains("eth_chainId") ? chain : raw).utf8)
        }
    }

    @Test func `asks the next endpoint if the first one is dead`() async throws {
        serve(second, #""0x2a""#)
        let client = client
        let balance = try await client.perform(.balance(of: .zero))

        #expect(balance.number == 42)
        let reports = await client.reports
        #expect(reports[0].status == .failing(.unreachable(first.name, reason: "refused")))
        #expect(reports[1].status == .good)
    }

    @Test func `reports an endpoint of another chain and never uses it`() async throws {
        serve(first, chain: "0x1", #""0x63""#)
        serve(second, #""0x2a""#)
        let client = client

        #expect(try await client.perform(.balance(of: .zero)).number == 42)
        #expect(await client.reports[0].status == .wrongChain(ChainID(1)))
    }

    @Test func `never shows the part of a URL after the host`() {
        #expect(first.name.description == "https://first.example:8545")
    }

    @Test(arguments: ["ftp://host", "nonsense", "http://", ""])
    func `refuses text that is not an endpoint`(text: String) {
        #expect(throws: EndpointError.self) { try Endpoint(url: text) }
    }

    @Test func `does not repeat a call that every endpoint would refuse`() async throws {
        let refusal = #"{"jsonrpc":"2.0","id":0,"error":{"code":3,"message":"execution reverted"#
        serve(first, raw: refusal + #": no","data":"0x0102"}}"#)
        let expected = RPCRefusal(
            method: "eth_call",
            code: 3,
            message: "execution reverted: no",
            revertData: [1, 2]
        )
        await #expect(throws: EthereumError.refused(first.name, expected)) {
            try await client.perform(.call(CallRequest(to: .zero, data: [])))
        }
        #expect(!transport.exchanges.contains(second.name))
    }

    /// - From endpoints: messages with line breaks, control characters, direction marks, or of any
    ///   length → one line of at most 300 characters, in logs and answers
    @Test func `reduces an endpoint's message to one short, harmless line`() async throws {
        let evil = #"no\u001b[2J\r\nnode is ready\u0085\u009b1m\u202e\u200b"#
        let long = String(repeating: "x", count: 10_000)
        for (words, data) in [(evil, ""), (long, ""), ("", #","data":{"\#(evil)":1}"#)] {
            let head = #"{"jsonrpc":"2.0","id":0,"error":{"code":3,"message":""#
            serve(first, raw: head + words + #"""# + data + "}}")
            let error = await #expect(throws: EthereumError.self) {
                try await client.perform(.call(CallRequest(to: .zero, data: [])))
            }
            let shown = "\(try #require(error))"
            #expect(!shown.unicodeScalars.contains(where: UntrustedText.isUnsafe), "\(shown)")
            #expect(shown.unicodeScalars.count < 400)
        }
    }

    /// - From endpoints: an endpoint whose quota is used up, or that lacks a block → the next is
    ///   asked
    @Test(arguments: ["header not found", "daily request count exceeded", "missing trie node"])
    func `asks another endpoint for data that the first one lacks`(message: String) async throws {
        let refusal = #"{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":""# + message
        serve(first, raw: refusal + #""}}"#)
        serve(second, #""0x2a""#)
        let client = client
        let answer = try await client.perform(.call(CallRequest(to: .zero, data: [])))
        #expect(answer.bytes == [42])
        // A refusal of what every endpoint knows is no answer of the chain's either.
        #expect(try await client.perform(.gasPrice).number == 42)
    }

    /// - From endpoints: "block range extends beyond current head" → the endpoint is behind: the
    ///   next is asked, the range stays
    @Test(arguments: [
        (code: -32000, message: "block range extends beyond current head block"),
        (code: -32602, message: "One of the blocks specified is beyond the head"),
        (code: -32000, message: "header not found"),
    ])
    func `asks the next endpoint for a range beyond the first one's head`(
        code: Int,
        message: String
    ) async throws {
        let refusal = RPCRefusal(method: "eth_getLogs", code: code, message: message)
        #expect(!refusal.isTooMuch)
        serve(
            first,
            raw: #"{"jsonrpc":"2.0","id":0,"error":{"code":\#(code),"message":"\#(message)"}}"#
        )
        serve(second, "[]")
        let filter = LogFilter(addresses: [.zero], firstBlock: 0)
        let client = client
        #expect(try await client.perform(.logs(filter, in: 0...9)).isEmpty)
        guard case .failing(.refused) = await client.reports[0].status else {
            Issue.record("\(await client.reports[0])")
            return
        }
    }

    @Test func `recognises a refusal of a range with too many results`() {
        for message in ["query returned more than 10000 results", "block range too large"] {
            let refusal = RPCRefusal(method: "eth_getLogs", code: -32602, message: message)
            #expect(refusal.isTooMuch)
        }
    }

    @Test func `tries the next endpoint if one refuses to name its chain`() async throws {
        let refusal = #"{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"no quota"}}"#
        transport.set(first) { _ in [UInt8](refusal.utf8) }
        serve(second, #""0x2a""#)
        let client = client
        #expect(try await client.perform(.balance(of: .zero)).number == 42)
        try await client.survey()
    }

    @Test(arguments: [
        (code: -32603, message: "VM Exception: reverted with reason 'no'"),
        (code: -32000, message: "insufficient funds for transfer"),
        (code: -32015, message: "VM execution error."),
    ])
    func `blames no endpoint for a refusal by the contract or the balance`(
        code: Int,
        message: String
    ) async throws {
        let refusal = #"{"jsonrpc":"2.0","id":0,"error":{"code":\#(code),"message":""# + message
        serve(first, raw: refusal + #""}}"#)
        await #expect(throws: EthereumError.self) {
            try await client.perform(.estimateGas(CallRequest(to: .zero, data: [])))
        }
        #expect(!transport.exchanges.contains(second.name))
    }

    /// - From endpoints: an empty or short answer to a contract's function → the next endpoint is asked;
    ///   without one, the message names the endpoint and what to do
    @Test(arguments: [(#""0x""#, "nothing"), (#""0x0102""#, "2 bytes")])
    func `names the endpoint whose answer no contract gives`(answer: String, found: String)
        async throws
    {
        serve(first, answer)
        let query = TokenContract(address: .zero).decimals
        let error = await #expect(throws: UnreadableAnswer.self) { try await client.ask(query) }
        let words = try "\(#require(error))"
        #expect(words.contains("first.example") && words.contains("with \(found)"), "\(words)")
        #expect(words.contains("use another endpoint"))
        serve(second, decimals("12"))
        let both = client([first, second])
        #expect(try await both.ask(query) == 18)
    }

    /// - From endpoints: one of three answers to a contract's function that differs, or refuses in any
    ///   words → the answer of the two others counts
    @Test(
        arguments: [
            (3, "execution reverted"), (-32_000, "out of gas"), (-32_000, "invalid opcode"),
            (-32_000, "insufficient funds for transfer"), (-32_015, "VM execution error."),
        ]
    )
    func `one of three endpoints' answers alone counts for nothing`(
        code: Int,
        message: String
    ) async throws {
        let third = try Endpoint(url: "http://third.example")
        let client = client([first, second, third])
        let query = TokenContract(address: .zero).decimals
        let (lie, truth) = (decimals("07"), decimals("12"))
        func refusal(_ words: String) -> String {
            #"{"jsonrpc":"2.0","id":0,"error":{"code":\#(code),"message":"\#(words)"}}"#
        }
        for one in [first, second, third] {
            for other in [first, second, third] { serve(other, truth) }
            serve(one, lie)
            #expect(try await client.ask(query) == 18)
            serve(one, raw: refusal(message))
            #expect(try await client.ask(query) == 18)
        }
        // Two that refuse agree, whatever their words.
        serve(first, truth)
        serve(second, raw: refusal(message))
        serve(third, raw: refusal("\(message) again"))
        await #expect(throws: PreflightError.self) { try await client.ask(query) }
    }

    /// - From endpoints: an answer that takes long, when others have been asked too → it is not waited
    ///   for
    @Test func `leaves out an endpoint that is slow to agree`() async throws {
        let third = try Endpoint(url: "http://third.example")
        let clock = SteppedClock()
        let slow = AlteringTransport(inner: transport, altered: second.name) { request, answer in
            if request.contains("eth_call") { try await clock.wait(.seconds(30)) }
            return answer
        }
        let client = ChainClient(
            chain: ChainID(31_337),
            endpoints: [first, second, third],
            transport: slow,
            clock: clock,
            logger: quiet
        )
        for one in [first, second, third] { serve(one, decimals("12")) }
        let query = TokenContract(address: .zero).decimals
        async let asked = client.ask(query)
        // Its answer, and the time that it has for it.
        await clock.untilDue(2, within: .seconds(30))
        clock.advance(.seconds(2))
        #expect(try await asked == 18)
        // It is not asked again for a while.
        #expect(try await client.ask(query) == 18)
    }

    /// - From endpoints: no answer by the first, and that of the others only after 12 seconds → they are
    ///   waited for
    @Test func `waits for slow endpoints if no other one answers`() async throws {
        let third = try Endpoint(url: "http://third.example")
        let clock = SteppedClock()
        serve(first, raw: "[]")
        for one in [second, third] { serve(one, decimals("12")) }
        var slow: any RPCTransport = transport
        for one in [second, third] {
            slow = AlteringTransport(inner: slow, altered: one.name) { request, answer in
                if request.contains("eth_call") { try await clock.wait(.seconds(12)) }
                return answer
            }
        }
        let client = ChainClient(
            chain: ChainID(31_337),
            endpoints: [first, second, third],
            transport: slow,
            clock: clock,
            logger: quiet
        )
        try await withThrowingTaskGroup { group in
            group.addTask {
                for _ in 0..<2 {
                    let told = try await client.ask(TokenContract(address: .zero).decimals)
                    #expect(told == 18)
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await clock.untilAwaited()
                    clock.advance(.milliseconds(100))
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private func decimals(_ digits: String) -> String {
        #""0x\#(String(repeating: "0", count: 62))\#(digits)""#
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "nonsense", #"{"jsonrpc":"2.0","id":0}"#,
        #"{"jsonrpc":"1.0","id":0,"result":"0x1"}"#,
        #"{"jsonrpc":"2.0","id":7,"result":"0x1"}"#,
        #"{"jsonrpc":"2.0","result":"0x1"}"#,
        #"{"jsonrpc":"2.0","id":0,"result":1}"#,
        #"{"jsonrpc":"2.0","id":0,"result":null}"#,
        #"{"jsonrpc":"2.0","id":0,"result":"1"}"#,
        #"{"jsonrpc":"2.0","id":0,"result":"0x"}"#,
        #"{"jsonrpc":"2.0","id":0,"result":"0xzz"}"#,
        #"{"jsonrpc":"2.0","id":0,"result":"0x-1"}"#,
        #"{"jsonrpc":"2.0","id":0,"result":"0x10000000000000000000000000000000000000000000000000000000000000000"}"#,
        #"{"jsonrpc":"2.0","id":0,"error":{"code":"x","message":1}}"#,
    ])
    func `blames an endpoint for a malformed answer and asks the next one`(
        raw: String
    ) async throws {
        serve(first, raw: raw)
        serve(second, #""0x2a""#)
        let client = client

        #expect(try await client.perform(.balance(of: .zero)).number == 42)
        guard case .failing(.malformed(first.name, _, _)) = await client.reports[0].status else {
            Issue.record("\(await client.reports[0])")
            return
        }
    }

    /// - From endpoints: numbers far out of range → the endpoint's fault; the next is asked
    @Test(arguments: [
        #"{"number":"0x1"}"#,
        #"{"number":"0x10000000000000000","hash":"HASH","parentHash":"HASH","timestamp":"0x1"}"#,
        #"{"number":"0xffffffffffffffff","hash":"HASH","parentHash":"HASH","timestamp":"0x1"}"#,
        #"{"number":"0x1","hash":"HASH","parentHash":"HASH","timestamp":"0xffffffffffffffff"}"#,
        #"{"number":"0x1","hash":"0x12","parentHash":"HASH","timestamp":"0x1"}"#,
        #"{"number":"0x1","hash":"HASH","parentHash":"HASH","timestamp":-5}"#,
        #"{"number":1e400,"hash":"HASH","parentHash":"HASH","timestamp":"0x1"}"#,
        #"[]"#, #""latest""#,
    ])
    func `refuses a malformed header`(header: String) async throws {
        let hash = Bytes32.zero.hex
        serve(first, header.replacing("HASH", with: hash))
        let client = client
        await #expect(throws: EthereumError.self) {
            try await client.perform(RPCCall.block(.latest))
        }
    }

    @Test func `returns a batch's answers in order, whatever the endpoint's order`() async throws {
        let one = #"{"jsonrpc":"2.0","id":1,"result":"0x11"}"#
        let zero = #"{"jsonrpc":"2.0","id":0,"result":"0x10"}"#
        serve(first, raw: "[\(one),\(zero)]")
        let answers = try await client.perform([
            RPCCall.balance(of: .zero), .transactionCount(of: .zero, at: .latest),
        ])

        #expect(answers.map(\.number) == [16, 17])
    }

    /// - From endpoints: duplicate, missing or foreign answers → refused
    @Test(arguments: [
        #"[{"jsonrpc":"2.0","id":1,"result":"0x11"}]"#,
        #"[{"jsonrpc":"2.0","id":0,"result":"0x1"},{"jsonrpc":"2.0","id":0,"result":"0x1"}]"#,
        #"[{"jsonrpc":"2.0","id":0,"result":"0x1"},{"jsonrpc":"2.0","id":2,"result":"0x1"}]"#,
        #"[]"#,
    ])
    func `refuses a batch with missing, repeated or foreign answers`(raw: String) async throws {
        serve(first, raw: raw)
        let calls = [RPCCall.balance(of: .zero), RPCCall.balance(of: .zero)]
        await #expect(throws: EthereumError.self) { try await client.perform(calls) }
    }

    @Test func `returns nil for a missing receipt`() async throws {
        serve(first, "null")
        #expect(try await client.perform(.receipt(of: .zero)) == nil)
    }
}
