import Mail
import Testing

struct RequestEventsTests {
    @Test func `an account gets events only for the first requests in each interval`() {
        var settings = ChatSamples.settings
        settings.requestEventsMax = 2
        var events = RequestEvents(settings)
        func taken(_ account: UInt8, at seconds: UInt64) -> Bool {
            events.takeNext(of: ChatSamples.account(account), at: ChatSamples.time(seconds))
        }
        #expect([0, 10, 20, 3_599].map { taken(1, at: $0) } == [true, true, false, false])
        #expect(taken(2, at: 20))
        #expect([3_600, 7_199, 7_199].map { taken(1, at: $0) } == [true, true, false])
    }
}
