import Gossip
import GossipProtocol
import Keys
import Market
import Testing

@Suite(.timeLimit(.minutes(2)))
struct LinkRefusalTests {
    /// Lets a rogue peer meet a node, and returns how the node's links ended.
    private static func endings(
        limits: LinkLimits = LinkLimits(),
        _ meet: @Sendable (Multiaddr) async throws -> Void
    ) async throws -> [String: Int] {
        try await LinkPair.with(limits: limits) { pair in
            do {
                try await meet(pair.address)
            } catch {
                // The rogue's own failure is expected; the test looks at the node's side.
            }
            // The count may be late; the suite's time limit ends a vain wait.
            while pair.bo.endings.isEmpty { await Task.yield() }
            return pair.bo.endings
        }
    }

    private static func open(_ stream: UInt32) -> [UInt8] {
        YamuxFrame(kind: .windowUpdate, flags: .open, stream: stream).bytes
    }

    /// - From peers: garbage instead of a handshake → the socket is closed
    @Test(
        arguments: [
            (Multistream.line("GET / HTTP/1.1"), "negotiation"),
            ([0xFF, 0xFF, 0xFF, 0x7F], "negotiation"),
            (
                Multistream.line(Multistream.header) + Multistream.line("/tls/1.0.0")
                    + Array(repeating: 0x41, count: 4_096), "tls_library"
            ),
        ] as [([UInt8], String)]
    )
    func `garbage closes the socket at once`(bytes: [UInt8], label: String) async throws {
        let endings = try await Self.endings { try await RoguePeer.send(bytes, to: $0) }
        #expect(endings == [label: 1])
    }

    /// - From peers: half a handshake → the socket is closed after the time limit of a handshake
    @Test(arguments: [0, 5, 20, 32])
    func `disconnects a peer that falls silent during the handshake`(byteCount: Int) async throws {
        var limits = LinkLimits()
        limits.handshakeMax = .milliseconds(50)
        let opening = Multistream.line(Multistream.header) + Multistream.line("/tls/1.0.0")
        let endings = try await Self.endings(limits: limits) { address in
            try await RoguePeer.send(Array(opening.prefix(byteCount)), to: address)
        }
        #expect(endings == ["handshake_timed_out": 1])
    }

    /// - From peers: sockets from a banned address → refused before the handshake
    @Test func `refuses a banned address before the handshake`() async throws {
        let own = try #require(IPAddress(ip4: "127.0.0.1"))
        try await LinkPair.with { pair in
            pair.bo.bannedAddresses.set([AddressGroup(own)])
            await #expect(throws: LinkError.self) { try await pair.ana.dial(pair.address) }
            while pair.bo.endings.isEmpty { await Task.yield() }
            #expect(pair.bo.endings == ["refused_banned": 1])
            pair.bo.bannedAddresses.set([])
            let peer = try await pair.ana.dial(pair.address)
            #expect(peer == pair.bo.localPeer)
        }
    }

    /// - From peers: a forged or expired certificate, or two certificates → the handshake is
    ///   refused
    @Test func `refuses a forged, expired or duplicate certificate`() async throws {
        func label(_ credentials: TLSCredentials) async throws -> [String: Int] {
            try await Self.endings { try await RoguePeer.speak([], to: $0, as: credentials) }
        }
        var forged = ForgedCertificate()
        forged.hostSigner = .random()
        #expect(try await label(forged.credentials) == ["tls_wrong_host_signature": 1])
        var expired = ForgedCertificate()
        expired.notAfter = "20210101000000Z"
        #expect(try await label(expired.credentials) == ["tls_expired": 1])
        let good = ForgedCertificate()
        let two = try TLSCredentials(
            certificates: [try good.der, try ForgedCertificate().der],
            privateKey: good.privateKey
        )
        #expect(try await label(two) == ["tls_certificate_count": 1])
    }

    /// - From peers: a wrong ALPN → the handshake is refused
    @Test func `refuses a peer that agrees on no application protocol`() async throws {
        let good = ForgedCertificate()
        let other = try TLSCredentials(
            certificates: [try good.der],
            privateKey: good.privateKey,
            applicationProtocols: ["h2"]
        )
        let endings = try await Self.endings { try await RoguePeer.speak([], to: $0, as: other) }
        #expect(endings == ["tls_wrong_application_protocol": 1])
    }

    /// - From peers: a partial multiplexer frame → the link ends as silent
    @Test func `half a multiplexer frame ends the link after a short while`() async throws {
        var limits = LinkLimits()
        limits.tickInterval = .milliseconds(10)
        limits.yamux.pingAnswerMax = .milliseconds(50)
        let endings = try await Self.endings(limits: limits) { address in
            let half = Array(Self.open(1).prefix(6))
            try await RoguePeer.speak([half], to: address, as: ForgedCertificate().credentials)
        }
        #expect(endings == ["silent": 1])
    }

