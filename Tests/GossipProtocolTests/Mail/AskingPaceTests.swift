import GossipProtocol
import Keys
import Market
import Support
import Testing

struct AskingPaceTests {
    private static let home = NodeKey.peer(of: testKey(1).publicKey)
    private static let other = NodeKey.peer(of: testKey(2).publicKey)
    private static let (ana, bo) = (testKey(3).publicKey.address, testKey(4).publicKey.address)

    private static func at(_ milliseconds: Int) -> Moment {
        Moment(sinceStart: .milliseconds(milliseconds))
    }

    private static func deposit(
        by sender: Address = ana,
        to home: PeerID = home,
        ofSale isOfSale: Bool = false
    ) -> AskingPace.Deposit {
        AskingPace.Deposit(to: home, by: sender, isOfSale: isOfSale, costing: 1)
    }

    /// Asks for deposits all at once, in this order, and returns the order in which they begin.
    private static func order(
        of deposits: [AskingPace.Deposit],
        _ pace: inout AskingPace
    ) -> [Int] {
        for (ticket, deposit) in deposits.enumerated() {
            pace.wait(AskingPace.Ticket(ticket), deposit, at: .start)
        }
        return deposits.map { _ in
            let begun = deposits.indices.first {
                pace.begin(AskingPace.Ticket($0), at: home, at: .start) == nil
            }
            if let begun { pace.end(AskingPace.Ticket(begun), at: home) }
            return begun ?? -1
        }
    }

    @Test func `a home never refuses a node that keeps the pace`() {
        let limits = MailLimits()
        var pace = AskingPace(limits)
        var meter = PeerMeter(
            burst: limits.burstMax,
            every: .seconds(1) / limits.questionsPerSecond
        )
        var (count, refusals) = (0, 0)
        var next: AskingPace.Ticket = 0
        pace.wait(next, Self.deposit(), at: .start)
        // A hundred milliseconds later each time, so the last is after a minute.
        for step in 0..<600 {
            let now = Self.at(step * 100)
            // Other questions do not wait: two a second.
            if step % 5 == 0 {
                pace.count(at: Self.home, at: now)
                if meter.take(by: Self.other, of: nil, at: now) != .granted { refusals += 1 }
            }
            while pace.begin(next, at: Self.home, at: now) == nil {
                pace.end(next, at: Self.home)
                if meter.take(by: Self.other, of: nil, at: now) != .granted { refusals += 1 }
                (count, next) = (count + 1, next + 1)
                pace.wait(next, Self.deposit(), at: now)
            }
        }
        #expect(refusals == 0)
        // Half the burst, and then ten of the twelve a second.
        #expect((700...740).contains(count), "\(count)")
    }

    @Test func `mail of a sale comes first, but every fourth is a text`() {
        var pace = AskingPace(MailLimits())
        let texts = (0..<3).map { _ in Self.deposit() }
        let sales = (0..<6).map { _ in Self.deposit(by: Self.bo, ofSale: true) }
        #expect(Self.order(of: texts + sales, &pace) == [3, 4, 5, 0, 6, 7, 8, 1, 2])
    }

    @Test func `accounts take turns at a home`() {
        var pace = AskingPace(MailLimits())
        let crowd = (0..<4).map { _ in Self.deposit() }
        let all = crowd + [Self.deposit(by: Self.bo), Self.deposit(by: Self.bo)]
        #expect(Self.order(of: all, &pace) == [0, 4, 1, 5, 2, 3])
    }

    @Test func `a home that was asked too often is left alone for seconds`() {
        var pace = AskingPace(MailLimits())
        pace.refused(by: Self.home, at: .start)
        for (ticket, home) in [(1, Self.home), (2, Self.other)] {
            pace.wait(AskingPace.Ticket(ticket), Self.deposit(to: home), at: .start)
        }
        #expect(pace.begin(1, at: Self.home, at: .start) == AskingPace.pause)
        #expect(pace.begin(1, at: Self.home, at: Self.at(3_900)) != nil)
        // No other home has to do with it.
        #expect(pace.begin(2, at: Self.other, at: .start) == nil)
        #expect(pace.begin(1, at: Self.home, at: Self.at(4_001)) == nil)
    }

    @Test func `one stream of a peer stays free for other questions`() {
        let limits = MailLimits()
        var pace = AskingPace(limits)
        for ticket in 0..<4 as Range<AskingPace.Ticket> {
            pace.wait(ticket, Self.deposit(), at: .start)
        }
        let begun = (0..<4 as Range<AskingPace.Ticket>).map {
            pace.begin($0, at: Self.home, at: .start) == nil
        }
        #expect(begun == [true, true, true, false])
        pace.end(1, at: Self.home)
        #expect(pace.begin(3, at: Self.home, at: .start) == nil)
    }
}
