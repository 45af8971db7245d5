import Concurrency
import Ethereum
import Keys
import Market
import Support
import Testing

/// What the endpoints' pools do with a transaction.
extension TransactionSenderTests {
    private func client(
        _ dev: DevChain,
        _ transport: HTTPTransport,
        _ endpoints: [Endpoint]
    ) -> ChainClient {
        ChainClient(
            chain: ChainID(dev.chainNumber),
            endpoints: endpoints,
            transport: transport,
            logger: quiet
        )
    }

    func foreign(
        _ nonce: UInt64,
        by key: PrivateKey,
        on client: ChainClient,
        gwei: UInt64 = 1
    ) throws -> SignedTransaction {
        try Transaction(
            chain: client.chain,
            nonce: nonce,
            to: testKey(98).address,
            value: .zero,
            data: [],
            gasLimit: 21_000,
            pricing: .dynamic(
                priorityFee: Amount(small: gwei),
                feeCap: Amount(small: gwei * FeePolicy.gwei)
            )
        ).signed(by: key)
    }

    @Test func `an endpoint that forwards no transaction delays none`() async throws {
        try await DevChain.scoped(["--private-port", "0"]) { dev, transport in
            let key = testKey(1)
            try await dev.fund(key.address)
            let silent = try #require(dev.privatePool)
            let client = client(dev, transport, [silent, dev.endpoint])
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            try await harness.run { sender in
                try await sender.submit(payment())
                #expect(try await sender.ended(payment().id).phase == .final)
            }
            #expect(try harness.journal.steps.filter { $0 == .signed }.count == 1)
        }
    }

    @Test func `an endpoint that does not answer delays no transaction`() async throws {
        try await DevChain.scoped(["--private-port", "0"]) { dev, transport in
            let key = testKey(1)
            try await dev.fund(key.address)
            let silent = try #require(dev.privatePool)
            let hanging = AlteringTransport(inner: transport, altered: silent.name) {
                request,
                answer in
                guard request.contains("eth_sendRawTransaction") else { return answer }
                try await SystemMonotonicClock().wait(.seconds(3_600))
                return answer
            }
            let client = ChainClient(
                chain: ChainID(dev.chainNumber),
                endpoints: [silent, dev.endpoint],
                transport: hanging,
                logger: quiet
            )
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            try await harness.run { sender in
                for number in [1, 2] as [UInt8] {
                    try await sender.submit(payment(number))
                    #expect(try await sender.ended(payment(number).id).phase == .final)
                }
            }
        }
    }

    @Test func `sends a pooled transaction again while it is not mined`() async throws {
        try await DevChain.scoped(["--private-port", "0"]) { dev, transport in
            let key = testKey(1)
            try await dev.fund(key.address)
            let silent = try #require(dev.privatePool)
            let budget = Budget(2)
            // The second endpoint fails at first; the one that is left keeps what it is sent.
            let away = AlteringTransport(inner: transport, altered: dev.endpoint.name) {
                request,
                answer in
                guard request.contains("eth_sendRawTransaction"), await budget.spend() else {
                    return answer
                }
                throw RPCTransportError.unreachable(reason: "away")
            }
            let client = ChainClient(
                chain: ChainID(dev.chainNumber),
                endpoints: [silent, dev.endpoint],
                transport: away,
                logger: quiet
            )
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            try await harness.run { sender in
                try await sender.submit(payment())
                #expect(try await sender.ended(payment().id).phase == .final)
            }
        }
    }

