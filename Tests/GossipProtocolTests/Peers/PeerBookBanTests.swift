import GossipProtocol
import Market
import Testing

/// Bans of peers and of addresses: keys are free, addresses are not.
struct PeerBookBanTests {
    private var book = PeerBook(localPeer: peer(0), seed: 1)
    private let severe = PeerOffence("severe", .none)
    private let mild = PeerOffence("mild", .high)
    private let low = PeerOffence("low", .low)

    /// - From peers: small offences under thousands of keys, to crowd out the worst ones → the
    ///   mildest are forgotten first
    @Test mutating func `thousands of keys with small offences do not displace the worst`() {
        for number in 1...5_000 {
            _ = book.handle(.offended(peer(number), mild), at: .start)
        }
        for _ in 1...4 {
            #expect(book.handle(.offended(peer(9_000), low), at: .start) == [])
            // Meanwhile other peers commit one offence each.
            for number in 9_001...9_100 {
                _ = book.handle(.offended(peer(number), mild), at: .start)
            }
        }
        let banned = book.handle(.offended(peer(9_000), low), at: .start)
        #expect(banned.contains(.banned(peer(9_000), reason: "low")))
    }

    @Test mutating func `a full table forgets the oldest of the smallest offences`() {
        var limits = PeerBookLimits()
        limits.bansMax = 2
        book = PeerBook(localPeer: peer(0), limits: limits, seed: 1)
        for _ in 1...4 { _ = book.handle(.offended(peer(1), low), at: .start) }
        for number in 2...9 {
            let now = Moment.start + .seconds(number)
            for _ in 1...3 { _ = book.handle(.offended(peer(number), low), at: now) }
        }
        let now = Moment.start + .seconds(10)
        #expect(book.handle(.offended(peer(1), low), at: now).count == 2)
        #expect(book.ban(of: peer(1), at: now) != nil)
    }

