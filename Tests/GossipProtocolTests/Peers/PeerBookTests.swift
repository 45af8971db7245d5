import GossipProtocol
import Market
import Testing

struct PeerBookTests {
    private var book = PeerBook(localPeer: peer(0), seed: 1)

    @Test mutating func `dials its bootstrap peers at once, and again after a short pause`() {
        #expect(book.handle(.bootstrap(address(1)), at: .start) == [.dial(peer(1), [address(1)])])
        #expect(gaps().dropFirst(8).allSatisfy { (15...46).contains($0) })
    }

    @Test mutating func `dials other peers again after ever longer pauses`() {
        learn(1)
        _ = book.handle(.linked(link(peer(1), address(1))), at: .start)
        _ = book.handle(.unlinked(peer(1), .lost), at: .start)
        _ = book.handle(.tick, at: .start + .seconds(5))
        let gaps = gaps()
        #expect(gaps.count > 12)
        #expect(gaps.prefix(4).allSatisfy { $0 <= 50 })
        #expect(gaps.dropFirst(10).allSatisfy { (300...901).contains($0) })
    }

    @Test mutating func `avoids a reported address that does not answer for some minutes`() {
        learn(1)
        #expect(gaps().allSatisfy { $0 >= 120 })
    }

    /// Returns the seconds between dials of the first peer, which never answers.
    private mutating func gaps() -> [Int] {
        var gaps: [Int] = []
        var last = 0
        _ = book.handle(.dialFailed(peer(1)), at: .start)
        for second in 1...10_000 {
            let now = Moment.start + .seconds(second)
            guard !book.handle(.tick, at: now).isEmpty else { continue }
            gaps.append(second - last)
            last = second
            _ = book.handle(.dialFailed(peer(1)), at: now)
        }
        return gaps
    }

    @Test mutating func `dials until it has the links that it wants`() {
        var open: [PeerBook.Directive] = []
        for number in 1...100 { open += learn(number) }
        #expect(open.count == 8)
        var dialled = 0
        for second in 0..<50 {
            let now = Moment.start + .seconds(second)
            for case .dial(let peer, let addresses) in open {
                dialled += 1
                _ = book.handle(.linked(link(peer, addresses[0])), at: now)
            }
            open = book.handle(.tick, at: now)
        }
        #expect(dialled == 24)
    }

    @Test mutating func `dials some peers itself, however many connect`() {
        for number in 1...40 {
            let info = link(peer(number), address(number), .inbound)
            _ = book.handle(.linked(info), at: .start)
        }
        var dials = 0
        for number in 101...150 {
            let learned = PeerBook.Event.learned(
                peer(number),
                [address(number)],
                reporter: address(number)
            )
            for case .dial(_, _) in book.handle(learned, at: .start) { dials += 1 }
        }
        #expect(dials == 8)
    }

    @Test mutating func `accepts private addresses only from peers in a private network`() {
        let far = Multiaddr(text: "/ip4/8.8.8.8/tcp/1")
        let home = Multiaddr(text: "/ip4/192.168.1.9/tcp/1")
        let own = Multiaddr(text: "/ip4/127.0.0.1/tcp/1")
        for (reporter, told, isBelieved) in [
            (far, own, false), (far, home, false), (far, far, true), (home, own, false),
            (home, home, true), (own, own, true), (own, far, true),
        ] {
            var book = PeerBook(localPeer: peer(0), seed: 1)
            guard let reporter, let told else { continue }
            _ = book.handle(.learned(peer(9), [told], reporter: reporter), at: .start)
            #expect(book.addresses(of: peer(9)).isEmpty != isBelieved, "\(told) by \(reporter)")
        }
    }

    @Test mutating func `stays bounded, whatever peers report`() {
        for number in 1...3_000 {
            let place = "/ip4/\(20 + number % 200).\(number % 97).\(number % 53).7/tcp/4001"
            guard let address = Multiaddr(text: place) else { continue }
            _ = book.handle(.learned(peer(number), [address], reporter: address), at: .start)
        }
        #expect(book.knownCount == 1_000)
        var crowd = PeerBook(localPeer: peer(0), seed: 1)
        for number in 1...300 {
            guard let address = Multiaddr(text: "/ip4/8.8.8.\(number % 2)/tcp/\(number)") else {
                continue
            }
            _ = crowd.handle(.learned(peer(number), [address], reporter: address), at: .start)
        }
        #expect(crowd.knownCount == 128)
    }