    @Test func `raises a tip below the pools' minimum, within the agreed fee`() async throws {
        try await DevChain.scoped { dev, transport in
            let key = testKey(1)
            try await dev.fund(key.address)
            let client = client(dev, transport)
            var harness = SenderHarness(signer: KeySigner(key), client: client)
            try await dev.control("dev_fault", #"["least_tip", {"wei": 1500000000}]"#)
            try await harness.run { sender in
                try await sender.submit(payment(1))
                #expect(try await sender.ended(payment(1).id).phase == .final)
            }
            let prices = try harness.journal.attempts.map(\.pricing.tip)
            #expect(prices.count == 2 && prices[1] == Amount(small: 1_500_000_000))

            // The next one begins with it, and the least tip can be set.
            try await harness.run { sender in
                try await sender.submit(payment(2))
                #expect(try await sender.ended(payment(2).id).phase == .final)
            }
            #expect(try harness.journal.attempts.count == 3)
            harness.configuration.fees.tipMin = Amount(small: 1_900_000_000)
            try await dev.control("dev_fault", #"["least_tip", {"wei": 1900000000}]"#)
            try await harness.run { sender in
                try await sender.submit(payment(3))
                #expect(try await sender.ended(payment(3).id).phase == .final)
            }
            #expect(try harness.journal.attempts.count == 4)
        }
    }

    /// - From people: a tip that pools refuse and that the settings do not allow it to raise → nothing
    ///   is signed at another price; the operation says to raise chain.tipCeilingGwei
    @Test func `pays no tip above the ceiling and shows the refusal`() async throws {
        try await DevChain.scoped { dev, transport in
            let key = testKey(1)
            try await dev.fund(key.address)
            let harness = SenderHarness(signer: KeySigner(key), client: client(dev, transport))
            try await dev.control("dev_fault", #"["least_tip", {"wei": 9000000000}]"#)
            try await harness.run { sender in
                try await sender.submit(payment())
                let refused = await sender.reached(payment().id) { $0.note != nil }
                guard case .stuck(let reason)? = refused?.phase else {
                    Issue.record("\(String(describing: refused))")
                    return
                }
                #expect(reason.contains("minimum needed 9000000000"))
                #expect(refused?.note?.contains("raise chain.tipCeilingGwei") == true)
                let count = try harness.journal.attempts.count
                try await dev.control("dev_fault", #"["none"]"#)
                #expect(try await sender.ended(payment().id).phase == .final)
                #expect(try count <= 2 && harness.journal.attempts.count == count)
            }
        }
    }

    /// - From endpoints: a signed transaction refused for more gas than a block or a transaction can
    ///   have → signed again with less, at the same nonce and within the agreed fee
    @Test(arguments: [true, false])
    func `signs again with less gas if the chain allows only that much`(isCapped: Bool) async throws
    {
        try await DevChain.scoped { dev, transport in
            let key = testKey(1)
            try await dev.fund(key.address, ether: 100)
            let liar = try dev.liar
            if isCapped { try await dev.control("dev_fault", #"["gas_cap", {}]"#) }
            let (estimates, heads) = (Budget(1), Budget(1))
            // The first estimate is far too high, and if nothing bounds it, so is the first block.
            let lying = AlteringTransport(inner: transport, altered: liar.name) { request, answer in
                if request.contains("eth_estimateGas"), await estimates.spend() {
                    let gas = isCapped ? "0x1312d00" : "0x1d905c0"
                    return answer.replacing(
                        /"result": ?"0x[0-9a-f]+"/,
                        with: #""result":"\#(gas)""#
                    )
                }
                if !isCapped, request.contains("eth_getBlockByNumber"), await heads.spend() {
                    return answer.replacing(
                        /"gasLimit": ?"0x[0-9a-f]+", ?/,
                        with: #""gasLimit":"0x4000000000000","#
                    )
                }
                return answer
            }
            let client = ChainClient(
                chain: ChainID(dev.chainNumber),
                endpoints: [liar],
                transport: lying,
                logger: quiet
            )
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            try await harness.run { sender in
                try await sender.submit(payment())
                #expect(try await sender.ended(payment().id).phase == .final)
            }
            let attempts = try harness.journal.attempts
            let gas = try attempts.map { try SignedTransaction.decode($0.raw).transaction.gasLimit }
            #expect(gas == [isCapped ? 25_000_000 : 38_750_000, 26_250])
            #expect(attempts.map(\.nonce) == [0, 0])
        }
    }

    @Test func `does not blame an endpoint that is still indexing transactions`() async throws {
        try await DevChain.scoped(["--no-automine"]) { dev, transport in
            let client = client(dev, transport)
            let key = testKey(1)
            try await dev.fund(key.address)
            try await dev.control("evm_mine")
            try await dev.control("dev_fault", #"["indexing"]"#)
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            try await harness.run { sender in
                try await sender.submit(payment())
                _ = try await sender.until(payment().id) { $0 == .sent }
                // Ten looks at what is not mined.
                for _ in 0..<10 {
                    sender.look()
                    _ = try await client.perform(.balance(of: key.address))
                }
                #expect(await client.reports.map(\.status) == [.good])
                try await dev.control("evm_mine")
                #expect(try await sender.ended(payment().id).phase == .final)
            }
        }
    }

    /// - From people: a step whose nonce is used by a waiting transaction of another program → the
    ///   operation waits for that one, or takes its place once the owner acknowledges it
    @Test func `does not silently replace another wallet's waiting transaction`() async throws {
        try await DevChain.scoped(["--no-automine"]) { dev, transport in
            let client = client(dev, transport)
            let key = testKey(1)
            try await dev.fund(key.address)
            try await dev.control("evm_mine")
            let waiting = try foreign(0, by: key, on: client)
            _ = try await client.perform(.send(waiting.encoded))
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            try await harness.run { sender in
                try await sender.submit(payment(1))
                _ = try await sender.until(payment(1).id) { $0 == .nonceAwaited(0) }
                #expect(try harness.journal.attempts.isEmpty)
                // It goes on by itself once that one is mined.
                try await dev.control("evm_mine")
                _ = try await sender.until(payment(1).id) { $0 == .sent }
                #expect(try harness.journal.attempts.map(\.nonce) == [1])
                // Its own waiting transactions are none of another wallet.
                try await sender.submit(payment(2))
                _ = try await sender.until(payment(2).id) { $0 == .sent }
                try await dev.control("evm_mine")
                #expect(try await sender.ended(payment(2).id).phase == .final)
                #expect(try await !sender.acknowledgeForeignUse())
            }
            let other = try foreign(3, by: key, on: client)
            _ = try await client.perform(.send(other.encoded))
            try await harness.run { sender in
                try await sender.submit(payment(3))
                _ = try await sender.until(payment(3).id) { $0 == .nonceAwaited(3) }
                #expect(try await sender.acknowledgeForeignUse())
                _ = try await sender.until(payment(3).id) { $0 == .sent }
                try await dev.control("evm_mine")
                #expect(try await sender.ended(payment(3).id).phase == .final)
            }
            #expect(try harness.journal.attempts.last?.nonce == 3)
        }
    }
}

/// How often an endpoint is away.
actor Budget {
    private var left: Int

    init(_ left: Int) { self.left = left }

    func spend() -> Bool {
        left -= 1
        return left >= 0
    }
}
