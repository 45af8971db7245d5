import Concurrency
import Gossip
import GossipProtocol
import Market
import Testing

/// Peers that keep the multiplexer's rules and still do harm.
@Suite(.timeLimit(.minutes(2)))
struct HostileStreamTests {
    /// Opens stream 1 and negotiates `name`, as a dialler does.
    private static func opening(_ name: String, then bytes: [UInt8] = []) -> [UInt8] {
        let lines = Multistream.line(Multistream.header) + Multistream.line(name) + bytes
        return YamuxFrame(kind: .windowUpdate, flags: .open, stream: 1).bytes
            + YamuxFrame(kind: .data, stream: 1, value: UInt32(lines.count)).bytes + lines
    }

    @Test func `a new stream with a reused number is not the old stream`() async throws {
        try await LinkPair.with { pair in
            let began = BoundedQueue<Void>(elementsMax: 1)
            let goOn = BoundedQueue<Void>(elementsMax: 1)
            let outcome = BoundedQueue<LinkError>(elementsMax: 1)
            await pair.bo.handle(protocol: "/slow/1") { stream in
                _ = try await stream.read(atMost: 1)
                await began.send(())
                _ = await goOn.receive()
                do {
                    // It would take the bytes of the other stream, or collide with its reader.
                    let bytes = try await stream.read(atMost: 100)
                    Issue.record("read \(bytes ?? []) of another stream")
                } catch let error as LinkError {
                    await outcome.send(error)
                }
            }
            let second = BoundedQueue<Void>(elementsMax: 1)
            await pair.bo.handle(protocol: "/mark/1") { _ in await second.send(()) }
            let address = pair.address
            await withTaskGroup { group in
                group.addTask {
                    // Ends with the test, possibly in the middle of a message.
                    try? await RoguePeer.speak(
                        to: address,
                        as: ForgedCertificate().credentials
                    ) { send in
                        try await send(Self.opening("/slow/1", then: [1]))
                        _ = await began.receive()
                        let reset = YamuxFrame(kind: .windowUpdate, flags: .reset, stream: 1)
                        try await send(reset.bytes + Self.opening("/slow/1"))
                        let mark =
                            Multistream.line(Multistream.header) + Multistream.line("/mark/1")
                        try await send(
                            YamuxFrame(kind: .windowUpdate, flags: .open, stream: 3).bytes
                                + YamuxFrame(
                                    kind: .data,
                                    stream: 3,
                                    value: UInt32(mark.count)
                                ).bytes + mark
                        )
                    }
                }
                _ = await second.receive()
                await goOn.send(())
                #expect(await outcome.receive() == .streamReset)
                group.cancelAll()
            }
        }
    }

    @Test func `a peer whose bytes nobody reads uses up no other peer's room`() async throws {
        var limits = LinkLimits()
        limits.linksMax = 8
        limits.linksDialledReserve = 1
        limits.linksOfThisMachineMax = 7
        limits.linksOfOneAddressMax = 7
        limits.unreadBytesMax = 8 << 20
        try await LinkPair.with(limits: limits) { [limits] pair in
            await pair.bo.handle(protocol: "/deaf/1") { _ in
                let (never, entry) = AsyncStream.makeStream(
                    of: Void.self,
                    bufferingPolicy: .bufferingOldest(1)
                )
                defer { entry.finish() }
                for await _ in never {}
            }
            await pair.bo.handle(protocol: "/echo/1") { stream in
                while let bytes = try await stream.read(atMost: 1 << 20) {
                    try await stream.write(bytes)
                }
            }
            let bo = try await pair.ana.dial(pair.address)
            var streams: [any PeerStream] = []
            let chunk = [UInt8](repeating: 7, count: 200_000)
            for _ in 0..<48 {
                let stream = try await pair.ana.open(protocols: ["/deaf/1"], to: bo)
                // The greedy peer must expect that its stream is reset.
                try? await stream.write(chunk, within: .seconds(1))
                streams.append(stream)
            }
            let cy = try LinkPair.node(limits)
            try await withThrowingTaskGroup { group in
                group.addTask { try await cy.run() }
                _ = try await cy.dial(pair.address)
                let echo = try await cy.open(protocols: ["/echo/1"], to: bo)
                try await echo.write(chunk, within: .seconds(10))
                var count = 0
                while count < chunk.count {
                    let bytes = try await echo.read(atMost: 1 << 20, within: .seconds(10))
                    count += try #require(bytes).count
                }
                #expect(count == chunk.count)
                group.cancelAll()
            }
            for stream in streams { stream.reset() }
        }
    }

    @Test func `answers a limited number of a peer's pings at a time`() async throws {
        try await LinkPair.with { pair in
            let bo = try await pair.ana.dial(pair.address)
            var streams: [any PeerStream] = []
            for _ in 0..<LinkLimits().ownStreamsPerPeerMax {
                let stream = try await pair.ana.open(protocols: [Ping.protocolID], to: bo)
                try await stream.write(Array(repeating: 1, count: 32))
                #expect(try await stream.read(atMost: 32) != nil)
                streams.append(stream)
            }
            await #expect(throws: LinkError.streamReset) {
                let tooMany = try await pair.ana.open(protocols: [Ping.protocolID], to: bo)
                try await tooMany.write(Array(repeating: 1, count: 32))
                _ = try await tooMany.read(atMost: 32, within: .seconds(10))
            }
            for stream in streams { stream.reset() }
        }
    }

    /// - From peers: repeated streams on which no protocol is agreed → offence
    @Test func `charges a peer whose streams repeatedly agree on no protocol`() async throws {
        var limits = LinkLimits()
        limits.fruitlessStreamsBurst = 3
        limits.fruitlessStreamInterval = .seconds(1_000)
        try await LinkPair.with(limits: limits) { pair in
            let bo = try await pair.ana.dial(pair.address)
            for _ in 0..<5 {
                await #expect(throws: LinkError.protocolsRefused(["/none/1"])) {
                    _ = try await pair.ana.open(protocols: ["/none/1"], to: bo)
                }
            }
            for _ in 0..<2 { #expect(try await pair.bo.nextOffence() == .fruitlessStreams) }
        }
    }
}
