import Keys
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

    @Test func `accounts take turns in a pass, and the recipients of each`() {
        var settings = ChatSamples.settings
        (settings.batchMax, settings.recipientBatchMax) = (6, 3)
        let outbox = MailOutbox(settings)
        func routes(_ routes: [(Address, String, Int)]) -> [MailOutbox.Route] {
            routes.flatMap { account, recipient, count in
                [MailOutbox.Route](
                    repeating: MailOutbox.Route(account: account, recipient: recipient),
                    count: count
                )
            }
        }
        let (ana, bo) = (ChatSamples.ana, ChatSamples.bo)
        let due = routes([(ana, "crowd", 100), (ana, "friend", 1), (bo, "crowd", 1), (bo, "x", 9)])
        #expect(outbox.turns(of: due) == [0, 101, 100, 102, 1, 103])
        #expect(outbox.turns(of: routes([(ana, "crowd", 100)])) == [0, 1, 2])
        #expect(outbox.turns(of: []).isEmpty)
    }

    @Test func `mail whose turn it is not comes in a later pass, however many crowds there are`() {
        let outbox = MailOutbox(ChatSamples.settings)
        let start = ChatSamples.time(0)
        // Each attempt of the crowds fails; one friend has the newest message.
        var waiting = (0..<2_000).map { (recipient: "crowd \($0 % 20)", at: start, attempts: 0) }
        waiting.append((recipient: "friend", at: start.advanced(by: .seconds(1)), attempts: 0))
        var passes = 0
        let now = start.advanced(by: .seconds(2))
        while waiting.contains(where: { $0.recipient == "friend" && $0.attempts == 0 }) {
            passes += 1
            waiting.sort { $0.at < $1.at }
            let due = waiting.prefix { $0.at <= now }.map {
                MailOutbox.Route(account: ChatSamples.ana, recipient: $0.recipient)
            }
            for index in outbox.turns(of: due) {
                let attempts = waiting[index].attempts
                waiting[index].at = outbox.nextAttempt(after: UInt32(attempts), at: now)
                waiting[index].attempts += 1
            }
        }
        #expect(passes == 1)
        let tried = Dictionary(grouping: waiting.filter { $0.attempts > 0 }, by: \.recipient)
        #expect(tried.count == 21 && tried.values.allSatisfy { $0.count <= 13 })
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
