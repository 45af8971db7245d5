import GossipProtocol
import Market
import Testing

/// How the sources of told addresses share the places for dials.
struct PeerBookTurnsTests {
    private var book = PeerBook(localPeer: peer(0), seed: 1)

    /// Each dial of a told address hangs for ten seconds.
    ///
    /// - From peers: many silent addresses reported by many peers → the peers that report addresses
    ///   take turns; while others wait, an address has less time to answer
    @Test mutating func `a source with one address gets its turn among sources with many`() throws {
        var hanging: [(peer: PeerID, until: Int)] = []
        func note(_ directives: [PeerBook.Directive], at second: Int) {
            for case .dial(let peer, _) in directives { hanging.append((peer, second + 10)) }
        }
        var firstDial: Int?
        for second in 0..<200 {
            let now = Moment.start + .seconds(second)
            for dial in hanging where dial.until == second {
                _ = book.handle(.dialFailed(dial.peer), at: now)
            }
            hanging.removeAll { $0.until == second }
            // Places that became free are taken before anything more is told.
            note(book.handle(.tick, at: now), at: second)
            if second < 59 {
                // One more source tells as many addresses as it may.
                for number in 0..<32 {
                    let index = second * 32 + number
                    let told = "49.\(index / 256).\(index % 256).9"
                    let from = "55.0.\(second).1"
                    note(try learn(index + 1, told, from: from, at: now), at: second)
                }
            }
            if second == 100 {
                note(try learn(5_000, "7.7.7.7", from: "7.7.7.7", at: now), at: second)
            } else if second > 100 {
                // Those who told many go on to tell more, and so take places as they become free.
                let (told, from) = ("48.0.\(second).9", "55.0.\(second % 59).1")
                note(try learn(5_000 + second, told, from: from, at: now), at: second)
            }
            #expect(hanging.count <= 8)
            if hanging.contains(where: { $0.peer == peer(5_000) }), firstDial == nil {
                firstDial = second
            }
        }
        // It waits for one dial of the others to end.
        let waited = try #require(firstDial) - 100
        #expect(waited <= 11)
    }

    @Test mutating func `only a reported address gets less time while others wait`() throws {
        let own = try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/1")).expecting(peer(999))
        _ = book.handle(.bootstrap(own), at: .start)
        for number in 1...7 {
            _ = try learn(number, "8.0.\(number).1", from: "8.0.\(number).1", at: .start)
            #expect(book.patience(with: peer(number)) == nil)
        }
        _ = try learn(8, "8.0.8.1", from: "8.0.8.1", at: .start)
        _ = book.handle(.dialFailed(peer(1)), at: .start)
        _ = book.handle(.tick, at: .start)
        #expect(book.patience(with: peer(8)) == nil)
        for number in 9...12 {
            _ = try learn(number, "8.0.\(number).1", from: "8.0.\(number).1", at: .start)
        }
        _ = book.handle(.dialFailed(peer(2)), at: .start)
        let dials = book.handle(.tick, at: .start)
        let told = try #require(dials.compactMap(\.dialled).first)
        #expect(book.patience(with: told) == PeerBookLimits().hurriedDialMax)
        #expect(book.patience(with: peer(999)) == nil)
    }

    private mutating func learn(
        _ number: Int,
        _ address: String,
        from reporter: String,
        at now: Moment
    ) throws -> [PeerBook.Directive] {
        let event = PeerBook.Event.learned(
            peer(number),
            [try #require(Multiaddr(text: "/ip4/\(address)/tcp/1"))],
            reporter: try #require(Multiaddr(text: "/ip4/\(reporter)/tcp/1"))
        )
        return book.handle(event, at: now)
    }
}

extension PeerBook.Directive {
    fileprivate var dialled: PeerID? { if case .dial(let peer, _) = self { peer } else { nil } }
}

private func peer(_ number: Int) -> PeerID {
    PeerID(multihash: [0, 2, UInt8(number >> 8), UInt8(number & 255)])
}
