import GossipProtocol
import Market
import Testing

/// Limits on dials of told addresses, and on where names may lead.
struct PeerBookDialTests {
    private var book = PeerBook(localPeer: peer(0), seed: 1)

    /// - From peers: hundreds of reported addresses → dialled at most a few times a second
    @Test mutating func `dials strangers' addresses at most a few times a second`() {
        var dials = 0
        for second in 0..<60 {
            let now = Moment.start + .seconds(second)
            var open: [PeerBook.Directive] = []
            for number in 0..<20 {
                let index = second * 20 + number
                open += learn(index + 1, "8.\(index / 250).\(index % 250).1", at: now)
            }
            open += book.handle(.tick, at: now)
            // No peer answers, and each dial fails at once.
            while let directive = open.popLast() {
                guard case .dial(let peer, _) = directive else { continue }
                dials += 1
                open += book.handle(.dialFailed(peer), at: now)
                open += book.handle(.tick, at: now)
            }
        }
        #expect(dials <= 16 + 60 * 4)
        #expect(dials > 60)
    }

    /// - From peers: one victim's address under many peer ids → dialled rarely
    @Test mutating func `dials an address rarely, under any peer id and port`() {
        #expect(dialled(of: 400) { "/ip4/9.9.9.9/tcp/\($0)" } <= 4 + 20)
    }

    @Test
    mutating func `leaves one address and port alone after a failure, under any peer id`() {
        #expect(dialled(of: 400) { _ in "/ip4/9.9.9.9/tcp/1" } <= 5)
    }

    @Test mutating func `dials a subnet rarely`() {
        #expect(dialled(of: 400) { "/ip4/9.9.9.\($0 % 200 + 1)/tcp/1" } <= 16 + 120)
    }

    @Test mutating func `limits the addresses from each source separately`() {
        let count = dialled(of: 400, reporter: "8.8.8.8") {
            "/ip4/9.\($0 / 200).\($0 % 200).1/tcp/1"
        }
        #expect(count <= 16 + 120)
        // Its address counts, whatever its key; another source is still used.
        #expect(learn(900, "7.7.7.7", at: .start + .seconds(600)).contains { $0.isDial })
    }

    @Test mutating func `dials configured peers first and in addition to all others`() throws {
        for number in 1...300 { learn(number, "8.\(number / 250).\(number % 250).1", at: .start) }
        let own = try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/1")).expecting(peer(999))
        #expect(book.handle(.bootstrap(own), at: .start).contains(.dial(peer(999), [own])))
        for second in 1...100 {
            let now = Moment.start + .seconds(second * 60)
            _ = book.handle(.dialFailed(peer(999)), at: now)
            let later = now + .seconds(46)
            #expect(book.handle(.tick, at: later).contains(.dial(peer(999), [own])))
        }
    }

    /// - From peers: an address that is banned, or whose peer is banned, while it is dialled → the
    ///   link ends and its dial slot is free again
    @Test mutating func `a peer banned during a dial frees its place`() {
        var dialled: [(PeerID, Multiaddr)] = []
        for number in 1...40 {
            let open = learn(number, "8.0.\(number).1", at: .start)
            for case .dial(let peer, let addresses) in open { dialled.append((peer, addresses[0])) }
        }
        #expect(dialled.count == 8)
        for (peer, address) in dialled {
            let ban = PeerBook.Event.banned(peer, for: .seconds(60), reason: "theft")
            _ = book.handle(ban, at: .start)
            let info = LinkInfo(peer: peer, address: address, direction: .outbound, openedAt: 0)
            #expect(book.handle(.linked(info), at: .start) == [.disconnect(peer, reason: "theft")])
            _ = book.handle(.unlinked(peer, .offended("theft")), at: .start)
        }
        let now = Moment.start + .seconds(30)
        #expect(book.handle(.tick, at: now).filter(\.isDial).count == 8)
    }

    @Test mutating func `inbound links do not change the number of wanted outbound links`() throws {
        let limits = PeerBookLimits()
        func link(_ number: Int, _ direction: LinkInfo.Direction) throws {
            let address = try #require(Multiaddr(text: "/ip4/7.7.7.7/tcp/\(number)"))
            let info = LinkInfo(
                peer: peer(number),
                address: address,
                direction: direction,
                openedAt: 0
            )
            _ = book.handle(.linked(info), at: .start)
        }
        for number in 1...limits.linksWanted + 8 { try link(number, .inbound) }
        #expect(book.linksMissing == limits.dialledWanted)
        for number in 101...100 + limits.dialledWanted { try link(number, .outbound) }
        #expect(book.linksMissing == 0)
    }

