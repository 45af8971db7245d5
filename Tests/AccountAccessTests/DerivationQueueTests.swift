import AccountAccess
import Support
import Testing

struct DerivationQueueTests {
    @Test func `runs remote callers one at a time and leaves room for this machine`() {
        var queue = DerivationQueue()
        #expect(queue.enter(.elsewhere("a")) == .runs)
        #expect(queue.enter(.elsewhere("b")) == .waits(1))
        #expect(queue.enter(.thisMachine(nil)) == .runs)
        #expect(queue.enter(.operator) == .waits(2))
        #expect(queue.leave(.elsewhere("a")) == [2])
        #expect(queue.leave(.operator) == [1])
    }

    @Test func `limits waiting derivations per network and in total`() {
        var queue = DerivationQueue()
        #expect(queue.enter(.elsewhere("a")) == .runs)
        var waiting = 0
        for _ in 0..<DerivationQueue.networkWaitingMax {
            waiting += 1
            #expect(queue.enter(.elsewhere("a")) == .waits(UInt64(waiting)))
        }
        #expect(queue.enter(.elsewhere("a")) == .full)
        while waiting < DerivationQueue.elsewhereWaitingMax {
            waiting += 1
            #expect(queue.enter(.elsewhere("\(waiting)")) == .waits(UInt64(waiting)))
        }
        // Only a network that has more than the newcomer would have loses a place.
        let last = UInt64(waiting + 1)
        #expect(queue.enter(.elsewhere("last")) == .waits(last, displaced: 2))
        // Or one that had its turn already.
        #expect(queue.enter(.elsewhere("later")) == .waits(last + 1, displaced: 1))
        // Or the last one that had none, as the one that began to try last has a place.
        #expect(queue.enter(.elsewhere("latest")) == .waits(last + 2, displaced: last + 1))
        #expect(queue.enter(.elsewhere("later")) == .full)
        #expect(queue.enter(.operator) == .runs)
    }

    @Test func `networks that sign in over and over keep no other network out`() {
        var queue = DerivationQueue()
        let attackers = (0..<4).map { CallerGroup.elsewhere("attacker \($0)") }
        var callers: [UInt64: CallerGroup] = [:]
        /// Takes all places that the attackers can have.
        func crowd() {
            for attacker in attackers + attackers + attackers {
                if case .waits(let number, _) = queue.enter(attacker) { callers[number] = attacker }
            }
        }
        crowd()
        var running = attackers[0]
        let honest = CallerGroup.elsewhere("honest")
        for round in 0..<20 {
            guard case .waits(let own, _) = queue.enter(honest) else {
                Issue.record("refused in round \(round)")
                return
            }
            callers[own] = honest
            // It waits for one turn of each of the others.
            var turns = 0
            repeat {
                let begun = queue.leave(running)
                #expect(begun.count == 1)
                running = begun.first.flatMap { callers[$0] } ?? running
                turns += 1
                crowd()
            } while running != honest && turns < 10
            #expect(turns <= attackers.count + 1, "round \(round)")
        }
    }

    @Test func `of networks with as many places the one served last loses one`() {
        var queue = DerivationQueue()
        let most = UInt64(DerivationQueue.elsewhereWaitingMax)
        #expect(queue.enter(.elsewhere("0")) == .runs)
        for number in 1...most { _ = queue.enter(.elsewhere("\(number)")) }
        #expect(queue.leave(.elsewhere("0")) == [1])
        // It comes again, although it has just had its turn.
        #expect(queue.enter(.elsewhere("0")) == .waits(most + 1))
        #expect(queue.enter(.elsewhere("new")) == .waits(most + 2, displaced: most + 1))
        #expect(queue.enter(.elsewhere("0")) == .full)
        // Leaving counts as a turn, so it gains no advantage.
        #expect(queue.giveUp(2) == true)
        #expect(queue.enter(.elsewhere("2")) == .waits(most + 3))
        #expect(
            queue.enter(.elsewhere("newer")) == .waits(most + 4, displaced: most + 3)
        )
    }

    @Test func `serves the operator first, then this machine, then networks in turn`() {
        var queue = DerivationQueue()
        #expect(queue.enter(.elsewhere("x")) == .runs)
        #expect(queue.enter(.thisMachine(nil)) == .runs)
        let callers: [CallerGroup] = [
            .elsewhere("a"), .elsewhere("a"), .elsewhere("b"), .thisMachine(nil), .operator,
        ]
        for caller in callers { _ = queue.enter(caller) }
        #expect(queue.leave(.elsewhere("x")) == [5])
        #expect(queue.leave(.operator) == [4])
        #expect(queue.leave(.thisMachine(nil)) == [1])
        #expect(queue.leave(.elsewhere("a")) == [3])
        #expect(queue.leave(.elsewhere("b")) == [2])
    }

    @Test func `a caller that gives up frees its turn and is not admitted`() {
        var queue = DerivationQueue()
        #expect(queue.enter(.elsewhere("x")) == .runs)
        for number in 1...DerivationQueue.elsewhereWaitingMax {
            #expect(queue.enter(.elsewhere("\(number)")) == .waits(UInt64(number)))
        }
        #expect(queue.enter(.elsewhere("x")) == .full)
        #expect(queue.giveUp(1) == true)
        #expect(queue.giveUp(1) == false)
        let last = UInt64(DerivationQueue.elsewhereWaitingMax + 1)
        #expect(queue.enter(.elsewhere("late")) == .waits(last))
        #expect(queue.leave(.elsewhere("x")) == [2])
        #expect(queue.giveUp(2) == false)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `keeps its bounds and runs every waiter, whatever the mix of callers`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = DerivationQueue()
        var running: [CallerGroup] = []
        var waiting: [UInt64: CallerGroup] = [:]
        for round in 0..<4_000 {
            let isFilling = round < 3_000 && Bool.random(using: &random)
            if isFilling {
                let callers: [CallerGroup] = [
                    .operator, .thisMachine(nil), .elsewhere("a"), .elsewhere("b"),
                    .elsewhere("c"),
                ]
                guard let caller = callers.randomElement(using: &random) else { continue }
                switch queue.enter(caller) {
                case .runs: running.append(caller)
                case .waits(let number, let displaced):
                    waiting[number] = caller
                    if let displaced { waiting[displaced] = nil }
                case .full: #expect(!waiting.isEmpty)
                }
            } else if let place = running.indices.randomElement(using: &random) {
                for number in queue.leave(running.remove(at: place)) {
                    if let caller = waiting.removeValue(forKey: number) { running.append(caller) }
                }
            }
            #expect(running.count <= DerivationQueue.runningMax, "seed \(seed)")
            #expect(running.count { $0.isElsewhere } <= 1, "seed \(seed)")
        }
        #expect(running.isEmpty && waiting.isEmpty, "seed \(seed)")
    }
}
