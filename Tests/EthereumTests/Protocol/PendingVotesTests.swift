import Ethereum
import Testing

/// The next nonce is 4; endpoints tell it with the transactions that wait in their pools.
struct PendingVotesTests {
    private func decided(_ told: [UInt64], third: UInt64? = nil) -> UInt64 {
        var votes = PendingVotes(nonce: 4, told: told)
        if let third {
            #expect(votes.isOpen)
            votes.add(third)
        }
        #expect(third == nil || !votes.isOpen)
        return votes.decided
    }

    /// - From endpoints: waiting transactions of the account that two others do not know → the step does
    ///   not wait for them
    @Test func `one of three endpoints tells of no waiting transaction`() {
        #expect(decided([99, 4], third: 4) == 4)
        #expect(decided([0, 99], third: 0) == 0)
        #expect(decided([5, 4], third: 5) == 5)
        #expect(decided([99, 4], third: 5) == 5)
    }

    @Test func `one of two holds up, and two that agree need no third`() {
        #expect(decided([99, 4]) == 99)
        #expect(decided([7]) == 7)
        for told in [[4, 4], [0, 4], [5, 6], [5], [5, 4, 4]] as [[UInt64]] {
            #expect(!PendingVotes(nonce: 4, told: told).isOpen)
        }
    }
}
