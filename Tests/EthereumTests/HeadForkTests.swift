import Concurrency
import Ethereum
import Keys
import Market
import Support
import Testing

/// Two endpoints of one chain that do not have the same blocks at a time.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HeadForkTests {
    private let clock = SteppedClock()
    /// Whether an answer is delayed now.
    private let delayed = Broadcast<Bool>(false)

    @Test func `an endpoint that sees a new head first is not mistrusted`() async throws {
        let before = ForkedFollower.blocks([1, 0, 2, 1, 0, 1])
        // The newest two blocks, which both endpoints have at first, are replaced.
        var after = before
        after.drop(2)
        for count in [2, 0, 1] { after.mine(events: count) }
        let follower = try ForkedFollower([before, before])
        let client = follower.client
        try await follower.run {
            let isFollowing = try await follower.pass(60, untilConfirmed: before)
            #expect(isFollowing)
            follower.set(after, at: [0])
            let isAlone = try await !follower.pass(5, untilConfirmed: after)
            #expect(isAlone)
            #expect(await client.reports.allSatisfy { $0.status == .good })
            follower.set(after, at: [1])
            let isConfirmed = try await follower.pass(60, untilConfirmed: after)
            #expect(isConfirmed)
            #expect(await client.reports.allSatisfy { $0.status == .good })
        }
        #expect(follower.listener.events.map(\.log) == after.allEvents)
    }

    /// - From endpoints: an old fork that two others have left → theirs is followed, and neither of
    ///   them is mistrusted
    @Test func `one of three that stays on an old fork holds up no other`() async throws {
        let before = ForkedFollower.blocks([1, 0, 2, 1, 0, 1, 0, 1])
        var after = before
        after.drop(6)
        for _ in 0..<8 { after.mine(events: 1) }
        let follower = try ForkedFollower([before, before, before])
        try await follower.run {
            let isFollowing = try await follower.pass(60, untilConfirmed: before)
            #expect(isFollowing)
            follower.set(after, at: [0, 2])
            let isConfirmed = try await follower.pass(60, untilConfirmed: after)
            #expect(isConfirmed)
            let reports = await follower.client.reports
            #expect(reports[0].status == .good && reports[2].status == .good)
        }
        #expect(follower.listener.events.map(\.log) == after.allEvents)
    }

    /// - From endpoints: other times of blocks, of which the second one lacks the headers → the third one
    ///   says the times, and the first is mistrusted
    @Test func `an endpoint without headers confirms no time`() async throws {
        let whole = ForkedFollower.blocks([1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0])
        let lying: AlteringTransport.Change = { request, answer in
            guard Self.asksForOldBlocks(request) else { return answer }
            return answer.replacing(/"timestamp":"0x([0-9a-f]+)"/) { match in
                let time = Int(match.output.1, radix: 16) ?? 0
                return "\"timestamp\":\"0x" + String(time + 1, radix: 16) + "\""
            }
        }
        let pruned: AlteringTransport.Change = { request, answer in
            guard Self.asksForOldBlocks(request) else { return answer }
            return answer.replacing(
                /"result": ?\{"number":"0x[0-8]".*?\}/,
                with: #""result":null"#
            )
        }
        let follower = try ForkedFollower([whole, whole, whole], changes: [0: lying, 1: pruned])
        try await follower.run {
            var isNamed = false
            for _ in 0..<60 where !isNamed {
                let isConfirmed = try await follower.pass(1, untilConfirmed: whole)
                #expect(!isConfirmed)
                let report = await follower.client.reports[0]
                if case .failing(.contradiction) = report.status { isNamed = true }
            }
            #expect(isNamed)
            #expect(await follower.client.reports[2].status == .good)
        }
    }

    private static func asksForOldBlocks(_ request: String) -> Bool {
        request.contains("eth_getBlockByNumber") && !request.contains("latest")
    }

    /// Invents an event in the last block of each range.
    private func inventing(
        _ chain: FakeChain,
        pause: Duration = .zero,
        asked: Counted
    ) -> AlteringTransport.Change {
        { [self] request, answer in
            try await wait(pause)
            guard request.contains("eth_getLogs"),
                let end = request.firstMatch(of: /"toBlock":"0x([0-9a-f]+)"/)?.output.1,
                let height = Int(end, radix: 16)
            else { return answer }
            _ = asked.next()
            let lie = ContractEvent(
                block: chain.blocks[height].id,
                index: 9,
                transaction: Bytes32(repeating: 4),
                address: ForkedFollower.contract,
                topics: [Bytes32(repeating: 7)],
                data: []
            )
            return lie.invented(in: request, answer)
        }
    }

    private let longChain = ForkedFollower.blocks([Int](repeating: 1, count: 40))

    /// - From endpoints: an invented event in the last block of each range → the blocks below it are
    ///   confirmed with the same answer
    @Test func `confirms the blocks below a difference with the same answer`() async throws {
        let (whole, asked) = (longChain, Counted())
        let lies = inventing(whole, asked: asked)
        let follower = try ForkedFollower([whole, whole], changes: [1: lies])
        var below = whole
        below.drop(1)
        try await follower.run {
            let isConfirmed = try await follower.pass(9, untilConfirmed: below)
            #expect(isConfirmed)
        }
        #expect(asked.count < 10, "\(asked.count)")
    }

    /// - From endpoints: each answer only after 14 seconds → the endpoint is asked after the others, and
    ///   holds them up for no longer than 5 seconds a minute
    @Test func `one endpoint that is slow holds up no confirmation`() async throws {
        let whole = longChain
        let slow = inventing(whole, pause: .seconds(14), asked: Counted())
        let follower = try ForkedFollower(
            [whole, whole, whole],
            clock: clock,
            changes: [1: slow]
        )
        try await follower.run { try await untilConfirmed(whole, by: follower, .seconds(60)) }
    }

    /// - From endpoints: each answer only after 14 seconds, by one of two → the events are confirmed
    ///   nevertheless, some of them in each poll
    @Test func `waits for the only other endpoint although it is slow`() async throws {
        let whole = longChain
        let slow: AlteringTransport.Change = { [self] _, answer in
            try await wait(.seconds(14))
            return answer
        }
        let follower = try ForkedFollower([whole, whole], clock: clock, changes: [1: slow])
        try await follower.run { try await untilConfirmed(whole, by: follower, .seconds(300)) }
    }

    /// Moves the clock on until a second endpoint has confirmed all of a chain, which must be
    /// before `end`.
    private func untilConfirmed(
        _ chain: FakeChain,
        by follower: ForkedFollower,
        _ end: Duration
    ) async throws {
        while try await follower.confirmed != chain.head.id {
            try #require(clock.uptime < end)
            await nextPause()
            clock.advance(.seconds(1))
        }
    }

    /// Delays an answer.
    private func wait(_ pause: Duration) async throws {
        guard pause > .zero else { return }
        delayed.send(true)
        defer { delayed.send(false) }
        try await clock.wait(pause)
    }

    /// Waits until the next poll is due within a second, or an answer is delayed.
    private func nextPause() async {
        await withTaskGroup { [clock, delayed] group in
            group.addTask { await clock.untilDue(within: .seconds(1)) }
            group.addTask {
                for await isDelayed in delayed.values() where isDelayed { break }
                await clock.untilDue(within: .seconds(14))
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// The headers of these chains do not have the hashes of their fields, so their times are asked of
    /// both endpoints.
    @Test func `an endpoint without old headers still confirms events`() async throws {
        let (whole, asked) = (longChain, Counted())
        let pruned: AlteringTransport.Change = { request, answer in
            guard Self.asksForOldBlocks(request) else { return answer }
            for _ in request.matches(of: /"method"/) { _ = asked.next() }
            return answer.replacing(
                /"result": ?\{"number":"0x[0-9a-f]".*?\}/,
                with: #""result":null"#
            )
        }
        let follower = try ForkedFollower([whole, whole], changes: [1: pruned])
        try await follower.run {
            let isConfirmed = try await follower.pass(60, untilConfirmed: whole)
            #expect(isConfirmed)
        }
        #expect(asked.count < 100, "\(asked.count)")
        #expect(await follower.client.reports.allSatisfy { $0.status == .good })
    }
}
