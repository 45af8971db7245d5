import Concurrency
import Market
import NIOCore
import Testing

@testable import Gossip
@testable import GossipProtocol

/// Bytes for a peer that does not read.
@Suite(.timeLimit(.minutes(2)))
struct OutgoingBytesTests {
    @Test func `charges a link for bytes that tasks send, until they are sent`() throws {
        let link = try EmbeddedLink()
        try link.send(YamuxFrame(kind: .windowUpdate, flags: .open, stream: 1).bytes)
        let port = try #require(link.link.arrivals.poll())
        // The peer's window is 256 KiB: the rest waits for more window.
        let bytes = [UInt8](repeating: 7, count: 300_000)
        let call: EmbeddedLink.Outcome<Void> = link.call {
            link.link.write(port, bytes, within: .seconds(30), $0)
        }
        #expect(link.budget.audit.outgoing == 300_000)
        #expect(link.budget.audit.isBalanced)
        try link.send(YamuxFrame(kind: .windowUpdate, stream: 1, value: 100_000).bytes)
        #expect(call.result != nil)
        #expect(link.budget.audit.outgoing == 0)
        let last: EmbeddedLink.Outcome<Void> = link.call {
            link.link.write(port, bytes, within: .seconds(5), $0)
        }
        #expect(link.budget.audit.outgoing == 300_000)
        link.advance(by: .seconds(5))
        #expect(throws: LinkError.timedOut) { try last.result?.get() }
        #expect(link.budget.audit.outgoing == 0)
        #expect(link.budget.audit.isBalanced)
        try link.close()
        #expect(link.budget.audit == NodeBudget.Audit())
    }

    /// - From peers: answers requested and not read → no more are looked up
    @Test func `stops answering a peer that reads no answers`() async throws {
        try await LinkPair.with { pair in
            let made = BoundedQueue<Void>(elementsMax: 8)
            await pair.bo.handle(protocol: "/answer/1") { stream in
                let room = try await stream.room(for: MessageSplitter.messageBytesMax)
                await made.send(())
                try await stream.write(
                    [UInt8](repeating: 7, count: MessageSplitter.messageBytesMax)
                )
                withExtendedLifetime(room) {}
            }
            let bo = try await pair.ana.dial(pair.address)
            func read(_ stream: any PeerStream) async throws {
                var byteCount = 0
                while byteCount < MessageSplitter.messageBytesMax {
                    byteCount += try await stream.read(atMost: 1 << 20)?.count ?? .max
                }
            }
            let first = try await pair.ana.open(protocols: ["/answer/1"], to: bo)
            _ = await made.receive()
            let second = try await pair.ana.open(protocols: ["/answer/1"], to: bo)
            #expect(made.poll() == nil)
            try await read(first)
            _ = await made.receive()
            try await read(second)
        }
    }
}
