import Mail
import Market
import Testing

struct PeerAvailabilityTests {
    @Test func `avoids a silent home until it links or time has passed`() {
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

    @Test func `limits lookups per account and in total`() {
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

    @Test func `asks a peer for less than it is willing to answer`() {
        let settings = ChatSamples.settings
        // Protocol 10.8: 16 questions a second.
        #expect(settings.lookupsPerPeerMax * 4 <= 16 * 10)
        #expect(settings.lookupInterval == .seconds(10))
        var peers = PeerAvailability(settings)
        func asked(_ number: UInt8, _ times: Int, at seconds: UInt64) -> Int {
            (0..<times).count { _ in
                peers.beginAsking(ChatSamples.home(number), at: ChatSamples.time(seconds))
            }
        }
        #expect(asked(1, 1_000, at: 0) == settings.lookupsPerPeerMax)
        #expect(asked(1, 1_000, at: 9) == 0)
        #expect(asked(2, 10, at: 9) == 10)
        #expect(asked(1, 1_000, at: 10) == settings.lookupsPerPeerMax)
        #expect(asked(2, 1_000, at: 18) == settings.lookupsPerPeerMax - 10)
    }
}
