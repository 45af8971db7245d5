import Support
import Testing

@testable import AccountAccess

/// The pure parts of accounts are no part of what AccountAccess offers, hence the testable import.
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
        #expect(queue.enter(.elsewhere("last")) == .full)
        #expect(queue.enter(.operator) == .runs)
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
        #expect(queue.enter(.elsewhere("late")) == .full)
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
                case .waits(let number): waiting[number] = caller
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
