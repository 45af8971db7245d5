import Concurrency
import Ethereum
import Keys
import Market
import Support
import Testing

/// The gas that a transaction is given beyond its estimate.
@Suite(.timeLimit(.minutes(1)))
struct GasMarginTests {
    /// New places in storage: today's price, the one that chains with larger blocks plan per 32
    /// bytes, and the one per 64 bytes.
    ///
    /// Source: EIP-2200; EIP-8037, with 1,174 and 1,530 gas for each byte.
    @Test(arguments: [17_100, 37_568, 97_920] as [UInt64])
    func `reserves gas for every credit that the end of a sale uses`(placeGas: UInt64) {
        let estimate: UInt64 = 161_029
        let given = ChainLimits().gasLimit(
            estimate: estimate,
            isCall: true,
            newPlaceGas: placeGas
        )
        #expect(given >= estimate + 5 * placeGas)
    }

    /// The end of a sale took 331,255 on a go-ethereum with the coming rules, after this estimate.
    @Test func `reserves gas for the credits even if the chain states no price`() {
        let limits = ChainLimits()
        let given = limits.gasLimit(
            estimate: 161_029,
            isCall: true,
            newPlaceGas: limits.newPlaceGas
        )
        #expect(given >= 331_255 + 331_255 / 20)
    }

    @Test func `limits the margin by the size of the estimate`() {
        let limits = ChainLimits()
        func limit(_ estimate: UInt64, isCall: Bool = true) -> UInt64 {
            limits.gasLimit(estimate: estimate, isCall: isCall, newPlaceGas: 20_000)
        }
        #expect(limit(21_000) == 26_250)
        #expect(limit(30_000) == 37_500 + 20_000)
        #expect(limit(200_000) == 250_000 + 100_000)
        #expect(limit(2_000_000, isCall: false) == 2_500_000)
    }

    private let endpoint = Result { try Endpoint(url: "http://one.example") }
    private let other = Result { try Endpoint(url: "http://two.example") }

    /// Answers what a preflight asks; `place` is the gas of a new place, `nil` if it does not say.
    private func transport(place: UInt64?) throws -> FakeTransport {
        let transport = FakeTransport()
        serve(try endpoint.get(), by: transport, place: place)
        return transport
    }

