import Ethereum
import Foundation
import Keys
import Market
import Support
import Synchronization
import Testing

/// Follows a chain whose preferred endpoint announces blocks over its WebSocket that no other
/// endpoint has.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ForgedHeadTests {
    /// The highest block that two endpoints were ever said to have.
    private func confirmed(_ harness: ChainHarness) -> UInt64 {
        harness.listener.updates.reduce(0) { highest, update in
            guard case .sources(let sources) = update else { return highest }
            return max(highest, sources.confirmed ?? 0)
        }
    }

    /// Mines empty blocks, takes them away again, and returns their headers.
    ///
    /// Their hashes are right, and the first one follows the head.
    private func forgedHeaders(on dev: DevChain, above height: UInt64) async throws -> [String] {
        let snapshot = try await dev.control("evm_snapshot")
        let id = try #require(snapshot.firstMatch(of: /"result": ?("[^"]+")/)?.output.1)
        try await dev.pass(seconds: 7)
        try await dev.control("evm_mineBlocks", "[4, 1]")
        var headers: [String] = []
        for number in height + 1...height + 5 {
            let answer = try await dev.control(
                "eth_getBlockByNumber",
                "[\"0x\(String(number, radix: 16))\", false]"
            )
            let header = try #require(answer.firstMatch(of: /"result": ?(\{.*\})\}/)?.output.1)
            headers.append(String(header))
        }
        try await dev.control("evm_revert", "[\(id)]")
        return headers
    }

    /// - From endpoints: announced blocks that only one endpoint has, with right or made-up hashes,
    ///   far above the chain or unreadable → none makes an event final; the chain of the second
    ///   endpoint is followed
    @Test func `forged heads make no event final and hide no real block`() async throws {
        try await DevChain.scoped(["--chain-id", "5"]) { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            try await beacon.emit()
            try await dev.control("evm_mineBlocks", "[4, 1]")
            let forged = try await forgedHeaders(on: dev, above: 6)
            let forger = HeadForger(dev.endpoint, transport)
            try await EndpointServer.scoped(forger.behaviour) { port, _ in
                try await EndpointTransport.scoped { transport in
                    let harness = ChainHarness(
                        dev: dev,
                        transport: transport,
                        filter: beacon.filter,
                        before: [try Endpoint(url: "ws://127.0.0.1:\(port)")]
                    ) {
                        $0.limits.mistrust = .milliseconds(100)
                        // The event's range ends below the head, so that everything is final.
                        $0.limits.logRangeBlocksFirst = 3
                    }
                    try await harness.run { service in
                        try await service.until { $0.health == .following }
                        try await service.until { _ in confirmed(harness) == 6 }
                        await forger.untilSubscribed()

                        let asked = forger.requestCount
                        for header in forged { forger.announce(header) }
                        try await service.until { $0.applied?.number == 11 }
                        #expect(forger.requestCount == asked)
                        #expect(confirmed(harness) == 6)

                        forger.lie(headAt: 1_000_000)
                        for number in 1...200 as ClosedRange<UInt64> {
                            forger.announce(Self.madeUp(12 + number % 3 * 1_000, number))
                        }
                        forger.announce(#"{"number":"0x7","hash":5}"#)
                        try await service.until { $0.applied?.number == 6 }
                        #expect(confirmed(harness) == 6)

                        for _ in 0..<3 { try await beacon.emit() }
                        try await service.until {
                            $0.applied?.number == 9 && $0.health == .following
                        }
                        forger.lie(headAt: nil)
                        try await service.until { _ in confirmed(harness) == 9 }
                    }
                    let real = try await harness.client.perform(
                        RPCCall.logs(beacon.filter, in: 0...9)
                    )
                    #expect(real.count == 4)
                    #expect(try harness.store.events(of: harness.chain).map(\.log) == real)
                    #expect(harness.listener.events.map(\.log) == real)
                }
            }
        }
    }

    /// A header whose hash is not that of its fields.
    private static func madeUp(_ height: UInt64, _ number: UInt64) -> String {
        let (hash, parent) = (Bytes32(words: 9, 9, 9, number), Bytes32(words: 9, 9, 9, number - 1))
        return #"{"number":"0x\#(String(height, radix: 16))","hash":"\#(hash.hex)","#
            + #""parentHash":"\#(parent.hex)","timestamp":"0x6553f100"}"#
    }
}

/// Hands requests on to an endpoint, and announces over its WebSocket what a test says.
private final class HeadForger: Sendable {
    private struct State {
        var client: EndpointServer.Client?
        var requestCount = 0
        var head: UInt64?
    }

    private let real: Endpoint
    private let transport: HTTPTransport
    private let state = Mutex(State())
    private let subscribed = AsyncStream<Void>.makeStream()

    init(_ real: Endpoint, _ transport: HTTPTransport) {
        (self.real, self.transport) = (real, transport)
    }

    var requestCount: Int { state.withLock { $0.requestCount } }

    /// States that the newest block has this height; `nil` tells the truth.
    func lie(headAt height: UInt64?) { state.withLock { $0.head = height } }

    func untilSubscribed() async { for await _ in subscribed.stream { return } }

    func announce(_ header: String) {
        state.withLock { $0.client }?.send(
            #"{"jsonrpc":"2.0","method":"eth_subscription","#
                + #""params":{"subscription":"0x1","result":\#(header)}}"#
        )
    }

    var behaviour: EndpointServer.Behaviour {
        EndpointServer.Behaviour { [self] request, client in
            state.withLock { $0.requestCount += 1 }
            guard let id = request.firstMatch(of: /"id": ?(\d+)/)?.output.1,
                request.contains("eth_subscribe")
            else {
                Task { client.send(try await answer(to: request)) }
                return
            }
            state.withLock { $0.client = client }
            client.send(#"{"jsonrpc":"2.0","id":\#(id),"result":"0x1"}"#)
            subscribed.continuation.yield()
        }
    }

    private func answer(to request: String) async throws -> String {
        let bytes = try await transport.post(
            [UInt8](request.utf8),
            to: real,
            bytesMax: 1 << 20,
            timeout: .seconds(30)
        )
        let answer = String(decoding: bytes, as: UTF8.self)
        guard let height = state.withLock({ $0.head }), request.contains(#""latest""#) else {
            return answer
        }
        return answer.replacing(
            /"number": ?"0x[0-9a-f]+"/,
            with: "\"number\":\"0x\(String(height, radix: 16))\""
        )
    }
}
