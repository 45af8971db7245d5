import Ethereum
import Testing

struct NoticeQueueTests {
    @Test func `all findings are told once, and an endpoint is logged once in a while`() {
        let (one, other) = (EndpointName("http://a"), EndpointName("http://b"))
        var queue = NoticeQueue(loggedAgain: .seconds(60))
        let found = [(one, 0), (one, 59), (other, 59), (one, 60)].enumerated().map {
            let notice = EndpointNotice(.leftOut(UInt64($0.offset)), by: $0.element.0)
            return queue.add(notice, at: .seconds($0.element.1))
        }
        #expect(found == [true, false, true, true])
        let told = queue.take()
        #expect(told.map(\.endpoint) == [one, one, other, one])
        let rest = queue.take()
        #expect(rest.isEmpty)
    }
}