    private func serve(
        _ endpoint: Endpoint,
        by transport: FakeTransport,
        place: UInt64? = 17_100,
        estimate: UInt64 = 161_029,
        needed: UInt64 = 0,
        block: UInt64 = 30_000_000,
        balance: UInt64 = 1 << 60,
        refusal: String? = nil,
        failing method: String? = nil
    ) {
        transport.set(endpoint) { request in
            let text = String(decoding: request, as: UTF8.self)
            if let method, text.contains(method) {
                throw RPCTransportError.unreachable(reason: "test")
            }
            func answer(_ result: String) -> [UInt8] {
                [UInt8](#"{"jsonrpc":"2.0","id":0,\#(result)}"#.utf8)
            }
            func gas(_ gas: UInt64) -> [UInt8] {
                answer(#""result":"0x\#(String(gas, radix: 16))""#)
            }
            if text.contains("6001600055") {
                guard let place else {
                    return answer(#""error":{"code":-32000,"message":"no contracts here"}"#)
                }
                return gas(55_000 + place)
            }
            if text.contains("6000600055") { return gas(55_000) }
            if let refusal, text.contains("eth_estimateGas") || text.contains("eth_call") {
                return answer(#""error":{"code":3,"message":"\#(refusal)","data":"0x"}"#)
            }
            if text.contains("eth_estimateGas") { return gas(estimate) }
            if text.contains("eth_getBlockByNumber") {
                let hash = Bytes32.zero.hex
                return answer(
                    #""result":{"number":"0x1","hash":"\#(hash)","parentHash":"\#(hash)","#
                        + #""timestamp":"0x1","gasLimit":"0x\#(String(block, radix: 16))"}"#
                )
            }
            if text.contains("eth_call") {
                let given = text.firstMatch(of: /"gas":"0x([0-9a-f]+)"/)?.output.1
                guard given.flatMap({ UInt64($0, radix: 16) }) ?? .max >= needed else {
                    return answer(#""error":{"code":-32000,"message":"out of gas"}"#)
                }
                return answer(#""result":"0x""#)
            }
            if text.contains("eth_chainId") { return gas(31_337) }
            if text.contains("eth_feeHistory") {
                return answer(
                    #""result":{"baseFeePerGas":["0x1","0x1"],"reward":[["0x0","0x0","0x0"]]}"#
                )
            }
            return gas(balance)
        }
    }

    private func client(_ transport: FakeTransport, _ endpoints: [Endpoint]) -> ChainClient {
        ChainClient(
            chain: ChainID(31_337),
            endpoints: endpoints,
            transport: transport,
            clock: SteppedClock(),
            logger: quiet
        )
    }

    private func given(_ client: ChainClient, _ data: [UInt8] = [1]) async throws -> UInt64 {
        try await client.preflight(
            Intent.Step(to: testKey(2).address, data: data),
            from: testKey(1).address,
            speed: .normal,
            fees: FeePolicy(ceiling: Amount(small: 1_000_000_000_000))
        ).gasLimit
    }

    @Test(
        arguments: [(161_029, 161_029), (170_000, 170_000), (400_000, 351_286)]
            as [(UInt64, UInt64)]
    )
    func `gives a transaction at most the gas of a block`(block: UInt64, counted: UInt64)
        async throws
    {
        let transport = FakeTransport()
        serve(try endpoint.get(), by: transport, block: block)
        #expect(try await given(client(transport, [try endpoint.get()])) == counted)
    }

    /// - From endpoints: an estimate of more gas than a block has, or of less than a transaction uses
    ///   before anything runs → the endpoint's fault; the next is asked, and without one nothing is
    ///   signed
    @Test(arguments: [31_000_000, 0, 20_999, 21_015, 1 << 60] as [UInt64])
    func `an impossible estimate is the endpoint's fault`(estimate: UInt64) async throws {
        let transport = FakeTransport()
        let (lying, honest) = (try endpoint.get(), try other.get())
        serve(lying, by: transport, estimate: estimate)
        let alone = client(transport, [lying])
        let error = await #expect(throws: EthereumError.self) { try await given(alone) }
        let words = try "\(#require(error))"
        #expect(words.contains("one.example") && words.contains("\(estimate) gas"), "\(words)")
        #expect(words.contains("use another endpoint"))
        serve(honest, by: transport)
        let both = client(transport, [lying, honest])
        #expect(try await given(both) == 351_286)
        guard case .failing(.malformed) = await both.reports[0].status else {
            Issue.record("\(await both.reports)")
            return
        }
    }

    /// - From endpoints: an estimate above the gas that a block has according to another one → that
    ///   one's estimate counts; without one, nothing is signed
    @Test func `signs nothing while endpoints differ on the gas that a block has`() async throws {
        let transport = FakeTransport()
        let (lying, honest) = (try endpoint.get(), try other.get())
        serve(lying, by: transport, estimate: 31_000_000, block: 1 << 40)
        serve(honest, by: transport)
        let client = client(transport, [lying, honest])
        try await client.survey()
        #expect(try await given(client) == 351_286)
        serve(honest, by: transport, estimate: 31_000_000)
        await #expect(throws: PreflightError.gasDiffers) { try await given(client) }
        serve(honest, by: transport)
        serve(lying, by: transport, block: 1 << 40)
        #expect(try await given(client) == 351_286)
    }

    /// - From endpoints: an estimate of too little gas → another endpoint runs the call with that gas
    ///   and refuses it; nothing is signed
    @Test(arguments: [[1], []] as [[UInt8]])
    func `signs nothing with less gas than another endpoint needs`(data: [UInt8]) async throws {
        let transport = FakeTransport()
        let (lying, honest) = (try endpoint.get(), try other.get())
        serve(lying, by: transport, estimate: 22_000)
        serve(honest, by: transport, needed: 60_000)
        let client = client(transport, [lying, honest])
        await #expect(throws: PreflightError.notRun(honest.name, "out of gas")) {
            try await given(client, data)
        }
    }

    /// - From endpoints: a refusal to run what two others estimate and run → it holds nothing up
    @Test func `one of three endpoints' refusals holds nothing up`() async throws {
        let transport = FakeTransport()
        let (first, second) = (try endpoint.get(), try other.get())
        let third = try Endpoint(url: "http://three.example")
        serve(first, by: transport)
        serve(second, by: transport, refusal: "execution reverted")
        serve(third, by: transport)
        let client = client(transport, [first, second, third])
        #expect(try await given(client) == 351_286)
        serve(third, by: transport, refusal: "execution reverted: too late")
        await #expect(throws: PreflightError.notRun(second.name, "execution reverted")) {
            try await given(client)
        }
    }

    /// - From endpoints: an estimate of far more gas than another one's → the middle one of three
    ///   counts, or the lower one of two
    @Test func `one endpoint's estimate alone makes nothing dear`() async throws {
        let transport = FakeTransport()
        let (lying, honest) = (try endpoint.get(), try other.get())
        let third = try Endpoint(url: "http://three.example")
        serve(lying, by: transport, estimate: 29_000_000)
        for one in [honest, third] { serve(one, by: transport) }
        for endpoints in [[lying, honest], [honest, lying], [lying, third, honest]] {
            #expect(try await given(client(transport, endpoints)) == 351_286)
        }
        for estimate in [22_000, 100_000] as [UInt64] {
            serve(lying, by: transport, estimate: estimate)
            #expect(try await given(client(transport, [lying, honest, third])) == 351_286)
        }
    }

    /// - From endpoints: an estimate of too little gas for a creation → the greater one counts, since
    ///   nothing runs a creation before it is signed
    @Test func `the greater of two estimates counts for a creation`() async throws {
        let transport = FakeTransport()
        let (lying, honest) = (try endpoint.get(), try other.get())
        serve(lying, by: transport, estimate: 60_000)
        serve(honest, by: transport, estimate: 200_000)
        for endpoints in [[lying, honest], [honest, lying]] {
            let needs = try await client(transport, endpoints).preflight(
                Intent.Step(to: nil, data: [1]),
                from: testKey(1).address,
                speed: .normal,
                fees: FeePolicy(ceiling: Amount(small: 1_000_000_000_000))
            )
            #expect(needs.gasLimit == 250_000)
        }
    }

    /// - From endpoints: a balance that does not cover a step, although another endpoint's does →
    ///   the larger one counts
    @Test func `one endpoint's balance alone refuses nothing`() async throws {
        let transport = FakeTransport()
        let (lying, honest) = (try endpoint.get(), try other.get())
        let step = Intent.Step(to: testKey(2).address, value: Amount(small: 5), data: [1])
        let fees = FeePolicy(ceiling: Amount(small: 1_000_000_000_000))
        func check(_ client: ChainClient) async throws {
            let account = testKey(1).address
            let needs = try await client.preflight(step, from: account, speed: .normal, fees: fees)
            try needs.requireAffordable(besides: .zero)
            _ = try await client.quote(FeeQuestion([step], from: account, fees: fees))
        }
        serve(honest, by: transport)
        // Too little for the value, and for the fee.
        for balance in [0, 5] as [UInt64] {
            serve(lying, by: transport, balance: balance)
            try await check(client(transport, [lying, honest]))
            let alone = client(transport, [lying])
            await #expect(throws: PreflightError.self) { try await check(alone) }
        }
    }

    /// - From endpoints: a balance that does not cover a step, or a refusal of it, while the second
    ///   endpoint fails → a third decides; without one, the step waits
    @Test(arguments: ["eth_getBalance", "eth_estimateGas"])
    func `one endpoint ends no step while the second fails`(method: String) async throws {
        let transport = FakeTransport()
        let (lying, honest) = (try endpoint.get(), try other.get())
        let third = try Endpoint(url: "http://three.example")
        if method == "eth_getBalance" {
            serve(lying, by: transport, balance: 0)
        } else {
            serve(lying, by: transport, refusal: "execution reverted")
        }
        serve(third, by: transport)
        let step = Intent.Step(to: testKey(2).address, value: Amount(small: 5), data: [1])
        func check(_ endpoints: [Endpoint]) async throws {
            let client = client(transport, endpoints)
            serve(honest, by: transport)
            try await client.survey()
            serve(honest, by: transport, failing: method)
            _ = try await client.preflight(
                step,
                from: testKey(1).address,
                speed: .normal,
                fees: FeePolicy(ceiling: Amount(small: 1_000_000_000_000))
            )
        }
        if method == "eth_getBalance" { try await check([lying, honest, third]) }
        let error = await #expect(throws: PreflightError.self) { try await check([lying, honest]) }
        guard case .refusedByOne(lying.name, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// - From endpoints: a refusal to estimate what another endpoint estimates → it ends nothing; the
    ///   step waits, and names the endpoint
    @Test func `one endpoint's refusal alone ends no step`() async throws {
        let transport = FakeTransport()
        let (lying, honest) = (try endpoint.get(), try other.get())
        serve(lying, by: transport, refusal: "execution reverted: call a stranger")
        serve(honest, by: transport)
        let both = client(transport, [lying, honest])
        let error = await #expect(throws: PreflightError.self) { try await given(both) }
        guard case .notRun(lying.name, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        serve(honest, by: transport, refusal: "execution reverted: too late")
        let agreed = await #expect(throws: PreflightError.self) { try await given(both) }
        guard case .refused = agreed else {
            Issue.record("\(String(describing: agreed))")
            return
        }
    }

    /// - From endpoints: a new storage slot that costs far more gas than according to another one → the
    ///   lower of two prices counts, or the middle one of three, and never more than 150,000
    @Test func `one endpoint's price of a storage slot raises no call's gas`() async throws {
        let transport = FakeTransport()
        let (lying, honest) = (try endpoint.get(), try other.get())
        let third = try Endpoint(url: "http://three.example")
        serve(lying, by: transport, place: 1_000_000)
        for one in [honest, third] { serve(one, by: transport, place: 40_000) }
        for endpoints in [[lying, honest], [honest, lying], [lying, honest, third]] {
            #expect(try await given(client(transport, endpoints)) == 201_286 + 5 * 40_000)
        }
        #expect(try await given(client(transport, [lying])) == 201_286 + 5 * 150_000)
        serve(lying, by: transport, place: 0)
        let three = client(transport, [lying, honest, third])
        #expect(try await given(three) == 201_286 + 5 * 40_000)
        // One that refuses to answer leaves the others' word.
        serve(lying, by: transport, place: nil)
        #expect(try await given(client(transport, [lying, honest, third])) == 201_286 + 5 * 40_000)
    }

    @Test(arguments: [(97_920, 97_920), (5_000, 30_000), (nil, 30_000)] as [(UInt64?, UInt64)])
    func `asks the chain for the cost of a new storage slot`(place: UInt64?, counted: UInt64)
        async throws
    {
        let transport = try transport(place: place)
        let clock = ManualClock()
        let client = ChainClient(
            chain: ChainID(31_337),
            endpoints: [try endpoint.get()],
            transport: transport,
            clock: clock,
            logger: quiet
        )
        func given() async throws -> UInt64 {
            try await client.preflight(
                Intent.Step(to: testKey(2).address, data: [1]),
                from: testKey(1).address,
                speed: .normal,
                fees: FeePolicy(ceiling: Amount(small: 1_000_000_000_000))
            ).gasLimit
        }
        #expect(try await given() == 201_286 + 5 * counted)
        // The answer counts for an hour.
        let before = transport.exchanges.count
        #expect(try await given() == 201_286 + 5 * counted)
        let asked = transport.exchanges.count - before
        clock.advance(.seconds(3_601))
        _ = try await given()
        #expect(transport.exchanges.count - before > 2 * asked)
    }
}
