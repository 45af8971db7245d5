import Ethereum
import Market
import Support
import Testing

/// Follows three endpoints, the first of which shows blocks that the others do not have.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LeadingEndpointTests {
    /// The chain with more blocks, which come `seconds` after their usual times.
    private func leading(_ chain: FakeChain, by count: Int, later seconds: Int = 0) -> FakeChain {
        var forged = chain
        // Other blocks than those which come.
        forged.mine(events: 0)
        forged.drop(1)
        for _ in 0..<count { forged.mine(events: 1, later: seconds) }
        return forged
    }

    private func honest() -> FakeChain { ForkedFollower.blocks([1, 0, 1, 0, 1, 0]) }

    /// - From endpoints: five invented blocks above each newest one, by one of three → the others do not
    ///   count as away, and are followed
    @Test func `five forged blocks above each head leave nobody away`() async throws {
        var blocks = honest()
        let follower = try ForkedFollower([blocks, blocks, blocks])
        try await follower.run {
            let isFollowing = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isFollowing)
            for _ in 0..<10 {
                blocks.mine(events: 1)
                follower.set(leading(blocks, by: 5), at: [0])
                follower.set(blocks, at: [1, 2])
                try await follower.pass(3)
            }
            let isConfirmed = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isConfirmed)
            // Until after a survey.
            try await follower.pass(13)
            let statuses = await follower.client.reports.map(\.status)
            #expect(statuses == [.unproven, .good, .good])
            let status = await follower.service.status
            #expect(status.applied == blocks.head.id && status.health == .following)
        }
        #expect(!follower.wasAlone)
    }

    /// - From endpoints: an invented block above each newest one, by one of three → after five of them the
    ///   others are asked first; if it goes on, the endpoint is mistrusted
    @Test func `a forged block above each head is not followed for long`() async throws {
        var blocks = honest()
        let follower = try ForkedFollower([blocks, blocks, blocks])
        try await follower.run {
            let isFollowing = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isFollowing)
            var isOut = false
            for number in 0..<60 where !isOut {
                blocks.mine(events: 1)
                follower.set(leading(blocks, by: 1), at: [0])
                follower.set(blocks, at: [1, 2])
                try await follower.pass(3)
                let report = await follower.client.reports[0]
                if case .failing(.contradiction) = report.status { isOut = true }
                // It was set aside for some heads before.
                if number == 10 {
                    let applied = await follower.service.status.applied
                    #expect(applied == blocks.head.id && !isOut)
                }
            }
            #expect(isOut)
            let others = await follower.client.reports.dropFirst().map(\.status)
            #expect(others == [.good, .good])
        }
    }

    @Test func `two endpoints that are ahead leave the third behind`() async throws {
        let blocks = honest()
        let ahead = leading(blocks, by: 5)
        let follower = try ForkedFollower([ahead, blocks, ahead])
        try await follower.run {
            let isConfirmed = try await follower.pass(10, untilConfirmed: ahead)
            #expect(isConfirmed)
            let statuses = await follower.client.reports.map(\.status)
            #expect(statuses == [.good, .behind, .good])
        }
    }

    /// - From endpoints: an invented block from the future, by one of three → the chain's time goes on by
    ///   the newest block that two have
    @Test func `one endpoint's newest block does not move the chain's time`() async throws {
        var blocks = honest()
        let follower = try ForkedFollower([blocks, blocks, blocks])
        try await follower.run {
            let isFollowing = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isFollowing)
            var isShown = false
            for _ in 0..<5 {
                blocks.mine(events: 1)
                follower.set(leading(blocks, by: 2, later: 800), at: [0])
                follower.set(blocks, at: [1, 2])
                for _ in 0..<3 {
                    try await follower.pass(1)
                    let status = await follower.service.status
                    let time = try #require(status.time?.seconds)
                    let most = blocks.head.timestamp + 60
                    #expect(time < most)
                    isShown = isShown || status.head?.header.timestamp ?? 0 > most
                }
            }
            #expect(isShown)
            follower.set(blocks, at: [0])
            let isConfirmed = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isConfirmed)
            try await follower.pass(1)
            let time = await follower.service.status.head?.timed.seconds
            #expect(time == blocks.head.timestamp)
        }
    }

    /// - From endpoints: no block for its newest heights, twice, by the endpoint that is followed → the
    ///   next one is followed
    @Test func `leaves an endpoint that lacks its newest blocks`() async throws {
        var blocks = honest()
        let known = blocks.head.number
        let lacking: AlteringTransport.Change = { request, answer in
            guard request.contains("eth_getBlockByNumber"), !request.contains("latest") else {
                return answer
            }
            return answer.replacing(/"result":\{"number":"0x([0-9a-f]+)".*?\}/) { match in
                let number = UInt64(match.output.1, radix: 16) ?? 0
                return number > known ? #""result":null"# : String(match.output.0)
            }
        }
        let follower = try ForkedFollower([blocks, blocks, blocks], changes: [0: lacking])
        try await follower.run {
            let isFollowing = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isFollowing)
            blocks.mine(events: 1)
            follower.set(blocks, at: [0, 1, 2])
            let isConfirmed = try await follower.pass(5, untilConfirmed: blocks)
            #expect(isConfirmed)
            #expect(await follower.client.reports[0].status == .good)
        }
    }
}
