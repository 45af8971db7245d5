import Keys
import Mail
import Market
import Testing

struct MailOutboxTests {
    private static func routes(
        _ routes: [(Address, String, Int)]
    ) -> [(route: MailOutbox.Route, dueAt: Timestamp)] {
        routes.flatMap { account, recipient, count in
            [(route: MailOutbox.Route, dueAt: Timestamp)](
                repeating: (
                    MailOutbox.Route(account: account, recipient: recipient), ChatSamples.time(0)
                ),
                count: count
            )
        }
    }

    @Test func `all mail is due once after a change, then at its own time`() {
        var outbox = MailOutbox(ChatSamples.settings)
        let (now, all) = (ChatSamples.time(9), Timestamp(milliseconds: .max))
        let route = MailOutbox.Route(account: ChatSamples.ana, recipient: "bo")
        var late: [(route: MailOutbox.Route, dueAt: Timestamp)] { [(route, ChatSamples.time(60))] }
        func begun() -> [Int] {
            let begun = outbox.begin(late, at: now)
            if !begun.isEmpty { outbox.ended(route, after: .zero, isHeld: true, at: now) }
            return begun
        }
        #expect(outbox.horizon(at: now) == all)
        #expect([begun(), begun()] == [[0], []])
        #expect(outbox.horizon(at: now) == now)
        outbox.makeAllDue()
        #expect(outbox.horizon(at: now) == all)
        #expect([begun(), begun()] == [[0], []])
        _ = outbox.linked(at: now)
        #expect([begun(), begun()] == [[0], []])
        // A change while it is tried makes it due once more afterwards.
        outbox.makeAllDue()
        #expect(outbox.begin(late, at: now) == [0])
        outbox.makeAllDue()
        #expect(begun().isEmpty)
        #expect(outbox.horizon(at: now) == all)
        outbox.ended(route, after: .zero, isHeld: true, at: now)
        #expect([begun(), begun()] == [[0], []])
    }

    @Test func `leaves a route that cannot be written down alone, longer each time`() {
        var outbox = MailOutbox(ChatSamples.settings)
        let route = MailOutbox.Route(account: ChatSamples.ana, recipient: "bo")
        let due = [(route: route, dueAt: ChatSamples.time(0))]
        var begunAt: [UInt64] = []
        for second in 0..<60 as Range<UInt64> {
            let now = ChatSamples.time(second)
            // No link or sign-in makes it due.
            outbox.makeAllDue()
            guard !outbox.begin(due, at: now).isEmpty else { continue }
            begunAt.append(second)
            outbox.ended(route, after: .zero, isHeld: false, isStuck: true, at: now)
        }
        #expect(begunAt == [0, 5, 15, 35])
        #expect(outbox.begin(due, at: ChatSamples.time(75)) == [0])
        outbox.ended(route, after: .zero, isHeld: true, at: ChatSamples.time(75))
        #expect(outbox.begin(due, at: ChatSamples.time(75)) == [0])
    }

    @Test func `links start at most one pass a second, and no link is ignored`() {
        var outbox = MailOutbox(ChatSamples.settings)
        let start = ChatSamples.time(0)
        func linked(_ milliseconds: Int64) -> Bool {
            outbox.linked(at: start.advanced(by: .milliseconds(milliseconds)))
        }
        #expect([0, 1, 999, 1_000, 1_500].map(linked) == [true, false, false, true, false])
        #expect(outbox.horizon(at: start) == Timestamp(milliseconds: .max))
        // A clock that was set back does not keep links from counting.
        #expect(outbox.linked(at: Timestamp(milliseconds: 1)) == true)
    }

    @Test func `accounts take turns, and so do the recipients of each account`() {
        var settings = ChatSamples.settings
        (settings.batchMax, settings.recipientBatchMax) = (6, 3)
        let (now, ana, bo) = (ChatSamples.time(9), ChatSamples.ana, ChatSamples.bo)
        let mail = Self.routes([
            (ana, "crowd", 100), (ana, "friend", 1), (bo, "crowd", 1), (bo, "x", 9),
        ])
        var outbox = MailOutbox(settings)
        #expect(outbox.begin(mail, at: now) == [0, 101, 100, 102, 1, 103])
        outbox = MailOutbox(settings)
        #expect(outbox.begin(Self.routes([(ana, "crowd", 100)]), at: now) == [0, 1, 2])
        #expect(outbox.begin([], at: now).isEmpty)
    }

    @Test func `mail of sales comes before texts, of each account in its turn`() {
        var settings = ChatSamples.settings
        (settings.batchMax, settings.recipientBatchMax) = (6, 2)
        let (now, ana, bo) = (ChatSamples.time(9), ChatSamples.ana, ChatSamples.bo)
        // Of Ana's texts to a crowd the last is an address, and so is that to a seller; Bo's too.
        let mail = Self.routes([(ana, "friend", 1), (ana, "crowd", 100), (bo, "seller", 3)])
        var outbox = MailOutbox(settings)
        #expect(outbox.begin(mail, ofSales: [100, 103], at: now) == [100, 103, 0, 1, 101])
    }

