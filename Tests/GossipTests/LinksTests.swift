import Keys
import Market
import Support
import Testing

@testable import Gossip
@testable import GossipProtocol

@Suite(.timeLimit(.minutes(5)))
struct LinksTests {
    @Test func `dials, identifies and pings over TLS`() async throws {
        try await LinkPair.with { pair in
            let peer = try await pair.ana.dial(pair.address)
            #expect(peer == pair.bo.localPeer)
            #expect(try await Ping.measure(peer, over: pair.ana) > .zero)

            let description = try await pair.ana.nextDescription()
            #expect(description.agentVersion == "stoa/test")
            #expect(description.record?.addresses == [pair.address])
            #expect(description.protocols.contains(Ping.protocolID))
            #expect(await pair.ana.links().map(\.direction) == [.outbound])
            #expect(await pair.bo.links().map(\.peer) == [pair.ana.localPeer])
        }
    }

    @Test func `carries more than a full window in both directions at once`() async throws {
        try await LinkPair.with { pair in
            await pair.bo.handle(protocol: "/echo/1") { stream in
                while let bytes = try await stream.read(atMost: 100_000) {
                    try await stream.write(bytes)
                }
                try await stream.closeWrite()
            }
            let peer = try await pair.ana.dial(pair.address)
            let stream = try await pair.ana.open(protocols: ["/echo/1"], to: peer)
            let sent = (0..<6_000_000).map { UInt8(truncatingIfNeeded: $0 / 251 ^ $0) }
            let received = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                group.addTask {
                    for start in stride(from: 0, to: sent.count, by: 70_000) {
                        try await stream.write(Array(sent[start..<min(start + 70_000, sent.count)]))
                    }
                    try await stream.closeWrite()
                    return []
                }
                var received: [UInt8] = []
                while let bytes = try await stream.read(atMost: 1 << 20) { received += bytes }
                try await group.waitForAll()
                return received
            }
            #expect(received == sent)
        }
    }

    @Test func `announces a peer that returns at once after its old link is gone`() async throws {
        try await LinkPair.with { pair in
            for _ in 0..<10 {
                let peer = try await pair.ana.dial(pair.address)
                await pair.ana.disconnect(peer, reason: .stopped)
                while await pair.ana.link(to: peer) != nil { await Task.yield() }
            }
            _ = try await pair.ana.dial(pair.address)
            var (isOpen, opened) = (false, 0)
            while opened < 11 {
                switch try await pair.bo.nextEvent() {
                case .opened:
                    #expect(!isOpen)
                    (isOpen, opened) = (true, opened + 1)
                case .closed:
                    #expect(isOpen)
                    isOpen = false
                case .identified, .offended: break
                }
            }
        }
    }

    /// - From peers: descriptions requested or sent again and again → stream reset, offence
    @Test func `charges a peer that repeatedly identifies itself or asks`() async throws {
        var limits = LinkLimits()
        limits.descriptionsBurst = 3
        limits.descriptionInterval = .seconds(3_600)
        try await LinkPair.with(limits: limits) { pair in
            let peer = try await pair.ana.dial(pair.address)
            for name in [Identify.protocolID, Identify.pushProtocolID] + [Identify.protocolID] {
                // A refused stream is reset, before or after its protocol is agreed; an answer is
                // as good as none here.
                let stream = try? await pair.ana.open(protocols: [name], to: peer)
                // Nobody waits for a description that does not come.
                try? await stream?.closeWrite()
                _ = try? await stream?.read(atMost: 1)
            }
            while true {
                guard case .offended(let peer, let offence) = try await pair.bo.nextEvent() else {
                    continue
                }
                #expect(peer == pair.ana.localPeer)
                #expect(offence == .tooManyQuestions)
                break
            }
        }
    }

    @Test func `sends peers the node's new addresses`() async throws {
        var limits = LinkLimits()
        limits.addressInterval = .milliseconds(20)
        try await LinkPair.with(limits: limits) { pair in
            _ = try await pair.ana.dial(pair.address)
            let first = try await pair.ana.nextDescription()
            let new = try #require(Multiaddr(text: "/ip4/203.0.113.7/tcp/4001"))
            await pair.bo.announce([new])
            var told = first
            while told.addresses == first.addresses { told = try await pair.ana.nextDescription() }
            #expect(told.addresses == [new.expecting(pair.bo.localPeer)])
            #expect(told.record?.sequence ?? 0 > first.record?.sequence ?? 0)
        }
    }

    @Test func `chooses the first protocol that both sides speak for a stream`() async throws {
        try await LinkPair.with { pair in
            await pair.bo.handle(protocol: "/one/1") { stream in
                try await stream.writeMessage(Array(stream.protocolID.utf8))
            }
            let peer = try await pair.ana.dial(pair.address)
            let stream = try await pair.ana.open(protocols: ["/two/1", "/one/1"], to: peer)
            var messages = stream.messages(bytesMax: 100)
            #expect(try await messages.next() == Array("/one/1".utf8))
            await #expect(throws: LinkError.protocolsRefused(["/none/1"])) {
                _ = try await pair.ana.open(protocols: ["/none/1"], to: peer)
            }
        }
    }

    @Test func `dialling in both directions at once leaves one link`() async throws {
        try await LinkPair.with { pair in
            let back = try await pair.ana.listen(on: LinkPair.any)[0]
            // Without a peer id, so that each dials even if the other link exists already.
            async let there = pair.ana.dial(pair.address.expecting(nil))
            async let here = pair.bo.dial(back.expecting(nil))
            #expect(try await there == pair.bo.localPeer)
            #expect(try await here == pair.ana.localPeer)
            let isAnas = pair.ana.localPeer < pair.bo.localPeer
            await pair.ana.wait(until: [isAnas ? .outbound : .inbound])
            await pair.bo.wait(until: [isAnas ? .inbound : .outbound])
            #expect(try await Ping.measure(pair.bo.localPeer, over: pair.ana) > .zero)
        }
    }

    @Test func `sends both sides the reason why a link ended`() async throws {
        try await LinkPair.with { pair in
            let peer = try await pair.ana.dial(pair.address)
            guard case .opened = try await pair.bo.nextEvent() else {
                Issue.record("the first event is the opening")
                return
            }
            await pair.ana.disconnect(peer, reason: .offended("a test"))
            #expect(try await pair.ana.nextEnd() == .offended("a test"))
            #expect(try await pair.bo.nextEnd() == .closedByPeer)
            await #expect(throws: LinkError.notLinked(peer)) {
                _ = try await pair.ana.open(protocols: [Ping.protocolID], to: peer)
            }
        }
    }
}

extension Links {
    /// Returns once exactly the expected links are open.
    fileprivate func wait(until directions: [LinkInfo.Direction]) async {
        while await links().map(\.direction) != directions { await Task.yield() }
    }
}
