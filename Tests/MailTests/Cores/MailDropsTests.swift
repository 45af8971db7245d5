import Mail
import Testing

struct MailDropsTests {
    @Test func `reports every dropped message once, at most one report an interval`() {
        var drops = MailDrops()
        func report(at seconds: UInt64) -> [MailDropReason: Int]? {
            drops.report(to: ChatSamples.ana, at: ChatSamples.time(seconds), interval: .seconds(60))
        }
        #expect(report(at: 0) == nil)
        drops.add(.blocked, of: ChatSamples.ana)
        drops.add(.unopened, of: ChatSamples.bo)
        #expect(report(at: 1) == [.blocked: 1])
        drops.add(.blocked, of: ChatSamples.ana)
        drops.add(.blocked, of: ChatSamples.ana)
        drops.add(.malformed, of: ChatSamples.ana)
        #expect(report(at: 60) == nil)
        #expect(report(at: 61) == [.blocked: 2, .malformed: 1])
        #expect(report(at: 200) == nil)
    }
}
