import Ethereum
import Market
import Support
import Synchronization
import Testing

/// Follows endpoints, the first of which shows blocks that the others do not have, and falls silent
/// before it is found out.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RestlessEndpointTests {
    private func honest() -> FakeChain { ForkedFollower.blocks([1, 0, 1, 0, 1, 0]) }

    /// The chain with another block above it than the one that comes.
    private func forged(_ chain: FakeChain) -> FakeChain {
        var forged = chain
        forged.mine(events: 0)
        forged.drop(1)
        forged.mine(events: 1)
        return forged
    }

    private func isMistrusted(_ index: Int, _ follower: ForkedFollower) async -> Bool {
        let report = await follower.client.reports[index]
        if case .failing(.contradiction) = report.status { return true }
        return false
    }

    /// A follower of so many endpoints, the first of which answers nothing readable while `isSilent`.
    private func follower(
        _ count: Int,
        of blocks: FakeChain,
        _ isSilent: Toggle
    ) throws -> ForkedFollower {
        try ForkedFollower(
            Array(repeating: blocks, count: count),
            changes: [0: { _, answer in isSilent.value ? "0x" : answer }]
        )
    }

    private final class Toggle: Sendable {
        private let state = Mutex(false)

        var value: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// - From endpoints: invented blocks that are left in polls of another endpoint, because their own one
    ///   is silent by then → the own one is asked last, and then mistrusted, never the other one
    @Test(arguments: [2, 3])
    func `forged blocks count against their own endpoint`(count: Int) async throws {
        var blocks = honest()
        let isSilent = Toggle()
        let follower = try follower(count, of: blocks, isSilent)
        try await follower.run {
            let isFollowing = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isFollowing)
            for _ in 0..<12 {
                // Four of its blocks are left in its own polls, the fifth one in another's.
                var shown = 0
                for _ in 0..<20 where shown < 5 {
                    // The last endpoint of three is always a block later.
                    let late = blocks
                    blocks.mine(events: 1)
                    follower.set(blocks, at: [1])
                    if count > 2 { follower.set(late, at: [2]) }
                    let other = forged(blocks)
                    follower.set(other, at: [0])
                    try await follower.pass(2)
                    if await follower.service.status.applied == other.head.id { shown += 1 }
                }
                isSilent.value = true
                try await follower.pass(5)
                isSilent.value = false
                try await follower.pass(5)
                for index in 1..<count {
                    let isOut = await isMistrusted(index, follower)
                    #expect(!isOut)
                }
                if await isMistrusted(0, follower) { break }
            }
            let isOut = await isMistrusted(0, follower)
            #expect(isOut)
        }
    }

    /// - From endpoints: another time of its newest block by one that is silent afterwards → the endpoint
    ///   that is followed then is not at fault, and the chain's time goes by the honest ones
    @Test func `a forged time counts against no other endpoint`() async throws {
        var blocks = honest()
        let isSilent = Toggle()
        let isForging = Toggle()
        let follower = try ForkedFollower(
            [blocks, blocks, blocks],
            changes: [
                0: { _, answer in
                    guard !isSilent.value else { return "0x" }
                    guard isForging.value else { return answer }
                    return answer.replacing(/"timestamp":"0x([0-9a-f]+)"/) { match in
                        let time = UInt64(match.output.1, radix: 16) ?? 0
                        return #""timestamp":"0x\#(String(time + 500, radix: 16))""#
                    }
                }
            ]
        )
        try await follower.run {
            let isFollowing = try await follower.pass(10, untilConfirmed: blocks)
            #expect(isFollowing)
            // No survey falls into this time, which would find it out at once.
            let before = blocks
            blocks.mine(events: 0)
            isForging.value = true
            follower.set(blocks, at: [0])
            follower.set(before, at: [1, 2])
            try await follower.pass(1)
            isSilent.value = true
            let known = blocks
            blocks.mine(events: 0)
            follower.set(blocks, at: [1])
            follower.set(known, at: [2])
            try await follower.pass(1)
            // It says the same again when it is asked about that block.
            isSilent.value = false
            try await follower.pass(1)
            follower.set(blocks, at: [0, 1, 2])
            try await follower.pass(14)
            for index in [1, 2] {
                let isOut = await isMistrusted(index, follower)
                #expect(!isOut)
            }
            let time = try #require(await follower.service.status.time?.seconds)
            #expect(time < blocks.head.timestamp + 100)
        }
    }
}
