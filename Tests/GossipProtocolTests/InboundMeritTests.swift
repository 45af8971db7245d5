import GossipProtocol
import Keys
import Market
import Testing

struct InboundMeritTests {
    private static let now = Moment(sinceStart: .seconds(10_000))

    private static func candidate(
        _ address: [UInt8],
        age: Int,
        deliveries: Int = 0,
        begun: Int = 0
    ) -> InboundMerit.Candidate {
        InboundMerit.Candidate(
            peer: HostKey(PrivateKey.random().publicKey).peer,
            address: IPAddress(bytes: address),
            openedAt: Moment(sinceStart: .seconds(10_000 - age)),
            deliveries: deliveries,
            begun: begun
        )
    }

    /// - From peers: more links than allowed → a link is closed that is neither useful nor old nor
    ///   from a rare subnet
    @Test func `a crowd from one subnet takes places only from its own subnet`() {
        let crowd = (0..<30).map { Self.candidate([203, 0, 113, UInt8($0)], age: 100 + $0) }
        let others = (0..<10).map { Self.candidate([198, 51, UInt8($0), 1], age: 50) }
        var links = crowd + others
        // The crowd is older than the others, and never delivered a record.
        for _ in 0..<20 {
            guard let victim = InboundMerit.victim(of: links, at: Self.now) else {
                return #expect(Bool(false), "nobody had to go")
            }
            #expect(crowd.contains { $0.peer == victim })
            links.removeAll { $0.peer == victim }
        }
    }

    @Test func `useful and old links survive any crowd`() {
        let useful = (0..<5).map { _ in
            Self.candidate([203, 0, 113, 1], age: 60, deliveries: 10)
        }
        let old = (0..<5).map { _ in Self.candidate([203, 0, 113, 2], age: 9_000) }
        let crowd = (0..<10).map { _ in Self.candidate([203, 0, 113, 3], age: 30) }
        let victim = InboundMerit.victim(of: useful + old + crowd, at: Self.now)
        #expect(crowd.contains { $0.peer == victim })
    }

    @Test func `a new link has time to prove its worth`() {
        let fresh = (0..<8).map { Self.candidate([203, 0, UInt8($0), 1], age: 9) }
        let newest = Self.candidate([203, 0, 99, 1], age: 8)
        #expect(InboundMerit.victim(of: fresh + [newest], at: Self.now) == newest.peer)
        let older = (0..<8).map { _ in Self.candidate([203, 0, 114, 1], age: 20) }
        let victim = InboundMerit.victim(of: fresh + older, at: Self.now)
        #expect(older.contains { $0.peer == victim })
    }

    @Test func `the address that opened the most links loses one if all are new`() {
        let crowd = (0..<8).map { Self.candidate([203, 0, UInt8($0 / 4), 1], age: 5, begun: 2) }
        let fresh = (0..<8).map { Self.candidate([198, 51, UInt8($0), 1], age: 1, begun: 1) }
        let victim = InboundMerit.victim(of: crowd + fresh, at: Self.now)
        #expect(crowd.contains { $0.peer == victim })
    }

    @Test func `an address that opens links without pause loses its newest one`() {
        let restless = (0..<8).map { Self.candidate([203, 0, UInt8($0), 1], age: $0, begun: 5) }
        let quiet = (0..<24).map { Self.candidate([198, 51, UInt8($0), 1], age: 50, begun: 4) }
        let victim = InboundMerit.victim(of: quiet + restless, at: Self.now)
        #expect(victim == restless[0].peer)
    }

    /// Addresses of as many subnets begin links without pause, each under a new key, and keep them.
    ///
    /// - From peers: new links again and again from some addresses, each under a new key → the
    ///   newest of these
    ///   addresses' links ends; a newcomer's stays
    @Test(arguments: [(16, 64), (64, 72), (64, 224)])
    func `newcomers keep their links while others open links without pause`(
        addresses: Int,
        perSecond: Int
    ) {
        var (table, beginnings) = ([InboundMerit.Candidate](), LinkBeginnings())
        func begin(_ bytes: [UInt8], at now: Moment) -> PeerID? {
            guard let address = IPAddress(bytes: bytes) else { return nil }
            beginnings.note(AddressGroup(address), at: now)
            let peer = HostKey(PrivateKey.random().publicKey).peer
            let link = InboundMerit.Candidate(
                peer: peer,
                address: address,
                openedAt: now,
                deliveries: 0
            )
            table.append(link)
            guard table.count > 224 else { return peer }
            let candidates = table.map { link in
                InboundMerit.Candidate(
                    peer: link.peer,
                    address: link.address,
                    openedAt: link.openedAt,
                    deliveries: 0,
                    begun: link.address.map {
                        beginnings.count(of: AddressGroup($0), at: now)
                    } ?? 0
                )
            }
            let victim = InboundMerit.victim(of: candidates, at: now)
            table.removeAll { $0.peer == victim }
            return peer
        }
        var newcomers: [PeerID] = []
        for number in 0..<(perSecond * 20) {
            let now = Self.now + .seconds(Double(number) / Double(perSecond))
            _ = begin([203, 0, UInt8(number % addresses), 1], at: now)
            // The first one comes once every place is taken.
            guard number >= 224, number % (perSecond / 2) == 0 else { continue }
            let newcomer = begin([198, 51, UInt8(newcomers.count), 1], at: now)
            if let newcomer { newcomers.append(newcomer) }
        }
        #expect(newcomers.count > 30)
        let left = Set(table.map(\.peer))
        #expect(newcomers.allSatisfy(left.contains))
        #expect(table.count == 224)
    }

    /// - From peers: links from one subnet that are renewed before they can be ranked → one of them
    ///   is ended for a new peer
    @Test func `a crowd that keeps renewing its links shuts out no newcomer`() {
        let crowd = (0..<9).map { Self.candidate([203, 0, 113, UInt8($0)], age: 9) }
        let fresh = (0..<7).map { Self.candidate([198, 51, UInt8($0), 1], age: 1) }
        let victim = InboundMerit.victim(of: crowd + fresh, at: Self.now)
        #expect(crowd.contains { $0.peer == victim })
    }
}
