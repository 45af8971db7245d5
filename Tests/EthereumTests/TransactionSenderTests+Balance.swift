import Ethereum
import Keys
import Market
import Support
import Testing
import Texts

/// Payments that the balance does not cover together.
extension TransactionSenderTests {
    @Test func `says what is missing if the balance falls in the middle of a check`() async throws {
        try await DevChain.scoped { dev, transport in
            let key = testKey(1)
            try await dev.fund(key.address)
            let balance = try await client(dev, transport).perform(.balance(of: key.address)).amount
            let once = Budget(1)
            let falling = AlteringTransport(inner: transport, altered: dev.endpoint.name) {
                request,
                answer in
                if request.contains("eth_getBalance"), await once.spend() {
                    try await dev.control(
                        "evm_setBalance",
                        #"["\#(key.address.checksummed)", "0x1"]"#
                    )
                }
                return answer
            }
            let client = ChainClient(
                chain: ChainID(dev.chainNumber),
                endpoints: [dev.endpoint],
                transport: falling,
                logger: quiet
            )
            await #expect(
                throws: PreflightError.insufficientBalance(
                    needed: balance,
                    available: Amount(small: 1)
                )
            ) {
                _ = try await client.preflight(
                    Intent.Step(to: Self.receiver, value: balance, data: []),
                    from: key.address,
                    speed: .normal,
                    fees: FeePolicy(ceiling: Amount(small: 1_000_000_000_000))
                )
            }
        }
    }

    @Test func `waits with a payment that does not fit beside one that is not mined`() async throws
    {
        try await DevChain.scoped(["--no-automine"]) { dev, transport in
            let (client, key) = (client(dev, transport), testKey(1))
            try await dev.fund(key.address)
            try await dev.control("evm_mine")
            let balance = try await client.perform(.balance(of: key.address)).amount
            let part = balance.quotientAndRemainder(dividingBy: 5).0
            func payment(_ number: UInt8, parts: UInt64) throws -> Intent {
                let value = try #require(part.multiplied(by: parts))
                return Intent(
                    id: IntentID(Bytes32(repeating: number)),
                    purpose: "pay",
                    steps: [Intent.Step(to: Self.receiver, value: value, data: [])]
                )
            }
            let first = try payment(1, parts: 3)
            let (large, small) = (try payment(2, parts: 3), try payment(3, parts: 1))
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            try await harness.run { sender in
                for intent in [first, large, small] { try await sender.submit(intent) }
                let progress = try await sender.until(large.id) {
                    if case .delayed = $0 { true } else { false }
                }
                guard case .delayed(let reason) = progress.phase else { return }
                #expect(reason.detail.contains("until they are mined"), "\(reason)")
                _ = try await sender.until(first.id) { $0 == .sent }
                _ = try await sender.until(small.id) { $0 == .sent }
                try await dev.control("evm_mine")
                #expect(try await sender.ended(first.id).phase == .final)
                #expect(try await sender.ended(small.id).phase == .final)
                // Once nothing waits, what does not fit is refused.
                let end = try await sender.ended(large.id).phase
                guard case .refused(let lack) = end else {
                    Issue.record("\(end)")
                    return
                }
                #expect(lack.contains("add funds"), "\(lack)")
            }
        }
    }
}
