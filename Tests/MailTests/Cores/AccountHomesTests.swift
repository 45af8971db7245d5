import Mail
import Market
import Support
import Testing

struct AccountHomesTests {
    @Test func `lists this node first, and each home once with its longest lease`() throws {
        let now = ChatSamples.time(0)
        let long = try ChatSamples.lease(at: 3, until: ChatSamples.time(900))
        let known = [
            try ChatSamples.lease(at: 3, until: ChatSamples.time(800)), long,
            try ChatSamples.lease(at: 4),
            try ChatSamples.lease(at: 5, until: now),
            try ChatSamples.lease(at: 6, of: ChatSamples.bo),
            try ChatSamples.lease(at: 7),
        ]
        var random = SeededRandom(seed: 1)
        for own in [3, 4, 7] as [UInt8] {
            let homes = AccountHomes(
                known.shuffled(using: &random),
                of: ChatSamples.ana,
                own: ChatSamples.home(own),
                at: now
            ).leases
            let others = [3, 4, 7].filter { $0 != own }.map(ChatSamples.home).sorted()
            #expect(homes.map(\.peer) == [ChatSamples.home(own)] + others)
            #expect(homes.contains(long))
        }
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `nodes that know different homes agree on one list`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let leases = try (3...9 as ClosedRange<UInt8>).map { try ChatSamples.lease(at: $0) }
        let nodes = (0..<3).map { node in
            let own = leases[node]
            // What the profile names, every node knows.
            return (own: own, known: [own] + leases.shuffled(using: &random).prefix(3))
        }
        var listed: [HomeLease] = []
        for _ in 0..<3 {
            for node in nodes {
                let homes = AccountHomes(
                    node.known + listed,
                    of: ChatSamples.ana,
                    own: node.own.peer,
                    at: ChatSamples.time(0)
                )
                listed = homes.listed(after: listed)
                #expect(homes.listed(after: listed) == listed, "seed \(seed)")
            }
        }
        #expect(listed.count == Profile.homesMax && Set(listed.map(\.peer)).count == listed.count)
        for node in nodes {
            let homes = AccountHomes(
                node.known + listed,
                of: ChatSamples.ana,
                own: node.own.peer,
                at: ChatSamples.time(0)
            )
            #expect(homes.listed(after: listed) == listed, "seed \(seed)")
        }
    }
}
