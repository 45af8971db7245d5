import Market
import Testing

@testable import Node

struct PeerAvailabilityTests {
    @Test func `a home that does not answer is left alone until it links or time has passed`() {
        var peers = PeerAvailability(ChatSamples.settings)
        let (one, two) = (ChatSamples.home(1), ChatSamples.home(2))
        #expect(peers.canAsk(one, at: ChatSamples.time(0)))
        peers.failed(one, at: ChatSamples.time(0))
        peers.failed(two, at: ChatSamples.time(0))
        #expect(!peers.canAsk(one, at: ChatSamples.time(29)))
        #expect(peers.canAsk(one, at: ChatSamples.time(30)))
        peers.reached(two)
        #expect(peers.canAsk(two, at: ChatSamples.time(1)))
    }

    @Test func `the same account is looked up once in a while, and so many accounts in all`() {
        var settings = ChatSamples.settings
        settings.lookupsMax = 2
        var peers = PeerAvailability(settings)
        func begin(_ number: UInt8, at seconds: UInt64) -> Bool {
            peers.beginLookup(of: ChatSamples.account(number), at: ChatSamples.time(seconds))
        }
        #expect(begin(1, at: 0))
        #expect(!begin(1, at: 9))
        #expect(begin(2, at: 5))
        #expect(!begin(3, at: 9))
        // The refused lookup of the third account has changed nothing.
        #expect(begin(1, at: 10))
        #expect(!begin(3, at: 11))
        #expect(begin(3, at: 15))
    }
}