    /// - From peers: offences under new keys from one address → the address is banned
    @Test mutating func `fresh keys of one address inherit its offences`() throws {
        var banned: AddressGroup?
        var keys = 0
        while banned == nil, keys < 100 {
            keys += 1
            link(keys, host: "8.8.8.8")
            for case .bannedAddress(let group, _) in book.handle(
                .offended(peer(keys), severe),
                at: .start
            ) {
                banned = group
            }
        }
        #expect(keys == 5)
        let group = try #require(banned)
        #expect(book.bannedAddresses(at: .start) == [group])
        #expect(
            link(200, host: "8.8.8.8") == [.disconnect(peer(200), reason: "severe")]
        )
        #expect(link(201, host: "8.8.8.9") == [])
        let end = Moment.start + .seconds(900)
        #expect(book.handle(.tick, at: end).contains(.refuse([])))
        #expect(link(202, host: "8.8.8.8", at: end) == [])
    }

    /// - From peers: a banned address, after a restart of the node → banned for the rest of its
    ///   time
    @Test mutating func `an address stays banned over a restart, but never for longer`() throws {
        var groups: [AddressGroup] = []
        for number in 1...5 {
            link(number, host: "8.8.8.8")
            for case .keepBan(let group) in book.handle(.offended(peer(number), severe), at: .start)
            {
                groups.append(group)
            }
        }
        let group = try #require(groups.first)
        #expect(groups == [group])
        let then = Moment.start + .seconds(100)
        let note = book.banNote(of: group, unixTime: 1_000, at: then)
        #expect(note == AddressBanNote(group: group, until: 1_800, reason: "severe"))
        #expect(AddressGroup(bytes: group.bytes) == group)

        func restarted(at unixTime: Int64) -> (PeerBook, [PeerBook.Directive]) {
            var book = PeerBook(localPeer: peer(0), seed: 1)
            let done = book.handle(.rememberedBan(note, unixTime: unixTime), at: .start)
            return (book, done)
        }
        var done: [PeerBook.Directive]
        (book, done) = restarted(at: 1_200)
        #expect(done == [.refuse([group])])
        #expect(link(9, host: "8.8.8.8") == [.disconnect(peer(9), reason: "severe")])
        let end = Moment.start + .seconds(600)
        #expect(book.handle(.tick, at: end).contains(.keepBan(group)))
        #expect(book.banNote(of: group, unixTime: 1_800, at: end).until == nil)
        // A clock that was set back makes no ban longer; one that has ended is removed.
        (book, done) = restarted(at: -9_000)
        #expect(book.bannedAddresses(at: .start + .seconds(899)) == [group])
        #expect(book.bannedAddresses(at: .start + .seconds(900)).isEmpty)
        (book, done) = restarted(at: 1_800)
        #expect(done == [.keepBan(group)])
        #expect(book.bannedAddresses(at: .start).isEmpty)
    }

    @Test mutating func `an address ban ends its links and spares configured peers`()
        throws
    {
        let own = try #require(Multiaddr(text: "/ip4/8.8.8.8/tcp/1")).expecting(peer(100))
        _ = book.handle(.bootstrap(own), at: .start)
        for number in 100...102 { link(number, host: "8.8.8.8") }
        var directives: [PeerBook.Directive] = []
        for number in 1...5 {
            link(number, host: "8.8.8.8")
            directives += book.handle(.offended(peer(number), severe), at: .start)
        }
        let ended = directives.compactMap { directive in
            if case .disconnect(let peer, _) = directive { peer } else { nil }
        }
        #expect(ended == (1...5).map(peer) + [peer(101), peer(102)])
        _ = book.handle(.unlinked(peer(100), .lost), at: .start)
        #expect(link(100, host: "8.8.8.8") == [])
        let later = Moment.start + .seconds(60)
        _ = book.handle(.unlinked(peer(100), .lost), at: .start)
        #expect(book.handle(.tick, at: later).contains(.dial(peer(100), [own])))
    }

    @Test mutating func `bans only keys, not addresses, on this machine`() {
        for number in 1...50 {
            link(number, host: "127.0.0.1")
            _ = book.handle(.offended(peer(number), severe), at: .start)
        }
        #expect(book.banned(at: .start).count == 50)
        #expect(book.bannedAddresses(at: .start).isEmpty)
        #expect(link(51, host: "127.0.0.1") == [])
    }

    /// - From peers: a banned peer that reconnects → the link ends and is counted, no new ban; its
    ///   address is charged
    @Test mutating func `charges the address, not the key, of a returning banned peer`() {
        link(1, host: "8.8.8.8")
        var bans = 0
        var ends = 0
        var addressBans = 0
        var directives = book.handle(.offended(peer(1), severe), at: .start)
        for _ in 0..<287 {
            for directive in directives {
                switch directive {
                case .banned: bans += 1
                case .bannedAddress: addressBans += 1
                case .disconnect: ends += 1
                default: break
                }
            }
            _ = book.handle(.unlinked(peer(1), .offended("severe")), at: .start)
            directives = link(1, host: "8.8.8.8")
        }
        #expect(bans == 1)
        #expect(ends == 287)
        #expect(addressBans == 1)
    }

    /// - From peers: frames of a banned peer before its link has ended → the link ends, and the
    ///   peer is
    ///   charged once
    @Test mutating func `ends a banned peer's link and charges it only once`() {
        link(1, host: "8.8.8.8")
        _ = book.handle(.offended(peer(1), severe), at: .start)
        _ = book.handle(.unlinked(peer(1), .offended("severe")), at: .start)
        // Each frame that arrives before the link's end reports the link again.
        let told = (0..<600).flatMap { _ in link(1, host: "8.8.8.8") }
        #expect(told == [.disconnect(peer(1), reason: "severe")])
        #expect(book.bannedAddresses(at: .start).isEmpty)
    }

    @Test mutating func `lifting a peer's ban lifts the ban on its address`() throws {
        let address = try #require(Multiaddr(text: "/ip4/8.8.8.8/tcp/1")).expecting(peer(1))
        _ = book.handle(.learned(peer(1), [address], reporter: address), at: .start)
        for number in 1...5 {
            link(number, host: "8.8.8.8")
            _ = book.handle(.offended(peer(number), severe), at: .start)
        }
        let group = try #require(AddressGroup(of: address))
        #expect(book.bannedAddresses(at: .start) == [group])
        let lifted = book.handle(.banned(peer(1), for: .zero, reason: ""), at: .start)
        #expect(lifted == [.keep(peer(1)), .refuse([]), .keepBan(group)])
    }

    @discardableResult
    private mutating func link(
        _ number: Int,
        host: String,
        at now: Moment = .start
    ) -> [PeerBook.Directive] {
        guard let ipAddress = IPAddress(ip4: host) else { return [] }
        let info = LinkInfo(
            peer: peer(number),
            address: Multiaddr(host: .ip4(ipAddress), port: 4_001),
            direction: .inbound,
            openedAt: 0
        )
        return book.handle(.linked(info), at: now)
    }
}

private func peer(_ number: Int) -> PeerID {
    PeerID(multihash: [0, 2, UInt8(number >> 8), UInt8(number & 255)])
}
