import Ethereum
import Keys
import Market
import Support
import Synchronization
import Testing

/// Prices of gas from endpoints that lie or tell nothing.
struct FeeMarketTests {
    /// What an endpoint answers about prices, as JSON; `nil` for a method that it does not have.
    private struct Told: Sendable {
        var head: UInt64?
        var history: String?
        var gasPrice: UInt64?
        var tip: UInt64?
        var hasBlocks = true

        /// A history of a base fee and tips, both in wei.
        static func history(_ baseFee: UInt64, tip: UInt64) -> String {
            func hex(_ number: UInt64) -> String { "\"0x\(String(number, radix: 16))\"" }
            let tips = [hex(tip), hex(tip), hex(tip)].joined(separator: ",")
            return "{\"baseFeePerGas\":[\(hex(baseFee)),\(hex(baseFee))],\"reward\":[[\(tips)]]}"
        }

        func answer(to request: String) -> String {
            func number(_ number: UInt64?) -> String {
                number.map { "\"result\":\"0x\(String($0, radix: 16))\"" } ?? Self.unknown
            }
            if request.contains("eth_chainId") { return number(31_337) }
            if request.contains("eth_gasPrice") { return number(gasPrice) }
            if request.contains("eth_maxPriorityFeePerGas") { return number(tip) }
            if request.contains("eth_feeHistory") {
                return history.map { "\"result\":\($0)" } ?? Self.unknown
            }
            guard hasBlocks else { return "\"result\":5" }
            let hash = Bytes32.zero.hex
            let fee = head.map { ",\"baseFeePerGas\":\"0x\(String($0, radix: 16))\"" } ?? ""
            return #""result":{"number":"0x1","hash":"\#(hash)","parentHash":"\#(hash)","#
                + #""timestamp":"0x1"\#(fee)}"#
        }

        private static let unknown = #""error":{"code":-32601,"message":"no such method"}"#
    }

    private static let gwei = FeePolicy.gwei
    private static let policy = FeePolicy.standard(for: ChainID(31_337))

    private func client(_ told: Told...) throws -> ChainClient {
        try client(told) { _, _ in false }.0
    }

