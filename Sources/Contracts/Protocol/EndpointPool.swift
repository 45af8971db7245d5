package import Market

/// Keeps the score of a chain's endpoints and says which to ask.
///
/// Pure: it is told how each exchange went and when. An endpoint has to say the right chain id
/// before anything else is asked of it, and again after each break.
package struct EndpointPool: Sendable {
    private struct Entry {
        let name: EndpointName
        var score = EndpointPool.scoreMax
        var failures = 0
        var retryAt = Duration.zero
        var isVerified = false
        var lastError: EthereumError?
        /// How it failed when that was last news; `nil` while it answers.
        var toldFault: EndpointFault?
        /// When it was last told.
        var toldAt = Duration.zero
        var latency: Duration?
        var head: HeadReport?
        var proof = Proof.notAsked
    }

    private struct HeadReport {
        let number: UInt64
        let timestamp: UInt64
        /// Its own time is well after the wall clock's.
        let isFuture: Bool
    }

    /// What an endpoint showed of its own chain at the height of the others.
    private enum Proof {
        case notAsked
        case refused
        case block(number: UInt64, timestamp: UInt64)
    }

    private static let scoreMax = 100
    private static let scoreOfSuccess = 10
    private static let scoreOfFailure = 40
    private static let scoreOfLag = 50

    private let limits: ChainLimits
    private var entries: [Entry]

    package init(names: [EndpointName], limits: ChainLimits = ChainLimits()) {
        precondition(!names.isEmpty && names.count <= limits.endpointsMax)
        self.limits = limits
        entries = names.map { Entry(name: $0) }
    }

    package var count: Int { entries.count }

    /// Endpoints to ask now, the best first; in the configured order where they are equal.
    ///
    /// Where all are waiting, the one that may be tried soonest is given, so that a chain with one
    /// endpoint recovers at its next question; but none that serves another chain or lied.
    package func candidates(at uptime: Duration) -> [Int] {
        let ready = entries.indices.filter { entries[$0].retryAt <= uptime }
        guard ready.isEmpty else {
            return ready.sorted { (-score(of: $0), $0) < (-score(of: $1), $1) }
        }
        return entries.indices
            .filter { !isMistrusted($0) }
            .min { entries[$0].retryAt < entries[$1].retryAt }
            .map { [$0] } ?? []
    }

    package func isVerified(_ index: Int) -> Bool { entries[index].isVerified }

    /// The endpoint said the right chain id.
    package mutating func verified(_ index: Int) { entries[index].isVerified = true }

    /// An exchange went well.
    ///
    /// - Returns: Whether that is news, because the one before failed.
    @discardableResult
    package mutating func succeeded(_ index: Int, latency: Duration) -> Bool {
        entries[index].score = min(Self.scoreMax, entries[index].score + Self.scoreOfSuccess)
        entries[index].failures = 0
        entries[index].lastError = nil
        entries[index].retryAt = .zero
        entries[index].latency = entries[index].latency.map { $0 * 0.8 + latency * 0.2 } ?? latency
        // What arrives over HTTP says nothing of an endpoint that answers, but wrongly.
        guard entries[index].toldFault?.isOfTransport == true else { return false }
        entries[index].toldFault = nil
        return true
    }

    /// An exchange failed.
    ///
    /// - Returns: Whether that is news: it did not fail before, or in another way, or long ago.
    @discardableResult
    package mutating func failed(
        _ index: Int,
        _ error: EthereumError,
        at uptime: Duration
    ) -> Bool {
        entries[index].score = max(0, entries[index].score - Self.scoreOfFailure)
        entries[index].lastError = error
        entries[index].failures += 1
        entries[index].isVerified = false
        entries[index].retryAt = uptime + pause(after: error, failures: entries[index].failures)
        let fault = EndpointFault(error)
        let isOld = uptime - entries[index].toldAt >= limits.faultToldAgain
        guard entries[index].toldFault != fault || isOld else { return false }
        (entries[index].toldFault, entries[index].toldAt) = (fault, uptime)
        return true
    }

    /// Takes the head that an endpoint says it has.
    package mutating func sawHead(
        _ header: BlockHeader,
        of index: Int,
        at uptime: Duration,
        wallClockSeconds: UInt64
    ) {
        if let seen = entries[index].head, seen.number == header.number { return }
        entries[index].head = HeadReport(
            number: header.number,
            timestamp: header.timestamp,
            isFuture: header.timestamp > wallClockSeconds + limits.headFutureSecondsMax
        )
    }

    /// Endpoints whose heads are far above all others', with the height at which each has to show
    /// its own chain.
    package var toShow: [(index: Int, height: UInt64)] {
        entries.indices.compactMap { index in
            guard let head = entries[index].head, let next = best(but: index),
                head.number > next.number + limits.lagBlocksMax
            else { return nil }
            return (index, next.number)
        }
    }

    /// An endpoint's own block at the height it was asked for; `nil` if it gave none.
    package mutating func showed(_ header: BlockHeader?, by index: Int) {
        entries[index].proof =
            header.map { .block(number: $0.number, timestamp: $0.timestamp) } ?? .refused
    }

    /// One report an endpoint, in the configured order.
    package var reports: [EndpointReport] {
        entries.indices.map { index in
            let entry = entries[index]
            return EndpointReport(
                name: entry.name,
                status: status(of: index),
                score: score(of: index),
                latency: entry.latency,
                head: entry.head?.number
            )
        }
    }

    private func status(of index: Int) -> EndpointReport.Status {
        let entry = entries[index]
        switch entry.lastError {
        case .wrongChain(_, _, let found): return .wrongChain(found)
        case .some(let error): return .failing(error)
        case nil: break
        }
        if !entry.isVerified { return .untried }
        if isUnproven(index) { return .unproven }
        return isBehind(index) ? .behind : .good
    }

    private func score(of index: Int) -> Int {
        entries[index].score - (isBehind(index) || isUnproven(index) ? Self.scoreOfLag : 0)
    }

    /// Another endpoint's head is above its own by more than the lag, and is borne out.
    private func isBehind(_ index: Int) -> Bool {
        guard let own = entries[index].head?.number else { return false }
        return entries.indices.contains { other in
            guard other != index, let head = entries[other].head,
                head.number > own + limits.lagBlocksMax
            else { return false }
            return status(ofHeadOf: other) == true
        }
    }

    private func isUnproven(_ index: Int) -> Bool { status(ofHeadOf: index) == false }

    /// The highest of the other endpoints' heads.
    private func best(but index: Int) -> HeadReport? {
        entries.indices.filter { $0 != index }.compactMap { entries[$0].head }
            .max { $0.number < $1.number }
    }

    /// Whether a head is more than one endpoint's word: several are about as high, or its own
    /// chain leads there at a pace that a chain can have.
    ///
    /// - Returns: `nil` as long as the endpoint was not asked to show it.
    private func status(ofHeadOf index: Int) -> Bool? {
        guard let head = entries[index].head, let next = best(but: index),
            head.number > next.number + limits.lagBlocksMax
        else { return true }
        switch entries[index].proof {
        case .notAsked: return nil
        case .refused: return false
        case .block(let number, let timestamp):
            guard head.number > number else { return true }
            let seconds = head.timestamp > timestamp ? head.timestamp - timestamp : 0
            let blocks = limits.lagBlocksMax + seconds * limits.blocksPerSecondMax
            return head.number - number <= blocks && (!head.isFuture || next.isFuture)
        }
    }

    private func isMistrusted(_ index: Int) -> Bool {
        switch entries[index].lastError {
        case .wrongChain, .contradiction: true
        default: false
        }
    }

    private func pause(after error: EthereumError, failures: Int) -> Duration {
        switch error {
        case .wrongChain, .contradiction: return limits.mistrust
        default: break
        }
        let doublings = min(failures - 1, 16)
        return min(limits.retryFirst * (1 << doublings), limits.retryLast)
    }
}