    @Test(arguments: [
        (OffenceTolerance.none, 1), (.low, 5), (.medium, 10), (.high, 50),
    ])
    mutating func `bans a peer once its offences reach the limit`(
        tolerance: OffenceTolerance,
        count: Int
    ) {
        _ = book.handle(.linked(link(peer(1), address(1))), at: .start)
        let offence = PeerOffence("test", tolerance)
        for _ in 1..<count {
            #expect(book.handle(.offended(peer(1), offence), at: .start) == [])
        }
        #expect(
            book.handle(.offended(peer(1), offence), at: .start)
                == [
                    .keep(peer(1)), .banned(peer(1), reason: "test"),
                    .disconnect(peer(1), reason: "test"),
                ]
        )
        // Its further offences before the link ends cause no second ban.
        for _ in 0..<count {
            #expect(book.handle(.offended(peer(1), offence), at: .start) == [])
        }
        #expect(book.ban(of: peer(1), at: .start)?.reason == "test")
        #expect(
            book.handle(.linked(link(peer(1), address(1))), at: .start)
                == [.disconnect(peer(1), reason: "test")]
        )
        let end = Moment.start + .seconds(3_600)
        #expect(book.ban(of: peer(1), at: end) == nil)
    }

    @Test mutating func `forgives offences that are far enough apart`() {
        let offence = PeerOffence("test", .low)
        for round in 0..<20 {
            let now = Moment.start + .seconds(601 * round)
            for _ in 0..<4 { #expect(book.handle(.offended(peer(1), offence), at: now) == []) }
        }
    }

    @Test mutating func `keeps bans and addresses over a restart`() throws {
        learn(1)
        _ = book.handle(.linked(link(peer(1), address(1))), at: .start)
        let now = Moment.start + .seconds(100)
        _ = book.handle(.offended(peer(1), PeerOffence("theft", .none)), at: now)
        let note = try #require(book.note(of: peer(1), unixTime: 5_000, at: now))
        #expect(note.bannedUntil == 8_600)
        #expect(note.lastSuccessAt == 4_900)

        var next = PeerBook(localPeer: peer(0), seed: 2)
        _ = next.handle(.remembered(note, unixTime: 6_000), at: .start)
        #expect(next.ban(of: peer(1), at: .start + .seconds(2_599))?.reason == "theft")
        #expect(next.ban(of: peer(1), at: .start + .seconds(2_600)) == nil)
        #expect(next.addresses(of: peer(1)) == [address(1)])
        #expect(next.handle(.tick, at: .start) == [])
    }

    @Test mutating func `an operator can ban and unban peers`() {
        _ = book.handle(.linked(link(peer(1), address(1))), at: .start)
        #expect(
            book.handle(.banned(peer(1), for: .seconds(5), reason: "spam"), at: .start)
                == [
                    .keep(peer(1)), .banned(peer(1), reason: "spam"),
                    .disconnect(peer(1), reason: "spam"),
                ]
        )
        _ = book.handle(.banned(peer(1), for: .zero, reason: ""), at: .start)
        #expect(book.banned(at: .start) == [])
    }

    /// Learns a peer, and returns the dials that follow.
    @discardableResult
    private mutating func learn(_ number: Int) -> [PeerBook.Directive] {
        let event = PeerBook.Event.learned(
            peer(number),
            [address(number)],
            reporter: address(number)
        )
        return book.handle(event, at: .start).filter {
            if case .dial = $0 { true } else { false }
        }
    }

    private func link(
        _ peer: PeerID,
        _ address: Multiaddr,
        _ direction: LinkInfo.Direction = .outbound
    ) -> LinkInfo {
        LinkInfo(peer: peer, address: address, direction: direction, openedAt: 0)
    }
}

private func peer(_ number: Int) -> PeerID {
    PeerID(multihash: [0, 2, UInt8(number >> 8), UInt8(number & 255)])
}

/// Returns an address in a subnet of its own.
private func address(_ number: Int) -> Multiaddr {
    guard let host = IPAddress(bytes: [8, UInt8(number >> 8), UInt8(number & 255), 1]) else {
        preconditionFailure("four bytes are an address")
    }
    return Multiaddr(host: .ip4(host), port: 4_001, peer: peer(number))
}
