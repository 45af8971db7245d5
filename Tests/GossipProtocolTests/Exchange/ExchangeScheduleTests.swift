import GossipProtocol
import Market
import Testing

/// Simulates second by second which peers get a place for an exchange, and when.
struct ExchangeScheduleTests {
    /// A simulation of peers, by number.
    private struct Run {
        var schedule: ExchangeSchedule
        var now = 0
        /// The second at which each running exchange began, by peer.
        var running: [Int: Int] = [:]
        var runningMax = 0
        /// The second at which each peer's first exchange ended.
        var served: [Int: Int] = [:]
        var begun: [Int: Int] = [:]
        /// Peers so slow that their exchanges never end by themselves.
        let slow: Set<Int>

        init(limits: ExchangeLimits = ExchangeLimits(), seed: UInt64, slow: Set<Int>) {
            schedule = ExchangeSchedule(limits: limits, interval: .seconds(300), seed: seed)
            self.slow = slow
            _ = schedule.handle(.wanted, at: .start)
        }

        mutating func link(_ number: Int, isOutbound: Bool = false, host: UInt8? = nil) {
            let group = host.flatMap { IPAddress(bytes: [8, 8, 8, $0]) }.map(AddressGroup.init)
            handle(.linked(peer(number), isOutbound: isOutbound, group: group))
        }

        /// Simulates one second; an honest exchange takes one.
        mutating func second() {
            now += 1
            for (number, since) in running.sorted(by: { $0.key < $1.key })
            where !slow.contains(number) && since < now {
                end(number, isPaused: false)
            }
            // A place that no other peer wants can be kept for 300 seconds.
            for (number, since) in running where since + 300 <= now { end(number, isPaused: true) }
            handle(.tick)
        }

        private mutating func end(_ number: Int, isPaused: Bool) {
            running[number] = nil
            let isSlow = slow.contains(number)
            if !isSlow, served[number] == nil { served[number] = now }
            handle(.ended(peer(number), .init(isPaused: isPaused, isSlow: isSlow)))
        }

        private mutating func handle(_ event: ExchangeSchedule.Event) {
            for directive in schedule.handle(event, at: .start + .seconds(now)) {
                switch directive {
                case .begin(let peer):
                    running[number(of: peer)] = now
                    begun[number(of: peer), default: 0] += 1
                    runningMax = max(runningMax, running.count)
                case .revoke(let peer): end(number(of: peer), isPaused: true)
                }
            }
        }
    }

    @Test(arguments: [8, 24, 224], [0, 1, 2] as [UInt64])
    func `serves honest peers within seconds despite any number of slow ones`(
        slow: Int,
        seed: UInt64
    ) {
        var run = Run(seed: seed, slow: Set(0..<slow))
        // The slow peers came first, each with an address of its own.
        for number in 0..<slow { run.link(number, host: UInt8(number)) }
        for _ in 0..<5 { run.second() }
        let start = run.now
        for number in 1_000..<1_004 { run.link(number, host: 250) }
        run.link(2_000, isOutbound: true)
        for _ in 0..<900 { run.second() }
        let waits = (1_000..<1_004).map { (run.served[$0] ?? .max) - start }
        print("\(slow) slow, seed \(seed): honest waited \(waits) s")
        // Newcomers wait only for the first round of the slow peers, not known as slow yet.
        #expect(waits.allSatisfy { $0 <= 4 + slow / 6 * 3 }, "seed \(seed)")
        // A peer that this node dialled does not wait for newcomers at all.
        #expect((run.served[2_000] ?? .max) - start <= 4)
        #expect(run.runningMax <= 8)
    }

    @Test func `slow peers of one address delay no peer of another`() {
        var run = Run(seed: 1, slow: Set(0..<224))
        for number in 0..<224 { run.link(number, host: 1) }
        for _ in 0..<5 { run.second() }
        let start = run.now
        for number in 1_000..<1_004 { run.link(number, host: 2) }
        for _ in 0..<20 { run.second() }
        #expect((1_000..<1_004).allSatisfy { (run.served[$0] ?? .max) - start <= 4 })
    }

    @Test func `asks a slow peer ever less often, even when it returns`() {
        var run = Run(seed: 1, slow: Set(0..<16))
        for number in 0..<16 { run.link(number, host: UInt8(number)) }
        // More peers are quick than slow: it is not this node that is slow.
        for number in 100..<120 { run.link(number, host: UInt8(number)) }
        for _ in 0..<3_600 { run.second() }
        let before = run.begun
        #expect((0..<16).allSatisfy { (2...14).contains(before[$0] ?? 0) })
        _ = run.schedule.handle(.unlinked(peer(3)), at: .start + .seconds(run.now))
        run.running[3] = nil
        run.link(3, host: 3)
        for _ in 0..<30 { run.second() }
        #expect((run.begun[3] ?? 0) <= (before[3] ?? 0) + 1)
    }

