import AccountAccess
import Keys
import Support
import Testing

struct NetworkTurnsTests {
    /// Numbers of addresses that guess without end, in all and of each subnet.
    static let crowds: [(Int, Int)] = [
        (300, 200), (300, 1), (5_000, 200), (5_000, 1), (17_500, 200), (17_500, 1),
    ]

    @Test(arguments: crowds)
    func `a crowd of guessing addresses keeps no new caller out`(addresses: Int, ofSubnet: Int) {
        var crowd = Crowd(addresses: addresses, ofSubnet: ofSubnet)
        for number in 0..<10 {
            let turns = crowd.turns(of: .elsewhere("203.0.\(number).9"))
            #expect(turns.map { $0 <= 3 } == true, "\(number)")
        }
    }

    @Test(arguments: crowds)
    func `a crowd keeps no caller out that signed in before`(addresses: Int, ofSubnet: Int) {
        var crowd = Crowd(addresses: addresses, ofSubnet: ofSubnet)
        let honest = CallerGroup.elsewhere("203.0.113.9")
        #expect(crowd.turns(of: honest) != nil)
        crowd.queue.noteSuccess(of: honest, on: Self.account(1))
        for _ in 0..<10 {
            let turns = crowd.turns(of: honest)
            #expect(turns.map { $0 <= 3 } == true)
        }
    }

    @Test func `a refused caller has its turn in the order of its first try`() {
        var crowd = Crowd(addresses: 30, ofSubnet: 1)
        let honest = CallerGroup.elsewhere("203.0.113.9")
        var turn = 0
        /// More subnets begin than have a turn, before and after each try of the honest one.
        func begin(_ part: Int) {
            for number in 0..<3 { crowd.enter(.elsewhere("198.\(turn).\(part + number).1")) }
        }
        repeat {
            crowd.knock(5)
            begin(0)
            if turn % DerivationQueue.elsewhereWaitingMax == 0 { crowd.enter(honest) }
            begin(3)
            turn += 1
        } while crowd.serve() != honest && turn < 60
        #expect(turn < 60)
    }

    @Test func `within a subnet an address without a turn goes first`() {
        var queue = DerivationQueue()
        #expect(queue.enter(.elsewhere("192.0.2.1")) == .runs)
        #expect(queue.enter(.elsewhere("192.0.2.1")) == .waits(1))
        #expect(queue.enter(.elsewhere("192.0.2.2")) == .waits(2))
        #expect(queue.enter(.elsewhere("198.51.100.1")) == .waits(3))
        #expect(queue.leave(.elsewhere("192.0.2.1")) == [3])
        #expect(queue.leave(.elsewhere("198.51.100.1")) == [2])
        #expect(queue.leave(.elsewhere("192.0.2.2")) == [1])
    }

    @Test func `the second derivation of a request is never refused and goes first`() {
        var queue = DerivationQueue()
        let honest = CallerGroup.elsewhere("203.0.113.9")
        #expect(queue.enter(honest) == .runs)
        for number in 1...DerivationQueue.elsewhereWaitingMax {
            _ = queue.enter(.elsewhere("198.51.\(number).1"))
        }
        #expect(queue.leave(honest) == [1])
        _ = queue.enter(.elsewhere("198.51.100.1"))
        guard case .waits(let own, displaced: nil) = queue.enter(honest, continues: true) else {
            Issue.record("the second derivation takes a place or has none")
            return
        }
        _ = queue.enter(.elsewhere("198.51.101.1"))
        #expect(queue.leave(.elsewhere("198.51.1.1")) == [own])
    }

    @Test func `keeps only the few latest known subnets of an account`() {
        var turns = NetworkTurns()
        let callers = (0...NetworkTurns.accountKnownMax).map {
            CallerGroup.elsewhere("192.0.\($0).1")
        }
        for caller in callers { turns.noteSuccess(of: caller, on: Self.account(1)) }
        #expect(
            callers.map { turns.isKnown($0) } == [false] + callers.dropFirst().map { _ in true }
        )
        #expect(turns.isKnown(.elsewhere("192.0.1.77")))
        #expect(!turns.isKnown(.operator) && !turns.isKnown(.thisMachine(nil)))
    }

    @Test func `remembers a bounded number of subnets and sign-ins`() {
        var turns = NetworkTurns()
        for number in 0...NetworkTurns.subnetsMax { turns.noteTry(of: .elsewhere("\(number)")) }
        #expect(turns.subnetCount <= NetworkTurns.subnetsMax)
        #expect(turns.firstTry(of: .elsewhere("0")) == nil)
        #expect(turns.firstTry(of: .elsewhere("\(NetworkTurns.subnetsMax)")) != nil)
        for number in 0...NetworkTurns.knownMax {
            turns.noteSuccess(of: .elsewhere("192.0.2.1"), on: Self.account(number))
        }
        #expect(turns.knownCount == NetworkTurns.knownMax)
    }

    private static func account(_ number: Int) -> Address {
        Address(words: UInt64(number), 0, 0)
    }
}

/// Addresses that guess passwords over and over, much faster than derivations end.
private struct Crowd {
    private let addresses: [CallerGroup]
    var queue = DerivationQueue()
    private var random = SeededRandom(seed: 1)
    private var running: CallerGroup?
    private var waiting: [UInt64: CallerGroup] = [:]

    init(addresses count: Int, ofSubnet: Int) {
        var random = SeededRandom(seed: 0)
        addresses = (0..<count).map { number in
            let subnet = number / ofSubnet
            return .elsewhere("10.\(subnet / 250).\(subnet % 250).\(1 + number % ofSubnet)")
        }.shuffled(using: &random)
        for address in addresses { enter(address) }
    }

    mutating func enter(_ caller: CallerGroup) {
        switch queue.enter(caller) {
        case .runs: running = caller
        case .waits(let number, let displaced):
            waiting[number] = caller
            if let displaced { waiting[displaced] = nil }
        case .full: break
        }
    }

    mutating func knock(_ count: Int) {
        for _ in 0..<count { if let one = addresses.randomElement(using: &random) { enter(one) } }
    }

    /// Ends the running derivation; returns the caller whose turn is next.
    mutating func serve() -> CallerGroup? {
        guard let running else { return nil }
        self.running = queue.leave(running).first.flatMap { waiting.removeValue(forKey: $0) }
        return self.running
    }

    /// Returns after how many turns a caller that tries once has its own; `nil` if it is refused.
    mutating func turns(of caller: CallerGroup) -> Int? {
        enter(caller)
        var count = 0
        while waiting.values.contains(caller) {
            knock(50)
            count += 1
            if serve() == caller { return count }
        }
        return nil
    }
}
