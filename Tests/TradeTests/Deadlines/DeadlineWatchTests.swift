import Client
import Keys
import Market
import Support
import Testing
import Trade

/// What is done at which time, without a chain.
struct DeadlineWatchTests {
    private let ana = testKey(1).address
    let bo = testKey(2).address
    private let sale = SaleID(Bytes32(repeating: 7))
    let end = ChainTime(seconds: 1_763_700_000)

    private func before(hours: UInt64, seconds: UInt64 = 0) -> ChainTime {
        ChainTime(seconds: end.seconds - hours * 3_600 - seconds)
    }

    func after(_ duration: Duration) -> ChainTime { end.advanced(by: duration) }

    func watched(
        by account: Address? = nil,
        rank: Int? = nil,
        setAt: ChainTime? = nil,
        notices: [ChainTime: UInt8] = [:],
        mayMove: Bool = true
    ) -> WatchedSale {
        WatchedSale(
            account: account ?? ana,
            sale: sale,
            due: rank.map { [DueMove("claim", as: .claim, since: end, rank: $0)] } ?? [],
            next: rank == nil ? end : nil,
            deadline: rank == nil
                ? WatchedDeadline(
                    at: end,
                    setAt: setAt ?? before(hours: 400),
                    consequence: [Sentence("escrow.claimOpens")],
                    closes: ["dispute"],
                    opens: ["claim"]
                ) : nil,
            notices: notices,
            allowed: mayMove ? .all : []
        )
    }

    private func hours(_ directives: [DeadlineWatch.Directive]) -> [UInt8] {
        directives.compactMap { if case .notify(let notice) = $0 { notice.hoursLeft } else { nil } }
    }

    func keys(_ directives: [DeadlineWatch.Directive]) -> [String] {
        directives.compactMap { if case .move(_, let key) = $0 { key } else { nil } }
    }

    func move(of account: Address? = nil) -> DeadlineMove {
        DeadlineMove(
            DueMove("claim", as: .claim, since: end, rank: 0),
            of: account ?? ana,
            in: sale
        )
    }

    @Test(arguments: [true, false])
    func `reminds once at 72, 24 and 6 hours, whether locked or not`(
        mayMove: Bool
    ) {
        let watch = Watch()
        var told: [ChainTime: UInt8] = [:]
        var given: [UInt8] = []
        var time = before(hours: 100)
        while time < end {
            let sale = watched(notices: told, mayMove: mayMove)
            for hours in hours(watch.look(at: [sale], head: time, now: time)) {
                given.append(hours)
                told[end] = hours
                #expect(time == before(hours: UInt64(hours)))
            }
            guard let next = watch.next, next > time else {
                Issue.record("no time to look again after \(time.seconds)")
                return
            }
            time = next
        }
        #expect(given == [72, 24, 6] && time == end)
    }

    @Test func `a late start sends only the nearest reminder`() {
        for (hours, expected) in [(73, []), (72, [72]), (25, [72]), (23, [24]), (5, [6])]
            as [(UInt64, [UInt8])]
        {
            let watch = Watch()
            let now = before(hours: hours)
            #expect(self.hours(watch.look(at: [watched()], head: now, now: now)) == expected)
        }
        let watch = Watch()
        let now = before(hours: 5)
        let told = watched(notices: [end: 6])
        #expect(watch.look(at: [told], head: now, now: now).isEmpty)
    }

    @Test func `sends no reminder whose time passed before the deadline was set`() {
        for (setAt, hours) in [(48, 30), (5, 4)] as [(UInt64, UInt64)] {
            let watch = Watch()
            let now = before(hours: hours)
            let sale = watched(setAt: before(hours: setAt))
            #expect(watch.look(at: [sale], head: now, now: now).isEmpty)
        }
        let watch = Watch()
        let now = before(hours: 23)
        let sale = watched(setAt: before(hours: 48))
        #expect(hours(watch.look(at: [sale], head: now, now: now)) == [24])
    }

    @Test func `a reminder names the moves that end and those that open`() {
        let watch = Watch()
        let now = before(hours: 6)
        let expected = DeadlineNotice(
            account: ana,
            sale: sale,
            deadline: end,
            hoursLeft: 6,
            consequence: [Sentence("escrow.claimOpens")],
            closes: ["dispute"],
            opens: ["claim"]
        )
        #expect(watch.look(at: [watched()], head: nil, now: now) == [.notify(expected)])
    }

