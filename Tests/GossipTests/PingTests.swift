import Market
import Support
import Synchronization
import Testing

@testable import Gossip

struct PingTests {
    private final class Pauses: Sendable {
        private let number = Atomic(0)
        var count: Int { number.load(ordering: .relaxed) }
        func note() { number.add(1, ordering: .relaxed) }
    }

    /// - From peers: a flood of pings → 16 are answered, then nothing is read for a second
    @Test func `answers a few pings a second and delays the rest of a flood`() async throws {
        let pauses = Pauses()
        let (asker, answerer) = MemoryStream.pair(
            PeerID(multihash: [1]),
            PeerID(multihash: [2]),
            protocolID: Ping.protocolID
        )
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await Ping.answer(answerer, within: .seconds(10)) { pause in
                    #expect(pause == .seconds(1))
                    pauses.note()
                }
            }
            for number in 0..<(3 * Ping.answersOfOneTurn) {
                let asked = [UInt8](repeating: UInt8(number), count: 32)
                try await asker.write(asked)
                #expect(try await asker.read(atMost: 32) == asked)
                // The pause comes after the answer and before the next question is read.
                let before = number / Ping.answersOfOneTurn
                #expect((before...before + 1).contains(pauses.count))
            }
            try await asker.closeWrite()
            try await group.waitForAll()
        }
        #expect(pauses.count == 3)
    }
}