    @Test mutating func `a repeated address changes no order, however many wait`() {
        for number in 1...20 { learn(number, "8.0.\(number).1", at: .start) }
        _ = book.handle(.dialFailed(peer(1)), at: .start)
        #expect(learn(20, "8.0.20.1", at: .start) == [])
        // The free place goes to another peer at the next tick.
        #expect(book.handle(.tick, at: .start).filter(\.isDial).count == 1)
    }

    /// - From peers: many keys that claim an honest peer's address → the honest peer still enters
    ///   the book
    @Test mutating func `keys that claim an honest peer's address do not shut it out`() {
        for number in 1...64 { learn(number, "9.9.9.9", at: .start) }
        learn(100, "9.9.9.9", at: .start)
        #expect(!book.addresses(of: peer(100)).isEmpty)
        #expect(book.knownCount == 64)
    }

    @Test mutating func `drops no peer for one that is not admitted after all`() throws {
        for number in 1...64 { learn(number, "9.9.9.9", at: .start) }
        let taken = try #require(Multiaddr(text: "/ip4/7.7.7.7/tcp/1"))
        for number in 101...164 {
            let info = LinkInfo(
                peer: peer(number),
                address: taken,
                direction: .outbound,
                openedAt: 0
            )
            _ = book.handle(.linked(info), at: .start)
        }
        let there = try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/1"))
        _ = book.handle(.learned(peer(200), [there, taken], reporter: there), at: .start)
        #expect(book.addresses(of: peer(200)).isEmpty)
        #expect(book.knownCount == 128)
    }

    /// - From peers: an honest peer's address reported under another peer's name first → the peer
    ///   that answers there is dialled under its own name
    @Test mutating func `dials a peer that answered for another under its own id`() throws {
        for number in 1...30 { learn(number, "9.9.9.9", at: .start) }
        let place = try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/4001"))
        let (false1, honest) = (peer(1), peer(30))
        let next = book.handle(
            .dialFailed(false1, others: [place.expecting(false1): honest]),
            at: .start
        )
        #expect(next == [.keep(false1), .dial(honest, [place.expecting(honest)])])
        #expect(book.addresses(of: false1).isEmpty)
    }

    @Test mutating func `a name with many addresses uses a place for only a few of them`() throws {
        let far = try #require(Multiaddr(text: "/ip4/8.8.8.8/tcp/1"))
        let names = try (1...3).map {
            try #require(Multiaddr(text: "/dns4/n\($0).example/tcp/1")).expecting(peer(1))
        }
        _ = book.handle(.learned(peer(1), names, reporter: far), at: .start)
        let found = names.enumerated().map { index, name in
            (name, (1...4).compactMap { IPAddress(ip4: "9.9.\(index).\($0)") })
        }
        let resolved = PeerBook.Event.resolved(peer(1), Dictionary(uniqueKeysWithValues: found))
        let dials = book.handle(resolved, at: .start)
        guard case .dial(_, let targets)? = dials.first else {
            Issue.record("\(dials) dials nothing")
            return
        }
        #expect(targets.count == 3)
    }

    /// - From peers: an older record of a peer's addresses → skipped
    @Test mutating func `an older record replaces no newer one, even after a restart`() throws {
        func places() -> [String] {
            book.addresses(of: peer(1)).map { $0.expecting(nil).description }
        }
        learn(1, "8.0.0.1", sequence: 5, at: .start)
        learn(1, "8.0.0.2", sequence: 4, at: .start)
        #expect(places() == ["/ip4/8.0.0.1/tcp/4001"])
        learn(1, "8.0.0.3", sequence: 6, at: .start)
        #expect(places() == ["/ip4/8.0.0.3/tcp/4001"])
        // The same record again, since another reporter may be believed about other addresses.
        learn(1, "8.0.0.4", sequence: 6, at: .start)
        #expect(places() == ["/ip4/8.0.0.3/tcp/4001", "/ip4/8.0.0.4/tcp/4001"])
        let note = try #require(book.note(of: peer(1), unixTime: 1, at: .start))
        book = PeerBook(localPeer: peer(0), seed: 2)
        _ = book.handle(.remembered(note, unixTime: 2), at: .start)
        learn(1, "8.0.0.5", sequence: 5, at: .start)
        #expect(places() == ["/ip4/8.0.0.3/tcp/4001", "/ip4/8.0.0.4/tcp/4001"])
    }