    /// Returns a client of endpoints that want fewer requests when `isBusy` says so of an endpoint's
    /// number and a request.
    private func client(
        _ told: [Told],
        clock: ManualClock = ManualClock(),
        isBusy: @escaping @Sendable (Int, String) -> Bool
    ) throws -> (ChainClient, ManualClock) {
        let transport = FakeTransport()
        var endpoints: [Endpoint] = []
        for (index, told) in told.enumerated() {
            let endpoint = try Endpoint(url: "https://number\(index).example")
            endpoints.append(endpoint)
            transport.set(endpoint) { request in
                let text = String(decoding: request, as: UTF8.self)
                if isBusy(index, text) {
                    throw RPCTransportError.busy(status: 429, retryAfter: nil)
                }
                return [UInt8](#"{"jsonrpc":"2.0","id":0,\#(told.answer(to: text))}"#.utf8)
            }
        }
        let client = ChainClient(
            chain: ChainID(31_337),
            endpoints: endpoints,
            transport: transport,
            clock: clock,
            logger: quiet
        )
        return (client, clock)
    }

    /// - From endpoints: a price of 300 gwei, while the other endpoint tells its newest block and is
    ///   too busy to tell more → nothing is signed
    @Test func `a block's base fee refutes a price although the history is missing`()
        async throws
    {
        let dear = 300 * Self.gwei
        let liar = Told(
            head: dear,
            history: Told.history(dear, tip: 1),
            gasPrice: dear,
            tip: 1
        )
        let honest = Told(head: Self.gwei, history: Told.history(Self.gwei, tip: 1))
        for busy in ["eth_feeHistory", "eth_maxPriorityFeePerGas"] {
            var second = honest
            if busy == "eth_maxPriorityFeePerGas" { second.history = nil }
            let (client, _) = try client([liar, second]) { $0 == 1 && $1.contains(busy) }
            await #expect(throws: PreflightError.feesDiffer) { try await price(client) }
        }
    }

    /// - From endpoints: each answer only after five seconds, by the first of three → it is asked once
    ///   every two minutes, and two that agree do not wait for it
    @Test func `two endpoints that agree on the price wait for no slow one`() async throws {
        let clock = ManualClock()
        let asked = Mutex(0)
        let isSlow = Mutex(true)
        let honest = Told(head: Self.gwei, history: Told.history(Self.gwei, tip: 1))
        let (client, _) = try client([honest, honest, honest], clock: clock) { index, _ in
            guard index == 0 else { return false }
            if isSlow.withLock({ $0 }) { clock.advance(.seconds(5)) }
            asked.withLock { $0 += 1 }
            return false
        }
        #expect(try await client.feeMarket().reports.count == 3)
        let before = asked.withLock { $0 }
        for _ in 0..<10 {
            #expect(try await client.feeMarket().reports.count == 2)
            clock.advance(.seconds(10))
        }
        #expect(asked.withLock { $0 } == before)
        clock.advance(.seconds(60))
        #expect(try await client.feeMarket().reports.count == 3)
        // A quick answer to the same question ends it.
        #expect(try await client.feeMarket().reports.count == 2)
        isSlow.withLock { $0 = false }
        let name = await client.reports[0].name
        let slow = try #require(try await client.session(of: name))
        let _: FeeHistory = try await slow.perform(
            .feeHistory(blocks: FeePolicy.historyBlocks, percentiles: FeePolicy.percentiles)
        )
        #expect(try await client.feeMarket().reports.count == 3)
    }

    /// - From endpoints: a price that only one endpoint tells, while another one that answered
    ///   shortly before is busy → nothing is signed without an agreed maximum fee
    @Test func `one endpoint's price is not enough while another is only busy`() async throws {
        let isBusy = Mutex(false)
        let honest = Told(head: Self.gwei, history: Told.history(Self.gwei, tip: 1))
        let (client, clock) = try client([honest, honest]) { index, _ in
            index == 1 && isBusy.withLock { $0 }
        }
        #expect(try await price(client) != nil)
        isBusy.withLock { $0 = true }
        await #expect(throws: PreflightError.feeOfOne) { try await price(client) }
        #expect(try await client.feeMarket(isLimited: true).leastPrice == Amount(small: Self.gwei))
        // One that has been away for long holds nobody up.
        for _ in 0..<5 {
            clock.advance(.seconds(60))
            _ = try await client.feeMarket(isLimited: true)
        }
        #expect(try await price(client) != nil)
        // Nor does one that is mistrusted.
        isBusy.withLock { $0 = false }
        clock.advance(.seconds(60))
        #expect(try await price(client) != nil)
        let second = try #require(try await client.another(than: [try await client.session().name]))
        await client.mistrust(second, because: "a test")
        #expect(try await price(client) != nil)
        // Nor does one that never answered.
        let (other, _) = try self.client([honest, honest]) { index, _ in index == 1 }
        #expect(try await price(other) != nil)
    }

    private func price(_ client: ChainClient) async throws -> TransactionPricing? {
        Self.policy.pricing(try await client.feeMarket(), speed: .normal)
    }

    /// - From endpoints: a history of 400 gwei beside blocks of 1 gwei, the other endpoint without a
    ///   history → the price is that of the blocks
    @Test func `a false history raises no price although the other endpoint has none`()
        async throws
    {
        let dear = Told.history(400 * Self.gwei, tip: 400 * Self.gwei)
        let liar = Told(head: Self.gwei, history: dear, gasPrice: 400 * Self.gwei)
        let honest = Told(head: Self.gwei, gasPrice: Self.gwei + 9)
        let pricing = try await price(client(liar, honest))
        #expect(
            pricing
                == .dynamic(priorityFee: Self.policy.tipMin, feeCap: Amount(small: 2_001_000_000))
        )
        // Alone, its tip is at most the usual bound.
        let alone = try await price(client(liar))
        #expect(
            alone
                == .dynamic(
                    priorityFee: Amount(small: 2 * Self.gwei),
                    feeCap: Amount(small: 4 * Self.gwei)
                )
        )
        // If its blocks say so too, the two contradict each other.
        let forging = try client(Told(head: 400 * Self.gwei, history: dear), honest)
        await #expect(throws: PreflightError.feesDiffer) { try await price(forging) }
    }

    /// - From endpoints: a gas price that the blocks contradict, and no history → the base fee of the
    ///   blocks counts, and the transaction is none without a base fee
    @Test(arguments: [0, 1_000 * gwei] as [UInt64])
    func `a chain with base fees is never priced without one`(told: UInt64) async throws {
        let empty = #"{"baseFeePerGas":[],"gasUsedRatio":[],"reward":[]}"#
        for history in [empty, nil] {
            let liar = Told(head: 7 * Self.gwei, history: history, gasPrice: told)
            guard case .dynamic(let tip, let cap, _) = try await price(client(liar)) else {
                Issue.record("it has no type")
                return
            }
            #expect(tip >= Self.policy.tipMin && tip <= Amount(small: 7 * Self.gwei))
            #expect(cap >= Amount(small: 14 * Self.gwei) && cap <= Amount(small: 21 * Self.gwei))
        }
    }

    @Test func `two gas prices that differ much are not signed`() async throws {
        let (none, some) = (Told(gasPrice: 0), Told(gasPrice: Self.gwei))
        let two = try client(none, some)
        await #expect(throws: PreflightError.feesDiffer) { try await price(two) }
        let three = try client(none, some, some)
        let pricing = try await price(three)
        #expect(pricing == .legacy(gasPrice: Amount(small: Self.gwei / 10 * 11)))
        guard case .failing(.contradiction) = await three.reports[0].status else {
            Issue.record("\(await three.reports)")
            return
        }
        #expect(try await price(client(none)) == .legacy(gasPrice: Self.policy.tipMin))
    }

    /// - From endpoints: a history that cannot be read → it counts as none, and no endpoint is at fault
    @Test(arguments: [
        #"{"baseFeePerGas":[7,7],"reward":[]}"#, #"{"baseFeePerGas":["-0x1"]}"#,
        #"{"baseFeePerGas":["0x1"],"reward":[null,["0x1"]]}"#, #"{"baseFeePerGas":[null]}"#,
        #""none""#, "5",
    ])
    func `an unreadable history is none`(history: String) async throws {
        let odd = Told(head: Self.gwei, history: history, tip: 5_000_000)
        let client = try client(odd)
        let expected = TransactionPricing.dynamic(
            priorityFee: Amount(small: 5_000_000),
            feeCap: Amount(small: 2 * Self.gwei + 5_000_000)
        )
        #expect(try await price(client) == expected)
        #expect(await client.reports[0].status == .good)
    }

    /// - From endpoints: the first of two answers no block → the price is the other one's
    @Test func `the first endpoint may fail as well as any other`() async throws {
        let good = Told(head: Self.gwei, history: Told.history(Self.gwei, tip: 5_000_000))
        let client = try client(Told(hasBlocks: false), good)
        let expected = TransactionPricing.dynamic(
            priorityFee: Amount(small: 5_000_000),
            feeCap: Amount(small: 2 * Self.gwei + 5_000_000)
        )
        #expect(try await price(client) == expected)
        let none = try self.client(Told(hasBlocks: false))
        await #expect(throws: EthereumError.self) { try await price(none) }
    }
}
