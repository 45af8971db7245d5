import Ethereum
import Keys
import Support

/// Runs a follower against a fake chain and keeps what it commits, as a service would.
struct FollowerTwin {
    var follower: ChainFollower
    var events: [ContractEvent] = []
    var checkpoint: FollowerCheckpoint?
    var rollBacks: [BlockID?] = []
    var mistrusted: [String] = []
    var ranges: [Int] = []
    var blocksPerAnswerMax = Int.max
    var tamper: ([ContractEvent]) -> [ContractEvent] = { $0 }
    /// What becomes of the logs that are asked for again.
    var tamperAgain: ([ContractEvent]) -> [ContractEvent] = { $0 }
    /// What becomes of the headers.
    var tamperHeader: (BlockHeader) -> BlockHeader = { $0 }
    var askedAgain: [Int] = []
    var leftOut: [UInt64] = []
    var suspects: [(blocks: [BlockID], isWaiting: Bool)] = []
    var onDirective: (ChainFollower.Directive, ChainFollower) -> Void = { _, _ in }
    private let limits: ChainLimits

    init(filter: LogFilter, limits: ChainLimits) {
        self.limits = limits
        follower = ChainFollower(filter: filter, limits: limits)
    }

    mutating func restart() {
        follower = ChainFollower(filter: follower.filter, checkpoint: checkpoint, limits: limits)
    }

    /// One pass; `between` may change the chain before each answer.
    mutating func pass(_ chain: inout FakeChain, between: (inout FakeChain) -> Void) {
        var directives = follower.handle(.head(chain.head))[...]
        while let directive = directives.popFirst() {
            onDirective(directive, follower)
            between(&chain)
            switch directive {
            case .fetchHeaders(let numbers):
                let headers = chain.headers(numbers).mapValues(tamperHeader)
                directives = follower.handle(.headers(headers))[...]
            case .fetchLogs(let range):
                ranges.append(range.count)
                let answer: ChainFollower.Event =
                    range.count > blocksPerAnswerMax
                    ? .tooMuch : .logs(tamper(chain.logs(in: range)))
                directives = follower.handle(answer)[...]
            case .apply(let range, let checkpoint):
                events += range.events.map(\.log)
                self.checkpoint = checkpoint
            case .rollBack(let block, let checkpoint):
                events.removeAll { event in block.map { event.block.number > $0.number } ?? true }
                rollBacks.append(block)
                self.checkpoint = checkpoint
            case .mistrust(let detail): mistrusted.append(detail)
            case .fetchLogsAgain(let blocks):
                askedAgain.append(blocks.count)
                let logs = chain.allEvents.filter { blocks.contains($0.block) }
                directives = follower.handle(.logsAgain(tamperAgain(logs)))[...]
            case .leftOut(let blocks): leftOut += blocks.map(\.number)
            case .suspect(let blocks, let isWaiting): suspects.append((blocks, isWaiting))
            }
        }
    }
}