    @Test mutating func `a newer record keeps configured and answering addresses`() throws {
        let own = try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/1")).expecting(peer(1))
        _ = book.handle(.bootstrap(own), at: .start)
        let answered = try #require(Multiaddr(text: "/ip4/9.9.9.8/tcp/1")).expecting(peer(1))
        let info = LinkInfo(peer: peer(1), address: answered, direction: .outbound, openedAt: 0)
        _ = book.handle(.linked(info), at: .start)
        learn(1, "8.0.0.1", sequence: 1, at: .start)
        learn(1, "8.0.0.2", sequence: 2, at: .start)
        let told = try #require(Multiaddr(text: "/ip4/8.0.0.2/tcp/4001")).expecting(peer(1))
        #expect(book.addresses(of: peer(1)) == [answered, own, told])
    }

    /// - From peers: a host name that resolves to a less public address than that of the peer that
    ///   sent it → not dialled
    @Test(
        arguments: [
            ("127.0.0.1", false), ("10.0.0.1", false), ("192.168.1.1", false), ("0.0.0.0", false),
            ("9.9.9.9", true),
        ]
    )
    mutating func `dials a stranger's name only if it leads to a permitted address`(
        host: String,
        isDialled: Bool
    ) throws {
        let name = try #require(Multiaddr(text: "/dns4/evil.example/tcp/22")).expecting(peer(1))
        let far = try #require(Multiaddr(text: "/ip4/8.8.8.8/tcp/1"))
        let asked = book.handle(.learned(peer(1), [name], reporter: far), at: .start)
        #expect(asked == [.keep(peer(1)), .resolve(peer(1), [name])])
        let ipAddress = try #require(IPAddress(ip4: host))
        let target = Multiaddr(host: .ip4(ipAddress), port: 22, peer: peer(1))
        #expect(
            book.handle(.resolved(peer(1), [name: [ipAddress]]), at: .start)
                == (isDialled ? [.dial(peer(1), [target])] : [.keep(peer(1))])
        )
    }

    /// - From peers: digits instead of a name → checked as the address that they mean
    @Test mutating func `treats a numeric name as the address that it spells`() throws {
        let far = try #require(Multiaddr(text: "/ip4/8.8.8.8/tcp/1"))
        for text in ["/dns4/127.0.0.1/tcp/22", "/dns/192.168.1.1/tcp/22", "/dns6/10.0.0.1/tcp/22"] {
            let name = try #require(Multiaddr(text: text))
            #expect(book.handle(.learned(peer(1), [name], reporter: far), at: .start) == [])
            #expect(book.addresses(of: peer(1)).isEmpty)
        }
    }

    @Test
    mutating func `dials the address of a configured name, wherever it leads`() throws {
        let name = try #require(Multiaddr(text: "/dns4/home.example/tcp/1")).expecting(peer(1))
        #expect(book.handle(.bootstrap(name), at: .start) == [.resolve(peer(1), [name])])
        let own = try #require(IPAddress(ip4: "192.168.1.1"))
        let target = Multiaddr(host: .ip4(own), port: 1, peer: peer(1))
        #expect(
            book.handle(.resolved(peer(1), [name: [own]]), at: .start)
                == [.dial(peer(1), [target])]
        )
    }

    /// - From peers: names that lead to one address → they count as that address
    @Test mutating func `counts resolved addresses in the limits per address and subnet`()
        throws
    {
        let far = try #require(Multiaddr(text: "/ip4/8.8.8.8/tcp/1"))
        let victim = try #require(IPAddress(ip4: "9.9.9.9"))
        var dials = 0
        for number in 1...200 {
            let now = Moment.start + .seconds(number * 10)
            let name = try #require(Multiaddr(text: "/dns4/n\(number).example/tcp/\(number)"))
                .expecting(peer(number))
            var open = book.handle(.learned(peer(number), [name], reporter: far), at: now)
            open += book.handle(.tick, at: now)
            while let directive = open.popLast() {
                switch directive {
                case .resolve(let peer, let names):
                    let found = Dictionary(uniqueKeysWithValues: names.map { ($0, [victim]) })
                    open += book.handle(.resolved(peer, found), at: now)
                case .dial(let peer, _):
                    dials += 1
                    open += book.handle(.dialFailed(peer), at: now)
                default: break
                }
            }
        }
        // One in 30 seconds, over 2,000 seconds.
        #expect(dials <= 4 + 67)
        #expect(dials > 10)
        #expect(book.knownCount <= 200)
    }

    @Test mutating func `keeps only a few peers that are known only by name`() throws {
        let far = try #require(Multiaddr(text: "/ip4/8.8.8.8/tcp/1"))
        for number in 1...500 {
            let name = try #require(Multiaddr(text: "/dns4/n\(number).example/tcp/1"))
            _ = book.handle(.learned(peer(number), [name], reporter: far), at: .start)
        }
        #expect(book.knownCount == 128)
    }

    /// - From peers: leases in mail that lead to third parties' addresses → dialled as rarely as
    ///   the addresses of any source
    @Test mutating func `dials addresses in leases seldom and drops them after a failure`() throws {
        func address(_ text: String) throws -> Multiaddr { try #require(Multiaddr(text: text)) }
        // One address under ever new keys, then ever new addresses.
        let same = try address("/ip4/9.9.9.9/tcp/1")
        let tries = (1...50).map { book.takeHome(same, of: peer($0), at: .start) }
        #expect(tries.filter { $0 } == [true])
        let others = try (1...400).map { try address("/ip4/9.\($0 / 200).\($0 % 200).1/tcp/1") }
        let count = others.count { book.takeHome($0, of: peer(1), at: .start) }
        #expect(count == 15)
        let later = Moment.start + .seconds(60)
        #expect(book.takeHome(same, of: peer(2), at: later) == false)
        // An address that a name resolved to counts as itself.
        let fresh = Moment.start + .seconds(3_600)
        let name = try address("/dns/home.example/tcp/1")
        #expect(book.takeHome(name, of: peer(1), at: fresh) == true)
        let targets = (1...50).map { _ in book.takeHomeTarget(same, at: fresh) }
        #expect(targets.filter { $0 } == [true])
    }

    @Test mutating func `dials a home that answered before, but not a banned one`() throws {
        let home = try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/1"))
        let info = LinkInfo(peer: peer(1), address: home, direction: .outbound, openedAt: 0)
        _ = book.handle(.linked(info), at: .start)
        _ = book.handle(.unlinked(peer(1), .idle), at: .start)
        let tries = (1...5).map { _ in book.takeHome(home, of: peer(1), at: .start) }
        #expect(tries == Array(repeating: true, count: 5))
        _ = book.handle(.banned(peer(1), for: .seconds(60), reason: "test"), at: .start)
        #expect(book.takeHome(home, of: peer(1), at: .start) == false)
    }

    /// Returns the number of dials in 600 seconds after `count` peers are told, if none answers.
    private mutating func dialled(
        of count: Int,
        reporter: String? = nil,
        _ text: (Int) -> String
    ) -> Int {
        var dials = 0
        for second in 0..<600 {
            let now = Moment.start + .seconds(second)
            var open: [PeerBook.Directive] = []
            if second < count, let address = Multiaddr(text: text(second + 1)) {
                let source = reporter ?? "8.\(second / 250).\(second % 250).1"
                open += learn(second + 1, [address], reporter: source, at: now)
            }
            open += book.handle(.tick, at: now)
            for case .dial(let peer, _) in open {
                dials += 1
                _ = book.handle(.dialFailed(peer), at: now)
            }
        }
        return dials
    }

    @discardableResult
    private mutating func learn(
        _ number: Int,
        _ host: String,
        sequence: UInt64 = 0,
        at now: Moment
    ) -> [PeerBook.Directive] {
        guard let ipAddress = IPAddress(ip4: host) else { return [] }
        let address = Multiaddr(host: .ip4(ipAddress), port: 4_001, peer: peer(number))
        return learn(number, [address], sequence: sequence, reporter: host, at: now)
    }

    @discardableResult
    private mutating func learn(
        _ number: Int,
        _ addresses: [Multiaddr],
        sequence: UInt64 = 0,
        reporter: String,
        at now: Moment
    ) -> [PeerBook.Directive] {
        guard let source = Multiaddr(text: "/ip4/\(reporter)/tcp/1") else { return [] }
        let event = PeerBook.Event.learned(
            peer(number),
            addresses,
            sequence: sequence,
            reporter: source
        )
        return book.handle(event, at: now)
    }
}

extension PeerBook.Directive {
    fileprivate var isDial: Bool { if case .dial = self { true } else { false } }
}

private func peer(_ number: Int) -> PeerID {
    PeerID(multihash: [0, 2, UInt8(number >> 8), UInt8(number & 255)])
}
