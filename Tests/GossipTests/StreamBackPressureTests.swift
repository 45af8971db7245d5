import Gossip
import Keys
import Market
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StreamBackPressureTests {
    @Test func `a reader that does not read stops the writer at one window`() async throws {
        try await LinkPair.with { pair in
            await pair.bo.handle(protocol: "/deaf/1") { stream in
                // Reads one byte, to show that it is there, and no more until it is reset.
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

    @Test func `a message longer than allowed resets the stream before it is taken in`()
        async throws
    {
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

    @Test func `a message cut in half is not a message`() async throws {
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

    @Test func `a wait has an end when asked for one, and the stream goes on`() async throws {
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