/// In which way an endpoint fails, whatever it was asked.
private enum EndpointFault: Equatable, Sendable {
    case unreachable, silent, status(UInt), malformed, refused, wrongChain, contradiction, unusable

    /// Whether an answer over HTTP ends it.
    var isOfTransport: Bool {
        switch self {
        case .unreachable, .silent, .status: true
        case .malformed, .refused, .wrongChain, .contradiction, .unusable: false
        }
    }

    init(_ error: EthereumError) {
        self =
            switch error {
            case .unreachable: .unreachable
            case .timedOut: .silent
            case .httpStatus(_, let status): .status(status)
            case .oversized, .malformed: .malformed
            case .refused: .refused
            case .wrongChain: .wrongChain
            case .contradiction: .contradiction
            case .noEndpoint: .unusable
            }
    }
}

/// How one endpoint does, for people and alarms.
package struct EndpointReport: Equatable, Sendable {
    /// What is thought of an endpoint.
    package enum Status: Equatable, Sendable {
        /// Not asked since the start or since it failed.
        case untried
        case good
        /// Its head is older than another endpoint's.
        case behind
        /// Its head is far above all others', and it cannot show how its chain led there.
        case unproven
        /// The last exchange failed.
        case failing(EthereumError)
        /// It serves another chain and is not used.
        case wrongChain(ChainID)

        var isUsable: Bool {
            switch self {
            case .good, .behind, .unproven: true
            case .untried, .failing, .wrongChain: false
            }
        }
    }

    package let name: EndpointName
    package let status: Status
    /// 0 to 100, less where it is behind; the best is asked first.
    package let score: Int
    package let latency: Duration?
    package let head: UInt64?
}