    @Test func `slow recipients delay no other and get at most half the slots`() {
        var settings = ChatSamples.settings
        settings.concurrentMax = 4
        var outbox = MailOutbox(settings)
        let (now, ana) = (ChatSamples.time(9), ChatSamples.ana)
        let slow = Self.routes((0..<20).map { (ana, "slow \($0)", 1) })
        for mail in slow {
            // Until it is known to be slow it has a place like the others.
            #expect(outbox.begin([mail], at: now) == [0])
            let duration = settings.slowAttempt + .milliseconds(1)
            outbox.ended(mail.route, after: duration, isHeld: false, at: now)
        }
        let mail = slow + Self.routes([(ana, "friend", 2), (ana, "other", 1), (ana, "last", 1)])
        // Recipients that were not tried yet come first.
        #expect(Set(outbox.begin(mail, at: now)) == [0, 20, 21, 22, 23])
        #expect(outbox.begin(mail, at: now).isEmpty)
        outbox.ended(mail[20].route, after: settings.slowAttempt, isHeld: true, at: now)
        #expect(outbox.begin(mail, at: now) == [1])
        // Two slow ones are under way, which is half.
        outbox.ended(mail[22].route, after: .zero, isHeld: true, at: now)
        #expect(outbox.begin(mail, at: now) == [20, 21])
        // One whose homes are left alone is still slow, however soon that is seen.
        outbox.ended(mail[1].route, after: .zero, isHeld: false, at: now)
        #expect(outbox.begin(mail, at: now) == [2])
        outbox.ended(mail[2].route, after: .zero, isHeld: false, at: now)
        #expect(outbox.begin(mail, at: now) == [3])
        // One that answers in time is not slow any more.
        outbox.ended(mail[0].route, after: .zero, isHeld: true, at: now)
        #expect(outbox.begin(mail, at: now) == [4])
        // Slow ones are forgotten after a while.
        let later = now.advanced(by: settings.retryMax)
        for index in [3, 4, 20, 23] {
            outbox.ended(mail[index].route, after: .zero, isHeld: true, at: later)
        }
        #expect(outbox.begin(Array(mail[5..<20]), at: later) == [0, 1, 2, 3])
    }

    @Test func `postponed mail gets its turn in a later pass, despite any crowd`() {
        var outbox = MailOutbox(ChatSamples.settings)
        let start = ChatSamples.time(0)
        // Each attempt of the crowds fails; one friend has the newest message.
        var waiting = (0..<2_000).map { (recipient: "crowd \($0 % 20)", at: start, attempts: 0) }
        waiting.append((recipient: "friend", at: start.advanced(by: .seconds(1)), attempts: 0))
        var passes = 0
        let now = start.advanced(by: .seconds(2))
        while waiting.contains(where: { $0.recipient == "friend" && $0.attempts == 0 }) {
            passes += 1
            waiting.sort { $0.at < $1.at }
            let due = waiting.map {
                (
                    route: MailOutbox.Route(account: ChatSamples.ana, recipient: $0.recipient),
                    dueAt: $0.at
                )
            }
            let begun = outbox.begin(due, at: now)
            for index in begun {
                let attempts = waiting[index].attempts
                waiting[index].at = outbox.nextAttempt(after: UInt32(attempts), at: now)
                waiting[index].attempts += 1
            }
            for route in Set(begun.map { due[$0].route }) {
                outbox.ended(route, after: .zero, isHeld: true, at: now)
            }
        }
        #expect(passes == 2)
        let tried = Dictionary(grouping: waiting.filter { $0.attempts > 0 }, by: \.recipient)
        #expect(tried.count == 21 && tried.values.allSatisfy { $0.count <= 64 })
    }

    @Test func `the next attempt's delay doubles from five seconds to ten minutes`() {
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
    func `finishes mail that is complete, or expired and reported`(
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

    /// - From peers: homes of many new recipients that are slow to refuse → a quarter of the slots
    ///   is for recipients whose homes accepted mail quickly
    @Test func `reserves a quarter of the slots for recipients that took mail recently`() {
        var settings = ChatSettings(network: "test", deviceName: "test")
        settings.concurrentMax = 8
        var outbox = MailOutbox(settings)
        let (ana, now) = (ChatSamples.account(1), ChatSamples.time(0))
        let friends = Self.routes((0..<3).map { (ana, "friend \($0)", 1) })
        #expect(outbox.begin(friends, at: now) == [0, 1, 2])
        for friend in friends {
            outbox.ended(friend.route, after: .milliseconds(1), isHeld: true, at: now)
        }
        // New ones, however many, leave two places.
        let new = Self.routes((0..<20).map { (ana, "new \($0)", 1) })
        #expect(outbox.begin(new, at: now).count == 6)
        #expect(outbox.begin(new, at: now).isEmpty)
        #expect(outbox.begin(friends, at: now).count == 2)
        // A friend who becomes slow has no such place.
        outbox.ended(friends[0].route, after: settings.slowAttempt * 2, isHeld: true, at: now)
        #expect(outbox.begin([friends[0]], at: now).isEmpty)
        #expect(outbox.begin([friends[2]], at: now) == [0])
    }
}
