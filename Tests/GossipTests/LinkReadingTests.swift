import Concurrency
import NIOCore
import Testing

@testable import Gossip
@testable import GossipProtocol

/// A link whose peer sends frames that carry little or nothing.
@Suite(.timeLimit(.minutes(2)))
struct LinkReadingTests {
    private static let opening = YamuxFrame(kind: .windowUpdate, flags: .open, stream: 1).bytes

    private static func data(_ count: Int) -> [UInt8] {
        YamuxFrame(kind: .data, stream: 1, value: UInt32(count)).bytes
            + Array(repeating: 7, count: count)
    }

    /// - From peers: a flood of frames that carry little or nothing: pings, answers that nobody
    ///   asked for, window updates, empty data → the link is not read for a while, offence
    @Test(
        arguments: [
            YamuxFrame(kind: .ping, flags: .open, value: 5).bytes,
            YamuxFrame(kind: .ping, flags: .acknowledge, value: 5).bytes,
            YamuxFrame(kind: .windowUpdate, stream: 1).bytes,
            YamuxFrame(kind: .windowUpdate, stream: 1, value: 1).bytes,
            data(0), data(1),
        ]
    )
    func `charges a link for empty frames and reads it slowly`(
        frame: [UInt8]
    ) throws {
        let peer = try EmbeddedLink()
        try peer.send(Self.opening)
        let frames = Array(repeating: frame, count: 500).flatMap { $0 }
        var sent = 0
        while sent < 100_000, peer.readsOnce() {
            try peer.send(frames)
            sent += 500
        }
        #expect(sent <= 5_000)
        #expect(peer.link.offences.poll() == .smallPieces)
        #expect(peer.end == nil)
        // Ten seconds bring ten times what one second does.
        sent = 0
        for _ in 0..<100 {
            peer.advance(by: .milliseconds(100))
            while sent < 100_000, peer.readsOnce() {
                try peer.send(frames)
                sent += 500
            }
        }
        #expect(sent > 5_000 && sent <= 12_000)
        try peer.close()
    }

    /// - From peers: single bytes, each in its own TLS record → the link is not read for a
    ///   while, offence
    @Test func `bytes in TLS records of their own do not speed up reading`() throws {
        let peer = try EmbeddedLink()
        try peer.send(Self.opening)
        try peer.send(YamuxFrame(kind: .data, stream: 1, value: 100_000).bytes)
        var sent = 0
        while sent < 100_000, peer.readsOnce() {
            try peer.send([7])
            sent += 1
        }
        #expect(sent <= 5_000)
        #expect(peer.link.offences.poll() == .smallPieces)
        try peer.close()
    }

    @Test func `always reads a link that carries data`() throws {
        let peer = try EmbeddedLink()
        try peer.send(Self.opening)
        let stream = try #require(peer.link.arrivals.poll())
        for _ in 0..<10_000 {
            #expect(peer.readsOnce())
            try peer.send(Self.data(300))
            let reading = peer.call { done in
                peer.link.read(stream, atMost: 300, within: nil, done)
            }
            #expect(try reading.result?.get()?.count == 300)
        }
        #expect(peer.link.offences.poll() == nil)
        try peer.close()
    }

    @Test func `bytes sent before the peer's close do not speed up reading`() throws {
        let peer = try EmbeddedLink()
        let ping = YamuxFrame(kind: .ping, flags: .open, value: 5).bytes
        let pings = Array(repeating: ping, count: 10_000).flatMap { $0 }
        try peer.send(pings)
        #expect(try peer.takeAnswers().count >= 10_000)
        #expect(!peer.readsOnce())
        // The socket delivers it all the same, since it is at its end.
        try? peer.send(pings)
        #expect(peer.end == .lost)
        #expect(peer.link.yamux.framesRead <= 10_001)
        #expect(peer.budget.audit.links == 0)
    }

    @Test func `a link that ends while reading is paused leaves nothing behind`() throws {
        let peer = try EmbeddedLink()
        let ping = YamuxFrame(kind: .ping, flags: .acknowledge, value: 5).bytes
        try peer.send(Array(repeating: ping, count: 10_000).flatMap { $0 })
        #expect(!peer.readsOnce())
        try peer.close()
        peer.advance(by: .seconds(60))
        #expect(peer.budget.audit.links == 0)
    }

    @Test func `charges a peer that sends empty frames without pause`() async throws {
        var limits = LinkLimits()
        limits.piecesBurst = 64
        try await LinkPair.with(limits: limits) { pair in
            let address = pair.address
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let ping = YamuxFrame(kind: .ping, flags: .acknowledge, value: 5).bytes
                    let frames = Array(repeating: ping, count: 200).flatMap { $0 }
                    let credentials = try ForgedCertificate().credentials
                    try await RoguePeer.speak([frames], to: address, as: credentials)
                }
                let offence = try await pair.bo.nextOffence()
                #expect(offence == .smallPieces)
                group.cancelAll()
            }
        }
    }
}
