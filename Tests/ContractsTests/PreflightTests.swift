import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

/// What a transaction is given before it is signed, on a real development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PreflightTests {
    @Test func `a call has enough gas even if its storage slots have been used`()
        async throws
    {
        try await DevChain.scoped { dev, transport in
            let market = try await SaleHarness.deployed(on: dev, transport)
            let token = TokenContract(address: try #require(market.deployment.tokens.first).address)
            let client = SaleHarness.client(dev, transport)
            let owner = SaleHarness.seller
            func approval(_ amount: UInt64) -> Intent.Step {
                Intent.Step(token.approve(testKey(9).address, amount: Amount(small: amount)))
            }
            func estimate(_ step: Intent.Step) async throws -> UInt64 {
                let request = CallRequest(
                    from: owner.address,
                    to: step.to,
                    value: step.value,
                    data: step.data
                )
                return try #require(try await client.perform(.estimateGas(request)).number)
            }
            try await SenderHarness(signer: KeySigner(owner), client: client).run { sender in
                func send(_ amount: UInt64) async throws {
                    let intent = Intent(
                        id: IntentID(Bytes32(repeating: UInt8(amount + 1))),
                        purpose: "approve",
                        steps: [approval(amount)]
                    )
                    try await sender.submit(intent)
                    #expect(try await sender.ended(intent.id).phase == .final)
                }
                try await send(5)
                let before = try await estimate(approval(7))
                let given = try await client.preflight(
                    approval(7),
                    from: owner.address,
                    speed: .normal,
                    fees: FeePolicy(ceiling: Amount(small: 1_000_000_000_000))
                ).gasLimit
                // Another transaction of the account uses the allowance up.
                try await send(0)
                let needed = try await estimate(approval(7))
                #expect(needed > before * 5 / 4)
                #expect(given >= needed)
            }
        }
    }
}
