import Ethereum
import Support
import Testing

/// Follows three endpoints that change to another fork one after the other, or not at all.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReorganisedEndpointsTests {
    private func chains() -> (before: FakeChain, after: FakeChain) {
        let before = ForkedFollower.blocks([1, 0, 2, 1, 0, 1, 0, 1, 1])
        var after = before
        after.drop(5)
        for _ in 0..<7 { after.mine(events: 1) }
        return (before, after)
    }

    private func isMistrusted(_ index: Int, _ follower: ForkedFollower) async -> Bool {
        let report = await follower.client.reports[index]
        if case .failing(.contradiction) = report.status { return true }
        return false
    }

    /// - From endpoints: a reorganisation of final blocks that three show one after the other → it is
    ///   followed once two have it, and none of them is mistrusted
    @Test(arguments: [[0, 1, 2], [1, 0, 2], [1, 2, 0], [2, 1, 0]])
    func `an honest reorganisation puts no endpoint out`(order: [Int]) async throws {
        let (before, after) = chains()
        let follower = try ForkedFollower([before, before, before])
        try await follower.run {
            let isFollowing = try await follower.pass(10, untilConfirmed: before)
            #expect(isFollowing)
            for index in order {
                follower.set(after, at: [index])
                try await follower.pass(6)
            }
            let isConfirmed = try await follower.pass(10, untilConfirmed: after)
            #expect(isConfirmed)
            for index in 0..<3 {
                let isOut = await isMistrusted(index, follower)
                #expect(!isOut)
            }
        }
        #expect(follower.listener.events.map(\.log) == after.allEvents)
    }

    /// - From endpoints: another fork below blocks that two others have, for more than a minute → the
    ///   endpoint is mistrusted
    @Test func `mistrusts an endpoint that stays alone on its fork`() async throws {
        var (before, after) = chains()
        let follower = try ForkedFollower([before, before, before])
        try await follower.run {
            let isFollowing = try await follower.pass(10, untilConfirmed: before)
            #expect(isFollowing)
            follower.set(after, at: [0])
            try await follower.pass(5)
            before.mine(events: 1)
            follower.set(before, at: [1, 2])
            // The others go on meanwhile.
            let isConfirmed = try await follower.pass(5, untilConfirmed: before)
            #expect(isConfirmed)
            var isOut = await isMistrusted(0, follower)
            #expect(!isOut)
            for _ in 0..<70 where !isOut {
                try await follower.pass(1)
                isOut = await isMistrusted(0, follower)
            }
            #expect(isOut)
        }
        #expect(follower.listener.events.map(\.log) == before.allEvents)
    }

    /// - From endpoints: each of several reorganisations of final blocks six seconds later than two others
    ///   have it → it is not mistrusted
    @Test(arguments: 0..<3)
    func `an endpoint that is late again and again is not put out`(late: Int) async throws {
        var blocks = chains().before
        let follower = try ForkedFollower([blocks, blocks, blocks])
        try await follower.run {
            let isFollowing = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isFollowing)
            for _ in 0..<4 {
                blocks.drop(5)
                for _ in 0..<7 { blocks.mine(events: 1) }
                follower.set(blocks, at: (0..<3).filter { $0 != late })
                try await follower.pass(6)
                follower.set(blocks, at: [late])
                try await follower.pass(74)
                let isOut = await isMistrusted(late, follower)
                #expect(!isOut)
            }
            let isConfirmed = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isConfirmed)
        }
        #expect(follower.listener.events.map(\.log) == blocks.allEvents)
    }

    /// - From endpoints: at each head other blocks from five below it on, by one of three → the endpoint is
    ///   mistrusted, although it has each block that the others had before
    @Test(arguments: [(0, -2), (0, 0), (0, 3), (1, -2)])
    func `an endpoint with forged blocks at each head is mistrusted`(liar: Int, ahead: Int)
        async throws
    {
        var blocks = chains().before
        let follower = try ForkedFollower([blocks, blocks, blocks])
        let honest = (0..<3).filter { $0 != liar }
        try await follower.run {
            let isFollowing = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isFollowing)
            var isOut = false
            for _ in 0..<40 where !isOut {
                for _ in 0..<5 { blocks.mine(events: 1) }
                var forged = blocks
                forged.drop(5)
                for _ in 0..<5 + ahead { forged.mine(events: 1) }
                follower.set(forged, at: [liar])
                follower.set(blocks, at: honest)
                try await follower.pass(6)
                isOut = await isMistrusted(liar, follower)
            }
            #expect(isOut)
            for index in honest {
                let isOut = await isMistrusted(index, follower)
                #expect(!isOut)
            }
        }
    }

    /// - From endpoints: a reorganisation at each poll → one line of the log an hour, with their number
    @Test func `many reorganisations are one line of the log an hour`() async throws {
        var blocks = chains().before
        let lines = LogLines()
        let follower = try ForkedFollower([blocks, blocks, blocks], logger: lines.logger)
        try await follower.run {
            let isFollowing = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isFollowing)
            for _ in 0..<30 {
                blocks.drop(1)
                for _ in 0..<2 { blocks.mine(events: 1) }
                follower.set(blocks, at: [0, 1, 2])
                try await follower.pass(3)
            }
        }
        #expect(lines.all.count { $0.hasPrefix("chain was reorganised") } == 1)
        #expect(lines.all.count { $0.hasPrefix("chain health changed") } < 5)
    }
}