    /// - From peers: a slow peer that leaves before its exchange ends → it counts as slow
    @Test func `a slow peer that leaves before its exchange ends counts as slow`() {
        var schedule = ExchangeSchedule(limits: .init(), interval: .seconds(300), seed: 1)
        func handle(_ event: ExchangeSchedule.Event, at second: Int = 0)
            -> [ExchangeSchedule.Directive]
        {
            schedule.handle(event, at: .start + .seconds(second))
        }
        let linked = ExchangeSchedule.Event.linked(peer(1), isOutbound: false, group: nil)
        _ = handle(.wanted)
        #expect(handle(linked) == [.begin(peer(1))])
        _ = handle(.unlinked(peer(1)))
        // The slowness is known only once the exchange's task has ended.
        _ = handle(.wasSlow(peer(1)))
        #expect(handle(linked, at: 1) == [])
        #expect(handle(.tick, at: 12) == [.begin(peer(1))])
        // The same if the peer is back before that is known.
        _ = handle(.unlinked(peer(1)), at: 12)
        _ = handle(linked, at: 13)
        _ = handle(.wasSlow(peer(1)), at: 13)
        _ = handle(.ended(peer(1), .init(isPaused: false, isSlow: true)), at: 13)
        #expect(handle(.tick, at: 30) == [])
    }

    @Test(arguments: [(2, 8), (8, 40)])
    func `avoids a slow peer for long unless most peers are slow`(
        slow: Int,
        fewest: Int
    ) {
        var schedule = ExchangeSchedule(limits: .init(), interval: .seconds(300), seed: 1)
        _ = schedule.handle(.wanted, at: .start)
        var begun: [PeerID: Int] = [:]
        var running: Set<PeerID> = []
        for second in 0..<3_600 {
            let now = Moment.start + .seconds(second)
            var directives = schedule.handle(.tick, at: now)
            if second == 0 {
                for number in 1...8 {
                    let linked = ExchangeSchedule.Event.linked(
                        peer(number),
                        isOutbound: false,
                        group: nil
                    )
                    directives += schedule.handle(linked, at: now)
                }
            }
            for one in running.sorted() {
                let isSlow = (1...slow).contains { peer($0) == one }
                let outcome = ExchangeSchedule.Outcome(isPaused: false, isSlow: isSlow)
                directives += schedule.handle(.ended(one, outcome), at: now)
                running.remove(one)
            }
            for case .begin(let one) in directives {
                begun[one, default: 0] += 1
                running.insert(one)
            }
        }
        let count = begun[peer(1)] ?? 0
        #expect(slow == 2 ? count <= fewest + 2 : count >= fewest)
    }

    @Test func `fast peers with ever more to fetch delay no other peer`() {
        var schedule = ExchangeSchedule(limits: .init(), interval: .seconds(300), seed: 1)
        var served: [PeerID: Int] = [:]
        func handle(_ event: ExchangeSchedule.Event, at second: Int) {
            for directive in schedule.handle(event, at: .start + .seconds(second)) {
                switch directive {
                case .begin(let peer): served[peer] = served[peer] ?? second
                case .revoke(let peer):
                    handle(.ended(peer, .init(isPaused: true, isSlow: false)), at: second)
                }
            }
        }
        handle(.wanted, at: 0)
        for second in 0..<120 {
            let newcomer = second == 40 ? 1_000 : second < 20 ? second : nil
            if let newcomer {
                handle(.linked(peer(newcomer), isOutbound: false, group: nil), at: second)
            }
            handle(.tick, at: second)
        }
        #expect(served.count == 21)
        #expect((served[peer(1_000)] ?? .max) <= 40 + 20)
    }

    @Test func `a peer keeps its place while no other peer waits`() {
        var run = Run(seed: 1, slow: [1])
        run.link(1)
        for _ in 0..<299 { run.second() }
        #expect(run.begun == [1: 1])
        #expect(run.schedule.running == [peer(1)])
    }

    @Test func `a paused exchange resumes when its turn comes`() {
        var limits = ExchangeLimits()
        (limits.placesMax, limits.placesReserve) = (1, 0)
        var schedule = ExchangeSchedule(limits: limits, interval: .seconds(300), seed: 1)
        func at(_ seconds: Int) -> Moment { .start + .seconds(seconds) }
        _ = schedule.handle(.wanted, at: at(0))
        let one = schedule.handle(.linked(peer(1), isOutbound: false, group: nil), at: at(0))
        #expect(one == [.begin(peer(1))])
        let two = schedule.handle(.linked(peer(2), isOutbound: false, group: nil), at: at(1))
        #expect(two == [])
        #expect(schedule.handle(.tick, at: at(2)) == [.revoke(peer(1))])
        let paused = ExchangeSchedule.Outcome(isPaused: true, isSlow: false)
        #expect(schedule.handle(.ended(peer(1), paused), at: at(2)) == [.begin(peer(2))])
        let done = ExchangeSchedule.Outcome(isPaused: false, isSlow: false)
        #expect(schedule.handle(.ended(peer(2), done), at: at(3)) == [.begin(peer(1))])
    }
}

private func peer(_ number: Int) -> PeerID {
    PeerID(multihash: [0, 2, UInt8(number >> 8), UInt8(number & 255)])
}

private func number(of peer: PeerID) -> Int {
    Int(peer.multihash[2]) << 8 | Int(peer.multihash[3])
}