    /// - From peers: a wrong peer id → the link is refused
    @Test func `a dialler refuses a peer other than the one it dialled`() async throws {
        try await LinkPair.with { pair in
            let other = HostKey(PrivateKey.random().publicKey).peer
            await #expect(throws: LinkError.linkEnded(.tls(.wrongPeer(pair.bo.localPeer)))) {
                _ = try await pair.ana.dial(pair.address.expecting(other))
            }
            #expect(await pair.ana.links().isEmpty)
        }
    }

    /// - From peers: a frame that breaks the multiplexer's rules → link ended
    @Test func `frames that break the multiplexer's rules end the link`() async throws {
        let overrun = YamuxFrame(kind: .data, stream: 1, value: 262_145).bytes
        let cases: [([[UInt8]], String)] = [
            ([Array(repeating: 0x5A, count: 64)], "mux_unknownVersion"),
            ([Self.open(1), overrun], "mux_windowOverrun"),
            ([Self.open(2)], "mux_wrongOpening"),
            ([YamuxFrame(kind: .data, stream: 9, value: 4).bytes], "mux_unknownStream"),
        ]
        for (frames, label) in cases {
            let endings = try await Self.endings { address in
                let credentials = try ForgedCertificate().credentials
                try await RoguePeer.speak(frames, to: address, as: credentials)
            }
            #expect(endings == [label: 1])
        }
    }

    /// - From peers: too many streams → refused, then the link ends
    @Test func `refuses, then disconnects a peer that opens too many streams`() async throws {
        var limits = LinkLimits()
        limits.yamux.streamsAcceptedMax = 4
        limits.yamux.refusedOpeningsMax = 8
        let endings = try await Self.endings(limits: limits) { address in
            let openings = (0..<13).map { Self.open(UInt32($0) * 2 + 1) }
            try await RoguePeer.speak(openings, to: address, as: ForgedCertificate().credentials)
        }
        #expect(endings == ["mux_tooManyStreams": 1])
    }

    @Test func `disconnects a linked peer that never answers a ping`() async throws {
        var limits = LinkLimits()
        limits.tickInterval = .milliseconds(10)
        limits.yamux.pingAnswerMax = .milliseconds(50)
        let endings = try await Self.endings(limits: limits) { address in
            try await RoguePeer.speak([], to: address, as: ForgedCertificate().credentials)
        }
        #expect(endings == ["silent": 1])
    }

    @Test func `closes an unused link after a while`() async throws {
        var limits = LinkLimits()
        limits.tickInterval = .milliseconds(10)
        limits.idleMax = .milliseconds(50)
        try await LinkPair.with(limits: limits) { pair in
            _ = try await pair.ana.dial(pair.address)
            let end = try await pair.ana.nextEnd()
            #expect(end == .idle || end == .closedByPeer)
        }
    }

    /// - From peers: silent sockets → the oldest one of the address with the most is closed for a
    ///   new one
    @Test func `silent sockets do not keep peers out`() async throws {
        try await LinkPair.with { pair in
            try await RoguePeer.hold(150, silentSocketsTo: pair.address) {
                let peer = try await pair.ana.dial(pair.address)
                let roundTrip = try await Ping.measure(peer, over: pair.ana)
                #expect(roundTrip > .zero)
            }
            #expect((pair.bo.endings["refused_handshakes"] ?? 0) >= 86)
        }
    }

    @Test func `a full node tells the newest peer that it is full`() async throws {
        var limits = LinkLimits()
        limits.linksMax = 3
        limits.linksDialledReserve = 2
        limits.linksOfThisMachineMax = 3
        limits.linksOfOneAddressMax = 3
        try await LinkPair.with(limits: limits) { [limits] pair in
            _ = try await pair.ana.dial(pair.address)
            let cy = try LinkPair.node(limits)
            try await withThrowingTaskGroup { group in
                group.addTask { try await cy.run() }
                _ = try await cy.dial(pair.address)
                #expect(try await cy.nextEnd() == .closedByPeer)
                #expect(pair.bo.endings["refused_links"] == 1)
                #expect(try await Ping.measure(pair.bo.localPeer, over: pair.ana) > .zero)
                group.cancelAll()
            }
        }
    }

    /// - From peers: too many sockets from one address → refused
    @Test func `refuses more sockets from one address than allowed`() async throws {
        var limits = LinkLimits()
        limits.linksOfThisMachineMax = 1
        try await LinkPair.with(limits: limits) { pair in
            _ = try await pair.ana.dial(pair.address)
            try? await RoguePeer.send([1], to: pair.address)
            #expect(pair.bo.endings == ["refused_linksOfOneAddress": 1])
            #expect(try await Ping.measure(pair.bo.localPeer, over: pair.ana) > .zero)
        }
    }
}
