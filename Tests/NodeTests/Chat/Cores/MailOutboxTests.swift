import Market
import Testing

@testable import Node

struct MailOutboxTests {
    @Test func `the first pass after a change takes all mail, the others what is due`() {
        var outbox = MailOutbox(ChatSamples.settings)
        let (now, all) = (ChatSamples.time(9), Timestamp(milliseconds: .max))
        #expect([outbox.beginPass(at: now), outbox.beginPass(at: now)] == [all, now])
        outbox.makeAllDue()
        #expect([outbox.beginPass(at: now), outbox.beginPass(at: now)] == [all, now])
        _ = outbox.linked(at: now)
        #expect([outbox.beginPass(at: now), outbox.beginPass(at: now)] == [all, now])
    }

    @Test func `links start at most one pass a second, and none is lost`() {
        var outbox = MailOutbox(ChatSamples.settings)
        let start = ChatSamples.time(0)
        func linked(_ milliseconds: Int64) -> Bool {
            outbox.linked(at: start.advanced(by: .milliseconds(milliseconds)))
        }
        #expect([0, 1, 999, 1_000, 1_500].map(linked) == [true, false, false, true, false])
        #expect(outbox.beginPass(at: start) == Timestamp(milliseconds: .max))
        // A clock that was set back does not keep links from counting.
        #expect(outbox.linked(at: Timestamp(milliseconds: 1)) == true)
    }

    @Test func `the time to the next attempt doubles from five seconds up to ten minutes`() {
        let outbox = MailOutbox(ChatSamples.settings)
        let waits = [0, 1, 2, 6, 7, 40, UInt32.max].map { attempts in
            outbox.outcome(
                attempts: attempts,
                isComplete: false,
                isExpired: false,
                isReported: true,
                at: ChatSamples.time(0)
            )
        }
        let seconds: [UInt64] = [5, 10, 20, 320, 600, 600, 600]
        #expect(waits == seconds.map { .retry(at: ChatSamples.time($0)) })
    }

    @Test(arguments: [true, false], [true, false])
    func `mail is finished once it is complete or expired and its account was told`(
        isComplete: Bool,
        isExpired: Bool
    ) {
        let outbox = MailOutbox(ChatSamples.settings)
        for isReported in [true, false] {
            let outcome = outbox.outcome(
                attempts: 0,
                isComplete: isComplete,
                isExpired: isExpired,
                isReported: isReported,
                at: ChatSamples.time(0)
            )
            let isOver = isReported && (isComplete || isExpired)
            #expect(outcome == (isOver ? .finished : .retry(at: ChatSamples.time(5))))
        }
    }
}
