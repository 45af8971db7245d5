import Ethereum
import Foundation
import Keys
import Market
import Support
import Synchronization
import Testing
import Texts

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
    private func harness(
        _ dev: DevChain,
        _ transport: HTTPTransport,
        confirmations: UInt64 = 1,
        isSecondThere: Bool = true,
        _ change: @escaping AlteringTransport.Change
    ) async throws -> SenderHarness {
        let liar = try dev.liar
        try #require(liar.name != dev.endpoint.name)
        return SenderHarness(
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

    /// - From endpoints: a receipt that one endpoint has forgotten → the nonce is not given up
    @Test func `keeps a nonce if one endpoint has lost a receipt`() async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let forgotten = Counted()
            let harness = try await harness(dev, transport) { request, answer in
                guard request.contains("eth_getTransactionReceipt"), forgotten.next() < 8 else {
                    return answer
                }
                return answer.replacing(/"result": ?\{.*\}(?=\}|, ?"id")/, with: Self.noReceipt)
            }
            let end = try await harness.run { sender in
                try await sender.submit(payment)
                return try await sender.ended(payment.id)
            }
            #expect(forgotten.count > 8)
            #expect(end.phase == .final)
            #expect(try !harness.journal.steps.contains(.nonceLost))
        }
    }

    @Test func `recognises its own transaction if it is mined during the check`() async throws {
        try await DevChain.scoped(["--no-automine"]) { dev, transport in
            let funds = #"["\#(testKey(1).address.checksummed)", "0x8ac7230489e80000"]"#
            try await dev.control("dev_fund", funds)
            try await dev.control("evm_mine")
            let asked = Counted()
            let harness = try await harness(dev, transport, isSecondThere: false) {
                request,
                answer in
                // Behind the answer that there is no receipt, and before whatever is asked next.
                if request.contains("eth_getTransactionReceipt"), asked.next() == 0 {
                    try await dev.control("evm_mine")
                }
                return answer
            }
            let phases = Phases()
            try await harness.run(listener: phases) { sender in
                try await sender.submit(payment)
                #expect(try await sender.ended(payment.id).phase == .final)
            }
            #expect(phases.all.contains(.final))
            #expect(!phases.all.contains(.keyUsedElsewhere))
        }
    }

    /// - From endpoints: a nonce that another endpoint does not confirm → nothing is signed
    @Test func `signs nothing while two endpoints differ on the nonce`() async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let isLying = Mutex(true)
            let harness = try await harness(dev, transport) { request, answer in
                guard request.contains("eth_getTransactionCount"), isLying.withLock({ $0 }) else {
                    return answer
                }
                return answer.replacing(/"result": ?"0x0"/, with: #""result":"0x99""#)
            }
            try await harness.run { sender in
                try await sender.submit(payment)
                _ = try await sender.until(payment.id) { phase in
                    if case .delayed = phase { true } else { false }
                }
                #expect(try harness.journal.steps == [.intentRecorded])
                isLying.withLock { $0 = false }
                #expect(try await sender.ended(payment.id).phase == .final)
            }
        }
    }

    /// - From endpoints: a nonce above this node's own that one endpoint tells while the others are away
    ///   → the step waits until a second one confirms it, or its owner acknowledges it
    @Test func `takes no strange nonce from the only endpoint that answers`() async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let isLying = Mutex(false)
            let liar = try dev.liar
            let altering = AlteringTransport(inner: transport, altered: liar.name) {
                request,
                answer in
                guard request.contains("eth_getTransactionCount"), isLying.withLock({ $0 }) else {
                    return answer
                }
                return answer.replacing(/"result": ?"0x1"/, with: #""result":"0x99""#)
            }
            let harness = SenderHarness(
                signer: KeySigner(testKey(1)),
                client: ChainClient(
                    chain: ChainID(dev.chainNumber),
                    endpoints: [liar, try Endpoint(url: "http://127.0.0.1:9")],
                    transport: altering,
                    logger: quiet
                )
            )
            func payment(_ number: UInt8) -> Intent {
                Intent(
                    id: IntentID(Bytes32(repeating: number)),
                    purpose: "pay",
                    steps: self.payment.steps
                )
            }
            try await harness.run { sender in
                // Its own nonce needs nobody's word.
                try await sender.submit(payment(1))
                _ = try await sender.until(payment(1).id) {
                    if case .mined = $0 { true } else { false }
                }
                isLying.withLock { $0 = true }
                try await sender.submit(payment(2))
                _ = try await sender.until(payment(2).id) { $0 == .nonceUnconfirmed(0x99) }
                #expect(try harness.journal.attempts.count == 1)
                isLying.withLock { $0 = false }
                _ = try await sender.until(payment(2).id) {
                    if case .mined = $0 { true } else { false }
                }
                // Another program used the key since, as its owner knows.
                let other = try Transaction(
                    chain: ChainID(dev.chainNumber),
                    nonce: 2,
                    to: Self.receiver,
                    value: .zero,
                    data: [],
                    gasLimit: 21_000,
                    pricing: .legacy(gasPrice: Amount(small: 4 * FeePolicy.gwei))
                ).signed(by: testKey(1))
                _ = try await harness.client.perform(.send(other.encoded))
                try await sender.submit(payment(3))
                _ = try await sender.until(payment(3).id) { $0 == .nonceUnconfirmed(3) }
                #expect(try await sender.acknowledgeForeignUse())
                _ = try await sender.until(payment(3).id) {
                    if case .mined = $0 { true } else { false }
                }
            }
            #expect(try harness.journal.attempts.map(\.nonce) == [0, 1, 3])
        }
    }

    /// An invented tip of 50,000 gwei in place of every tip.
    private static func dear(_ answer: String) -> String {
        guard let start = answer.firstRange(of: "\"reward\"") else { return answer }
        let tail = answer[start.upperBound...].replacing(
            /"0x[0-9a-f]+"/,
            with: "\"0x2d79883d2000\""
        )
        return String(answer[..<start.upperBound]) + String(tail)
    }

    /// - From endpoints: an invented tip → the ceiling applies, or the lower tip of two endpoints
    @Test(arguments: [true, false])
    func `an endpoint that invents tips raises no price`(isSecondThere: Bool) async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let told = Counted()
            let harness = try await harness(dev, transport, isSecondThere: isSecondThere) {
                request,
                answer in
                guard request.contains("eth_feeHistory"), answer.contains("reward") else {
                    return answer
                }
                _ = told.next()
                return Self.dear(answer)
            }
            let end = try await harness.run { sender in
                try await sender.submit(payment)
                return try await sender.ended(payment.id)
            }
            #expect(told.count > 0)
            let receipt = try #require(end.receipts[0])
            // The development chain's base fee is below 2 gwei.
            #expect(receipt.gasPrice <= Amount(small: 4 * FeePolicy.gwei))
        }
    }

    private func play(_ shape: String?, on dev: DevChain) async throws {
        let fault = shape.map { #"["provider", {"shape": "\#($0)", "host": "localhost"}]"# }
        try await dev.control("dev_fault", fault ?? #"["none"]"#)
    }

    /// - From endpoints: an estimate that no block has room for, or below what any transaction uses →
    ///   the step waits, or the next endpoint is asked; nothing is signed that no block takes
    @Test(arguments: ["huge_estimate", "no_estimate"])
    func `signs nothing with an impossible estimate`(shape: String) async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            try await play(shape, on: dev)
            let alone = try await harness(dev, transport, isSecondThere: false) { $1 }
            try await alone.run { sender in
                try await sender.submit(payment)
                let held = try await sender.until(payment.id) { phase in
                    if case .delayed = phase { true } else { false }
                }
                #expect("\(held.phase)".contains("use another endpoint"), "\(held.phase)")
                #expect(try alone.journal.steps == [.intentRecorded])
            }
            let both = try await harness(dev, transport) { $1 }
            try await both.run { sender in
                try await sender.submit(payment)
                #expect(try await sender.ended(payment.id).phase == .final)
            }
            #expect(try both.journal.attempts.count == 1)
        }
    }

    /// - From endpoints: an estimate for a call that the chain would refuse → the call is run before it
    ///   is signed; the step waits, and no fee is lost
    @Test(arguments: [true, false])
    func `signs no call that fails in spite of its estimate`(isSecondThere: Bool) async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let refusing = try await Beacon.refusing(on: dev)
            let call = Intent(
                id: payment.id,
                purpose: "call",
                steps: [Intent.Step(to: refusing, data: [1])]
            )
            try await play("same_estimate", on: dev)
            let harness = try await harness(dev, transport, isSecondThere: isSecondThere) { $1 }
            try await harness.run { sender in
                try await sender.submit(call)
                let held = try await sender.until(call.id) { phase in
                    if case .delayed = phase { true } else { false }
                }
                #expect("\(held.phase)".contains("would refuse it now"), "\(held.phase)")
                #expect(try harness.journal.steps == [.intentRecorded])
                // The honest estimate says so too, and that ends it.
                try await play(nil, on: dev)
                guard case .refused = try await sender.ended(call.id).phase else {
                    Issue.record("it did not end")
                    return
                }
            }
            #expect(try harness.journal.attempts.isEmpty)
        }
    }

    @Test func `says that a call ran out of gas if it did`() async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let call = Intent(
                id: payment.id,
                purpose: "call",
                steps: [Intent.Step(to: try await Beacon.spending(on: dev), data: [1])]
            )
            let harness = try await harness(dev, transport, isSecondThere: false) {
                request,
                answer in
                switch request {
                case _ where request.contains("eth_estimateGas"):
                    #"{"jsonrpc":"2.0","id":0,"result":"0x5300"}"#
                case _ where request.contains("eth_call"):
                    #"{"jsonrpc":"2.0","id":0,"result":"0x"}"#
                default: answer
                }
            }
            try await harness.run { sender in
                try await sender.submit(call)
                let end = try await sender.ended(call.id)
                #expect(end.phase == .reverted && end.ranOutOfGas, "\(end)")
            }
        }
    }

    /// - From people: a fee that rises above the agreed one after the call → the operation waits
    ///   until the fee falls
    @Test func `waits while the fee exceeds the agreed one, then continues`() async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let isDear = Mutex(true)
            let harness = try await harness(dev, transport, isSecondThere: false) {
                request,
                answer in
                guard isDear.withLock({ $0 }) else { return answer }
                // A base fee of 500 gwei, in blocks and in their history.
                return answer.replacing(
                    /"baseFeePerGas": ?"0x[0-9a-f]+"/,
                    with: "\"baseFeePerGas\": \"0x746a528800\""
                ).replacing(
                    /"baseFeePerGas": ?\[[^\]]*\]/,
                    with: "\"baseFeePerGas\": [\"0x746a528800\"]"
                )
            }
            // 21,000 gas and its margin, at 10 gwei.
            let bounded = Intent(
                id: payment.id,
                purpose: payment.purpose,
                steps: payment.steps,
                feesMax: [Amount(small: 26_250 * 10 * FeePolicy.gwei)]
            )
            let waiting = try await harness.run { sender in
                try await sender.submit(bounded)
                return try await sender.until(bounded.id) { phase in
                    if case .delayed = phase { true } else { false }
                }
            }
            guard case .delayed(let reason) = waiting.phase else { return }
            #expect(
                reason.detail.contains("above the 0.0002625 ETH that you agreed to"),
                "\(reason)"
            )
            #expect(try harness.journal.steps == [.intentRecorded])

            // A new sender, as after a restart, knows of it.
            let end = try await harness.run { sender in
                _ = try await sender.until(bounded.id) { phase in
                    if case .delayed = phase { true } else { false }
                }
                isDear.withLock { $0 = false }
                return try await sender.ended(bounded.id)
            }
            #expect(end.phase == .final)
            let receipt = try #require(end.receipts[0])
            #expect(receipt.gasPrice <= Amount(small: 10 * FeePolicy.gwei))
        }
    }

    @Test func `an endpoint that lacks data does not end an intent`() async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let asked = Counted()
            let harness = try await harness(dev, transport, isSecondThere: false) {
                request,
                answer in
                guard request.contains("eth_estimateGas"), asked.next() < 2 else { return answer }
                return #"{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"#
                    + #""message":"header not found"}}"#
            }
            let end = try await harness.run { sender in
                try await sender.submit(payment)
                return try await sender.ended(payment.id)
            }
            #expect(end.phase == .final)
            #expect(asked.count == 3)
        }
    }
}

/// Counts how often something was asked.
final class Counted: Sendable {
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