    @Test func `the first account moves at the deadline, the others later by rank`() {
        let delays = [0, 1, 2, 3, 7, 9_999].map { DeadlineWatch.delay(ofRank: $0) }
        #expect(delays == [0, 600, 600, 1_200, 1_800, 7_800].map { .seconds($0) })

        let watch = Watch()
        let both = [watched(rank: 0), watched(by: bo, rank: 1)]
        let early = ChainTime(seconds: end.seconds - 1)
        // The chain's time is not enough: the block that the move would be tried on is earlier.
        #expect(watch.look(at: both, head: early, now: end).isEmpty)
        #expect(watch.look(at: both, head: nil, now: end).isEmpty)
        let first = watch.look(at: both, head: end, now: end)
        #expect(first == [.move(move(), key: move().key(attempt: 0))])
        #expect(watch.next == after(.seconds(600)))
        watch.begun(move(), operation: "1", at: end)
        #expect(watch.look(at: both, head: end, now: after(.seconds(599))).isEmpty)
        let late = after(.seconds(600))
        let second = watch.look(at: both, head: late, now: late)
        #expect(second == [.move(move(of: bo), key: move(of: bo).key(attempt: 0))])
    }

    @Test func `two accounts of the node do not make one move at once`() {
        // The first account's second try is due together with the second account's first one.
        let watch = Watch()
        let both = [watched(rank: 0), watched(by: bo, rank: 1)]
        _ = watch.look(at: both, head: end, now: end)
        _ = watch.refused(move(), because: .lasting, at: end)
        let late = after(.seconds(600))
        #expect(keys(watch.look(at: both, head: late, now: late)) == [move().key(attempt: 0)])
        #expect(watch.next == after(.seconds(660)))
        // If nothing comes of it, the other one is next; while it is under way, nobody is.
        _ = watch.refused(move(), because: .lasting, at: late)
        let later = after(.seconds(660))
        #expect(
            keys(watch.look(at: both, head: later, now: later)) == [move(of: bo).key(attempt: 0)]
        )
        watch.begun(move(of: bo), operation: "1", at: later)
        let last = after(.seconds(600 + 3_600))
        #expect(!keys(watch.look(at: both, head: last, now: last)).isEmpty)
        watch.begun(move(), operation: "2", at: last)
        #expect(keys(watch.look(at: both, head: last, now: last)).isEmpty)
    }

    @Test func `the account that gains most goes first if all are late`() {
        let watch = Watch()
        let late = after(.days(1))
        let both = [watched(by: bo, rank: 1), watched(rank: 0)]
        #expect(watch.rivals(of: move(of: bo), in: both) == [move()])
        let first = watch.look(at: both, head: late, now: late)
        #expect(first == [.move(move(), key: move().key(attempt: 0))])
        // A former run's operation of an account that is locked since counts as well.
        let locked = [
            watched(by: bo, rank: 1), watched(rank: 0, notices: [end: 0], mayMove: false),
        ]
        let later = late.advanced(by: .seconds(600))
        #expect(keys(watch.look(at: locked, head: later, now: later)).count == 1)
        #expect(watch.rivals(of: move(of: bo), in: locked) == [move()])
        watch.begun(move(), operation: "1", at: later)
        #expect(watch.rivals(of: move(of: bo), in: locked).isEmpty)
        #expect(keys(watch.look(at: locked, head: later, now: later)).isEmpty)
    }

    @Test func `accounts make moves of their own at once`() {
        let watch = Watch()
        let both = [watched(rank: 0), watched(by: bo, rank: 0)]
        #expect(keys(watch.look(at: both, head: end, now: end)).count == 2)
        watch.begun(move(), operation: "1", at: end)
        #expect(keys(watch.look(at: both, head: end, now: end)) == [move(of: bo).key(attempt: 0)])
    }

    @Test func `does not repeat a move that is in progress or done`() {
        let watch = Watch()
        let sales = [watched(rank: 0)]
        #expect(keys(watch.look(at: sales, head: end, now: end)).count == 1)
        watch.begun(move(), operation: "1", at: end)
        #expect(watch.underWay.map(\.operation) == ["1"])
        let late = after(.days(9))
        #expect(watch.look(at: sales, head: late, now: late).isEmpty)
        watch.done(move())
        #expect(watch.underWay.isEmpty)
        #expect(watch.look(at: sales, head: late, now: late).isEmpty)
    }

    @Test func `looks again when a deadline passes that does not concern the account`() {
        let watch = Watch()
        let sale = WatchedSale(
            account: ana,
            sale: sale,
            due: [],
            next: end,
            deadline: nil,
            notices: [:],
            allowed: .all
        )
        #expect(watch.look(at: [sale], head: nil, now: before(hours: 1)).isEmpty)
        #expect(watch.next == end)
    }

    @Test func `reports the move once to a locked account instead`() {
        let watch = Watch()
        let notice = DeadlineNotice(
            account: ana,
            sale: sale,
            deadline: end,
            hoursLeft: 0,
            opens: ["claim"]
        )
        let locked = watched(rank: 0, notices: [end: 6], mayMove: false)
        #expect(watch.look(at: [locked], head: end, now: end) == [.notify(notice)])
        let told = watched(rank: 0, notices: [end: 0], mayMove: false)
        #expect(watch.look(at: [told], head: end, now: end).isEmpty)
        // After a sign-in the move is made all the same.
        let unlocked = watched(rank: 0, notices: [end: 0])
        #expect(keys(watch.look(at: [unlocked], head: end, now: end)).count == 1)
    }

    @Test func `makes only the moves that an account has left to the node`() {
        let claim = DueMove("claim", as: .claim, since: end, rank: 0)
        let refund = DueMove("refund", as: .refund, since: end, rank: 0)
        func left(_ allowed: Set<UnattendedMove>, _ notices: [ChainTime: UInt8]) -> WatchedSale {
            WatchedSale(
                account: ana,
                sale: sale,
                due: [claim, refund],
                next: nil,
                deadline: nil,
                notices: notices,
                allowed: allowed
            )
        }
        let notice = DeadlineNotice(
            account: ana,
            sale: sale,
            deadline: end,
            hoursLeft: 0,
            opens: ["refund"]
        )
        let watch = Watch()
        // The other one is reported to its account.
        #expect(
            watch.look(at: [left([.claim, .deliver, .end], [:])], head: end, now: end)
                == [.notify(notice), .move(move(), key: move().key(attempt: 0))]
        )
        watch.begun(move(), operation: "1", at: end)
        let told = left([.claim], [end: 0])
        #expect(watch.look(at: [told], head: end, now: end).isEmpty)
        let off = left([], [end: 0])
        #expect(Watch().look(at: [off], head: end, now: end).isEmpty)
    }

    @Test func `forgets expired moves`() {
        let watch = Watch()
        _ = watch.look(at: [watched(rank: 0)], head: end, now: end)
        watch.begun(move(), operation: "1", at: end)
        _ = watch.look(at: [], head: end, now: end)
        #expect(watch.underWay.isEmpty && watch.next == nil)
    }

    @Test func `keys differ by sale, move, round, deadline and attempt`() {
        let moves = [
            move(),
            DeadlineMove(DueMove("refund", as: .refund, since: end, rank: 0), of: ana, in: sale),
            DeadlineMove(
                DueMove("claim", as: .claim, round: 0, since: end, rank: 0),
                of: ana,
                in: sale
            ),
            DeadlineMove(
                DueMove("claim", as: .claim, round: 1, since: end, rank: 0),
                of: ana,
                in: sale
            ),
            DeadlineMove(
                DueMove("claim", as: .claim, since: before(hours: 1), rank: 0),
                of: ana,
                in: sale
            ),
            DeadlineMove(
                DueMove("claim", as: .claim, since: end, rank: 0),
                of: ana,
                in: SaleID(Bytes32(repeating: 8))
            ),
        ]
        let keys = Set(moves.flatMap { move in (0..<3).map { move.key(attempt: $0) } })
        #expect(keys.count == moves.count * 3)
        // A caller's own key has at most 64 bytes.
        #expect(keys.allSatisfy { $0.utf8.count > 64 })
    }
}

/// A watch that expectations can ask.
final class Watch {
    private var watch = DeadlineWatch()

    var next: ChainTime? { watch.next }
    var underWay: [(move: DeadlineMove, operation: String)] { watch.underWay }

    func look(
        at sales: [WatchedSale],
        head: ChainTime?,
        now: ChainTime
    ) -> [DeadlineWatch.Directive] {
        watch.look(at: sales, head: head, now: now)
    }

    func begun(_ move: DeadlineMove, operation: String, at now: ChainTime) {
        watch.begun(move, operation: operation, at: now)
    }

    func rivals(of move: DeadlineMove, in sales: [WatchedSale]) -> [DeadlineMove] {
        watch.rivals(of: move, in: sales)
    }

    func done(_ move: DeadlineMove) { watch.done(move) }

    func failed(_ move: DeadlineMove, at now: ChainTime) -> Bool { watch.failed(move, at: now) }

    func refused(
        _ move: DeadlineMove,
        because obstacle: DeadlineWatch.Obstacle,
        at now: ChainTime
    ) -> Bool { watch.refused(move, because: obstacle, at: now) }
}
