import Ethereum
import Keys
import Support
import Testing

struct ChainFollowerTests {
    private static let contract = Address([UInt8](repeating: 9, count: 20)) ?? .zero
    private static let filter = LogFilter(addresses: [contract], firstBlock: 1)

    private static var limits: ChainLimits {
        var limits = ChainLimits()
        limits.windowBlocksMax = 32
        limits.logRangeBlocksFirst = 8
        limits.logRangeBlocksMax = 64
        limits.ancestorBatchMax = 4
        return limits
    }

    @Test(arguments: 0..<32 as Range<UInt64>)
    func `applies exactly the chain's blocks, whatever happens during a pass`(seed: UInt64) {
        var random = Seeded(seed)
        var chain = FakeChain(contract: Self.contract)
        var limits = Self.limits
        // The chain changes between two answers far more often than a real one.
        limits.changedPassesMax = .max
        var twin = FollowerTwin(filter: Self.filter, limits: limits)
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                chain.mine(events: Int.random(in: 0...2, using: &random))
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                chain.drop(Int.random(in: 1...20, using: &random))
                for _ in 0..<22 { chain.mine(events: Int.random(in: 0...2, using: &random)) }
            }
            twin.pass(&chain) { chain in
                guard Int.random(in: 0..<12, using: &random) == 0 else { return }
                chain.drop(Int.random(in: 1...4, using: &random))
                for _ in 0..<5 { chain.mine(events: Int.random(in: 0...2, using: &random)) }
            }
            if Int.random(in: 0..<10, using: &random) == 0 { twin.restart() }
        }
        twin.pass(&chain) { _ in }
        twin.pass(&chain) { _ in }

        #expect(twin.follower.isCaughtUp)
        #expect(twin.events == chain.allEvents.filter { $0.block.number >= 1 })
        #expect(twin.mistrusted.isEmpty)
    }

    @Test func `a reorganisation deeper than the window reads everything again`() {
        var chain = FakeChain(contract: Self.contract)
        for _ in 0..<100 { chain.mine(events: 1) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.pass(&chain) { _ in }
        chain.drop(50)
        for _ in 0..<60 { chain.mine(events: 1) }
        var wasRescanning = false
        twin.onDirective = { directive, follower in
            if case .rollBack(nil, _) = directive { wasRescanning = follower.isRescanning }
        }
        twin.pass(&chain) { _ in }

        #expect(wasRescanning)
        #expect(!twin.follower.isRescanning)
        #expect(twin.events == chain.allEvents)
    }

    @Test func `a reorganisation rolls back only to the common ancestor`() {
        var chain = FakeChain(contract: Self.contract)
        for _ in 0..<40 { chain.mine(events: 1) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.pass(&chain) { _ in }
        chain.drop(10)
        let ancestor = chain.head.id
        for _ in 0..<11 { chain.mine(events: 1) }
        twin.pass(&chain) { _ in }

        #expect(twin.rollBacks == [ancestor])
        #expect(twin.follower.confirmations(of: ancestor) == 12)
        #expect(twin.follower.confirmations(of: chain.head.id) == 1)
    }

    @Test func `mistrusts an endpoint whose blocks differ in every answer`() {
        var chain = FakeChain(contract: Self.contract)
        for _ in 0..<40 { chain.mine(events: 1) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.pass(&chain) { _ in }
        chain.mine(events: 1)
        for pass in 1...5 {
            #expect(twin.mistrusted.isEmpty, "\(pass)")
            twin.pass(&chain) { chain in
                chain.drop(41)
                for _ in 0..<41 { chain.mine(events: 1) }
            }
        }
        #expect(twin.mistrusted.count == 1)
        #expect(twin.events.isEmpty)
        twin.pass(&chain) { _ in }
        #expect(twin.follower.isCaughtUp)
        #expect(twin.events == chain.allEvents)
    }

    /// - From endpoints: a block that is older than its parent → the endpoint is mistrusted, so that
    ///   none moves the chain's time back by blocks of its own
    @Test func `mistrusts a block that is older than the one below`() {
        var chain = FakeChain(contract: Self.contract)
        for _ in 0..<5 { chain.mine(events: 0) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.pass(&chain) { _ in }
        chain.mine(events: 0, later: -13)
        let isTakenUnseen = twin.follower.extend(with: chain.head) != nil
        #expect(!isTakenUnseen)
        twin.pass(&chain) { _ in }
        #expect(twin.mistrusted == ["a block that is older than the one below"])
        chain.drop(1)
        chain.mine(events: 0, later: -12)
        twin.pass(&chain) { _ in }
        #expect(twin.follower.isCaughtUp && twin.mistrusted.count == 1)
    }

    /// Each range is read whole on one fork, and the next one on the other.
    @Test func `searches once in a pass whose answers alternate between forks`() {
        var trunk = FakeChain(contract: Self.contract)
        for _ in 0..<40 { trunk.mine(events: 1) }
        var fork = trunk
        fork.mine(events: 0)
        fork.drop(1)
        for _ in 0..<29 {
            trunk.mine(events: 1)
            fork.mine(events: 1)
        }
        var limits = Self.limits
        limits.logRangeBlocksMax = 8
        var twin = FollowerTwin(filter: Self.filter, limits: limits)
        twin.pass(&fork) { _ in }
        let questions = Counted()
        let ranges = Counted()
        twin.onDirective = { directive, _ in
            if case .fetchHeaders(let numbers) = directive {
                _ = questions.next()
                if numbers.count == 1 { _ = ranges.next() }
            }
        }
        let forks = [trunk, fork]
        var chain = trunk
        twin.pass(&chain) { $0 = forks[ranges.count % 2] }
        #expect(questions.count < 20)
        #expect(ranges.count > 1)
        twin.pass(&fork) { _ in }
        #expect(twin.events == fork.allEvents)
    }

    @Test func `a replaced block has no confirmations`() {
        var chain = FakeChain(contract: Self.contract)
        for _ in 0..<10 { chain.mine(events: 0) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.pass(&chain) { _ in }
        let lost = chain.head.id
        chain.drop(1)
        chain.mine(events: 0)
        chain.mine(events: 0)
        twin.pass(&chain) { _ in }

        #expect(twin.follower.confirmations(of: lost) == nil)
    }

    @Test func `ignores an endpoint that is behind`() {
        var chain = FakeChain(contract: Self.contract)
        for _ in 0..<10 { chain.mine(events: 1) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.pass(&chain) { _ in }
        var old = chain
        old.drop(4)
        twin.pass(&old) { _ in }

        #expect(twin.follower.isBehind)
        #expect(twin.events == chain.allEvents)
        #expect(twin.rollBacks.isEmpty)
    }

    @Test func `a refused range shrinks and later grows again`() {
        var chain = FakeChain(contract: Self.contract)
        for _ in 0..<400 { chain.mine(events: 0) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.blocksPerAnswerMax = 3
        twin.pass(&chain) { _ in }
        #expect(twin.events == chain.allEvents)
        #expect(twin.ranges.allSatisfy { $0 <= 8 })
        #expect(twin.ranges.filter { $0 <= 3 }.count > 100)
    }

    @Test func `reads a new set of contracts from the first block`() {
        var chain = FakeChain(contract: Self.contract)
        for _ in 0..<10 { chain.mine(events: 1) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.pass(&chain) { _ in }
        let other = LogFilter(addresses: [Self.contract, .zero], firstBlock: 1)
        let follower = ChainFollower(filter: other, checkpoint: twin.checkpoint)

        #expect(twin.checkpoint != nil)
        #expect(follower.applied == nil)
    }

    @Test func `asks again for events that an answer omits, and keeps their order`() {
        var chain = FakeChain(contract: Self.contract)
        for count in [1, 2, 0, 1] { chain.mine(events: count) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.tamper = { logs in logs.filter { $0.block.number != 2 } }
        twin.pass(&chain) { _ in }

        #expect(twin.events == chain.allEvents)
        #expect(twin.leftOut == [2] && twin.suspects.isEmpty)
        #expect(twin.follower.isCaughtUp)
    }

    @Test func `a block whose expected logs are missing waits, then counts as empty`() {
        var chain = FakeChain(contract: Self.contract)
        for count in [1, 2, 0] { chain.mine(events: count) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.tamper = { logs in logs.filter { $0.block.number != 2 } }
        twin.tamperAgain = { _ in [] }
        for pass in 1...3 {
            #expect(twin.follower.applied == nil)
            twin.pass(&chain) { _ in }
            #expect(twin.suspects.map(\.isWaiting) == (1...pass).map { $0 < 3 })
        }
        #expect(twin.follower.isCaughtUp)
        #expect(twin.events == chain.allEvents.filter { $0.block.number != 2 })

        // What comes late is found out at each pass.
        twin.tamperAgain = { $0 }
        chain.mine(events: 1)
        twin.tamper = { _ in [] }
        twin.pass(&chain) { _ in }
        #expect(twin.follower.isCaughtUp && twin.leftOut == [4])
    }

    @Test func `a bloom filter that matches everything costs one question and no wait`() {
        var chain = FakeChain(contract: Self.contract)
        for _ in 0..<3 {
            chain.mine(events: 0)
            chain.setBloom(.full)
        }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.pass(&chain) { _ in }
        #expect(twin.follower.isCaughtUp)
        #expect(twin.askedAgain == [3] && twin.suspects.isEmpty)
    }

    @Test func `bloom filters that match falsely only delay the follower`() {
        var chain = FakeChain(contract: Self.contract)
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        for pass in 1...30 {
            chain.mine(events: 0)
            chain.setBloom(LogBloom(of: [Self.contract.bytes]))
            twin.pass(&chain) { _ in }
            if pass.isMultiple(of: 3) { #expect(twin.follower.isCaughtUp, "\(pass)") }
        }
        #expect(twin.events.isEmpty)
    }

    /// - From endpoints: filters that name a contract in another empty block at each poll → the blocks are
    ///   applied after three polls
    @Test func `filters that name ever other blocks only delay the follower`() {
        var chain = FakeChain(contract: Self.contract)
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        for pass in 1...30 as ClosedRange<UInt64> {
            chain.mine(events: 0)
            twin.tamperHeader = { header in
                BlockHeader(
                    id: header.id,
                    parent: header.parent,
                    timestamp: header.timestamp,
                    bloom: header.number == pass ? LogBloom(of: [Self.contract.bytes]) : nil
                )
            }
            twin.pass(&chain) { _ in }
            #expect(twin.follower.isCaughtUp == pass.isMultiple(of: 3), "\(pass)")
        }
    }

    /// - From endpoints: an event in a block whose hash proves that its contract has none → it is mistrusted,
    ///   nothing is applied
    @Test(arguments: [true, false])
    func `mistrusts an event that the filter of its block excludes`(isProven: Bool) {
        var chain = FakeChain(contract: Self.contract)
        for _ in 0..<3 { chain.mine(events: 1) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.tamperHeader = { header in
            var tampered = BlockHeader(
                id: header.id,
                parent: header.parent,
                timestamp: header.timestamp,
                bloom: header.number == 2 ? LogBloom(of: [[1]]) : header.bloom
            )
            tampered.isBloomProven = isProven
            return tampered
        }
        twin.pass(&chain) { _ in }
        #expect(
            twin.mistrusted
                == (isProven ? ["an event of a contract that has none in its block"] : [])
        )
        #expect(twin.events == (isProven ? [] : chain.allEvents))
    }

    @Test(arguments: Lie.allCases)
    func `does not apply an unrequested answer`(lie: Lie) {
        var chain = FakeChain(contract: Self.contract)
        for _ in 0..<6 { chain.mine(events: 1) }
        var twin = FollowerTwin(filter: Self.filter, limits: Self.limits)
        twin.tamper = { logs in lie.applied(to: logs) }
        twin.pass(&chain) { _ in }

        #expect(twin.events.isEmpty)
        #expect(twin.mistrusted.count == 1)
    }

    /// Ways in which logs can be wrong.
    enum Lie: CaseIterable {
        case stranger, outOfRange, twoBlocks, twoEvents

        func applied(to logs: [ContractEvent]) -> [ContractEvent] {
            guard let last = logs.last else { return logs }
            func changed(
                block: BlockID? = nil,
                address: Address? = nil,
                data: [UInt8]? = nil
            ) -> ContractEvent {
                ContractEvent(
                    block: block ?? last.block,
                    index: last.index,
                    transaction: last.transaction,
                    address: address ?? last.address,
                    topics: last.topics,
                    data: data ?? last.data
                )
            }
            let other = BlockID(number: last.block.number, hash: .zero)
            let above = BlockID(number: last.block.number + 1, hash: .zero)
            return switch self {
            case .stranger: logs + [changed(address: .zero)]
            case .outOfRange: logs + [changed(block: above)]
            case .twoBlocks: logs + [changed(block: other)]
            case .twoEvents: logs + [changed(data: [1, 2, 3])]
            }
        }
    }
}

/// Random numbers that are the same on every run.
private struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
