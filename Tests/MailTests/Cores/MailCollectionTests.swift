import Mail
import Market
import Testing

struct MailCollectionTests {
    @Test func `collects mail at each home once an interval, and after a link`() throws {
        var collection = MailCollection(ChatSamples.settings)
        let homes = try [3, 4].map { try ChatSamples.lease(at: $0) }
        func due(_ account: UInt8, at seconds: UInt64) -> [PeerID] {
            collection.takeDue(
                of: ChatSamples.account(account),
                at: homes,
                now: ChatSamples.time(seconds)
            ).map(\.peer)
        }
        let both = homes.map(\.peer)
        #expect(due(1, at: 0) == both)
        #expect(due(1, at: 59) == [])
        #expect(due(2, at: 30) == both)
        #expect(due(1, at: 60) == both)
        collection.linked(both[1])
        #expect(due(1, at: 61) == [both[1]])
        #expect(due(2, at: 61) == [both[1]])
        #expect(due(1, at: 62) == [])
    }

    @Test func `removes expired mail at the start, then once an interval`() {
        var collection = MailCollection(ChatSamples.settings)
        let taken = [0, 1, 599, 600, 601].map { collection.takeSweep(at: ChatSamples.time($0)) }
        #expect(taken == [true, false, false, true, false])
    }
}
