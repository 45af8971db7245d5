import Gossip
import Keys
import Market
import Testing

struct InboundMeritTests {
    private static let now = Moment(sinceStart: .seconds(10_000))

    private static func candidate(
        _ address: [UInt8],
        age: Int,
        deliveries: Int = 0
    ) -> InboundMerit.Candidate {
        InboundMerit.Candidate(
            peer: HostKey(PrivateKey.random().publicKey).peer,
            address: IPAddress(bytes: address),
            openedAt: Moment(sinceStart: .seconds(10_000 - age)),
            deliveries: deliveries
        )
    }

    @Test func `a crowd of one subnet takes places from itself`() {
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

    @Test func `the useful and the old stay, whatever comes`() {
        let useful = (0..<5).map { _ in
            Self.candidate([203, 0, 113, 1], age: 60, deliveries: 10)
        }
        let old = (0..<5).map { _ in Self.candidate([203, 0, 113, 2], age: 9_000) }
        let crowd = (0..<10).map { _ in Self.candidate([203, 0, 113, 3], age: 30) }
        let victim = InboundMerit.victim(of: useful + old + crowd, at: Self.now)
        #expect(crowd.contains { $0.peer == victim })
    }

    @Test func `a new link has time to show what it is worth`() {
        let fresh = (0..<8).map { Self.candidate([203, 0, UInt8($0), 1], age: 9) }
        #expect(InboundMerit.victim(of: fresh, at: Self.now) == nil)
        let older = (0..<8).map { _ in Self.candidate([203, 0, 114, 1], age: 20) }
        let victim = InboundMerit.victim(of: fresh + older, at: Self.now)
        #expect(older.contains { $0.peer == victim })
    }

    @Test func `a crowd that renews its links in time keeps no newcomer out`() {
        let crowd = (0..<9).map { Self.candidate([203, 0, 113, UInt8($0)], age: 9) }
        let fresh = (0..<7).map { Self.candidate([198, 51, UInt8($0), 1], age: 1) }
        let victim = InboundMerit.victim(of: crowd + fresh, at: Self.now)
        #expect(crowd.contains { $0.peer == victim })
    }
}
