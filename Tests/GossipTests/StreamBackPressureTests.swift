import Concurrency
import Gossip
import GossipProtocol
import Keys
import Market
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StreamBackPressureTests {
    @Test func `a reader that stops reading blocks the writer after one window`() async throws {
        try await LinkPair.with { pair in
            await pair.bo.handle(protocol: "/deaf/1") { stream in
                // Reads one byte, to show that it runs, and nothing more until the stream is reset.
                _ = try await stream.read(atMost: 1)
                let (never, entry) = AsyncStream.makeStream(
                    of: Void.self,
                    bufferingPolicy: .bufferingOldest(1)
                )
                defer { entry.finish() }
                for await _ in never {}
            }
            let peer = try await pair.ana.dial(pair.address)
            let stream = try await pair.ana.open(protocols: ["/deaf/1"], to: peer)
            let chunk = [UInt8](repeating: 1, count: 65_536)
            var written = 0
            await #expect(throws: LinkError.timedOut) {
                while written < 100 {
                    try await stream.write(chunk, within: .milliseconds(200))
                    written += 1
                }
            }
            #expect(written <= 4)
        }
    }

    @Test func `an overlong message resets the stream before it is buffered`() async throws {
        try await LinkPair.with { pair in
            await pair.bo.handle(protocol: "/long/1") { stream in
                try await stream.write(Varint.encode(1 << 30))
                _ = try await stream.read(atMost: 1)
            }
            let peer = try await pair.ana.dial(pair.address)
            let stream = try await pair.ana.open(protocols: ["/long/1"], to: peer)
            var messages = stream.messages(bytesMax: 1_000)
            await #expect(throws: LinkError.messageTooLong(byteCount: 1 << 30)) {
                _ = try await messages.next()
            }
            await #expect(throws: LinkError.streamReset) { _ = try await stream.read(atMost: 1) }
        }
    }

    @Test func `does not deliver a truncated message`() async throws {
        try await LinkPair.with { pair in
            await pair.bo.handle(protocol: "/half/1") { stream in
                try await stream.write(Varint.encode(10) + [1, 2, 3])
                try await stream.closeWrite()
                _ = try await stream.read(atMost: 1)
            }
            let peer = try await pair.ana.dial(pair.address)
            let stream = try await pair.ana.open(protocols: ["/half/1"], to: peer)
            var messages = stream.messages(bytesMax: 1_000)
            await #expect(throws: LinkError.cutOff) { _ = try await messages.next() }
        }
    }

    /// - From peers: a message that begins and never ends → the stream is reset after 30 s and its
    ///   bytes are released
    @Test func `resets a stream whose message stops halfway, and frees its bytes`() async throws {
        try await LinkPair.with { pair in
            let outcome = BoundedQueue<LinkError>(elementsMax: 1)
            let held = BoundedQueue<Int>(elementsMax: 1)
            await pair.bo.handle(protocol: "/half/1") { stream in
                var messages = stream.messages(bytesMax: 1_000, messageMax: .milliseconds(300))
                do { _ = try await messages.next() } catch let error as LinkError {
                    await outcome.send(error)
                }
                await held.send(pair.bo.audit.unread)
            }
            let peer = try await pair.ana.dial(pair.address)
            let stream = try await pair.ana.open(protocols: ["/half/1"], to: peer)
            try await stream.write(Varint.encode(900) + [UInt8](repeating: 1, count: 500))
            #expect(await outcome.receive() == .stalled)
            #expect(await held.receive() == 0)
            await #expect(throws: LinkError.streamReset) { _ = try await stream.read(atMost: 1) }
        }
    }

    /// - From peers: many partial messages on many links → each link has a share; a stream that
    ///   exceeds it is reset
    @Test func `counts partial messages towards the link's and the node's bytes`() async throws {
        var limits = LinkLimits()
        limits.linksMax = 4
        limits.linksDialledReserve = 1
        limits.linksOfThisMachineMax = 3
        limits.linksOfOneAddressMax = 3
        limits.unreadBytesMax = 4 << 20
        try await LinkPair.with(limits: limits) { pair in
            let outcome = BoundedQueue<LinkError>(elementsMax: 1)
            await pair.bo.handle(protocol: "/half/1") { stream in
                var messages = stream.messages(bytesMax: 400_000)
                do { _ = try await messages.next() } catch let error as LinkError {
                    await outcome.send(error)
                }
            }
            let peer = try await pair.ana.dial(pair.address)
            var streams: [any PeerStream] = []
            // The share of a link is 768 KiB, and 1 MiB is free for any link.
            for _ in 0..<6 {
                let stream = try await pair.ana.open(protocols: ["/half/1"], to: peer)
                let half = [UInt8](repeating: 1, count: 200_000)
                // The stream that exceeds the limit is reset while it is written.
                try? await stream.write(Varint.encode(400_000) + half, within: .seconds(10))
                streams.append(stream)
            }
            // Refused as part of the message, or earlier as part of the stream.
            let refusal = await outcome.receive()
            #expect(refusal == .full(.bytes) || refusal == .streamReset)
            #expect(pair.bo.audit.isBalanced)
            for stream in streams { stream.reset() }
        }
    }

    @Test func `a cancelled wait ends, and the stream still works`() async throws {
        try await LinkPair.with { pair in
            await pair.bo.handle(protocol: "/answer/1") { stream in
                _ = try await stream.read(atMost: 1)
                try await stream.write([2])
            }
            let peer = try await pair.ana.dial(pair.address)
            let stream = try await pair.ana.open(protocols: ["/answer/1"], to: peer)
            await #expect(throws: LinkError.timedOut) {
                _ = try await stream.read(atMost: 1, within: .milliseconds(20))
            }
            try await stream.write([1])
            #expect(try await stream.read(atMost: 1) == [2])
        }
    }
}
