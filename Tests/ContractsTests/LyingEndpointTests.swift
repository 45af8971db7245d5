import Contracts
import Foundation
import Keys
import Market
import Support
import Synchronization
import Testing

/// Sends over endpoints that leave out, invent, or change their minds.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LyingEndpointTests {
    private static let receiver = testKey(99).address
    private static let value = Amount(small: 12_345)
    private static let noReceipt = #""result":null"#

    private let payment = Intent(
        id: IntentID(Bytes32(repeating: 1)),
        purpose: "pay",
        steps: [Intent.Step(to: Self.receiver, value: Self.value, data: [])]
    )

    /// The same chain twice: first as `change` has it, then as it is.
    private func rig(
        _ dev: DevChain,
        _ transport: HTTPTransport,
        confirmations: UInt64 = 1,
        isSecondThere: Bool = true,
        _ change: @escaping AlteringTransport.Change
    ) async throws -> SenderRig {
        let liar = try dev.liar
        try #require(liar.name != dev.endpoint.name)
        return SenderRig(
            signer: KeySigner(testKey(1)),
            client: ChainClient(
                chain: ChainID(dev.chainNumber),
                endpoints: [liar] + (isSecondThere ? [dev.endpoint] : []),
                transport: AlteringTransport(inner: transport, altered: liar.name, change: change),
                logger: quiet
            ),
            confirmations: confirmations
        )
    }

    @Test func `a receipt that one endpoint has forgotten gives no nonce up`() async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let forgotten = Counted()
            let rig = try await rig(dev, transport) { request, answer in
                guard request.contains("eth_getTransactionReceipt"), forgotten.next() < 8 else {
                    return answer
                }
                return answer.replacing(/"result": ?\{.*\}(?=\}|, ?"id")/, with: Self.noReceipt)
            }
            let end = try await rig.run { sender in
                try await sender.submit(payment)
                return try await sender.ended(payment.id)
            }
            #expect(forgotten.count > 8)
            #expect(end.phase == .final)
            #expect(try !rig.journal.steps.contains(.nonceLost))
        }
    }

    @Test func `a transaction mined while it is looked at is nobody else's`() async throws {
        try await DevChain.scoped(["--no-automine"]) { dev, transport in
            let funds = #"["\#(testKey(1).address.checksummed)", "0x8ac7230489e80000"]"#
            try await dev.control("dev_fund", funds)
            try await dev.control("evm_mine")
            let asked = Counted()
            let rig = try await rig(dev, transport, isSecondThere: false) { request, answer in
                // Behind the answer that there is no receipt, and before whatever is asked next.
                if request.contains("eth_getTransactionReceipt"), asked.next() == 0 {
                    try await dev.control("evm_mine")
                }
                return answer
            }
            let phases = Phases()
            try await rig.run(listener: phases) { sender in
                try await sender.submit(payment)
                #expect(try await sender.ended(payment.id).phase == .final)
            }
            #expect(phases.all.contains(.final))
            #expect(!phases.all.contains(.keyUsedElsewhere))
        }
    }

    @Test func `nothing is signed while two endpoints differ on the nonce`() async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let isLying = Mutex(true)
            let rig = try await rig(dev, transport) { request, answer in
                guard request.contains("eth_getTransactionCount"), isLying.withLock({ $0 }) else {
                    return answer
                }
                return answer.replacing(/"result": ?"0x0"/, with: #""result":"0x99""#)
            }
            try await rig.run { sender in
                try await sender.submit(payment)
                _ = try await sender.until(payment.id) { phase in
                    if case .delayed = phase { true } else { false }
                }
                #expect(try rig.journal.steps == [.intentRecorded])
                isLying.withLock { $0 = false }
                #expect(try await sender.ended(payment.id).phase == .final)
            }
        }
    }

    @Test func `an endpoint that is short of something does not end an intent`() async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let asked = Counted()
            let rig = try await rig(dev, transport, isSecondThere: false) { request, answer in
                guard request.contains("eth_estimateGas"), asked.next() < 2 else { return answer }
                return #"{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"#
                    + #""message":"header not found"}}"#
            }
            let end = try await rig.run { sender in
                try await sender.submit(payment)
                return try await sender.ended(payment.id)
            }
            #expect(end.phase == .final)
            #expect(asked.count == 3)
        }
    }
}

/// Counts how often something was asked.
private final class Counted: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    /// How often before this time.
    func next() -> Int {
        number.withLock { number in
            defer { number += 1 }
            return number
        }
    }
}

/// Every phase that was told.
private final class Phases: TransactionListener {
    private let told = Mutex<[SendPhase]>([])

    var all: [SendPhase] { told.withLock { $0 } }

    func handle(_ progress: IntentProgress, account: Address, chain: ChainID) async throws {
        told.withLock { $0.append(progress.phase) }
    }
}
