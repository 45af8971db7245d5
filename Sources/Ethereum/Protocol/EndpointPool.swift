package import Market

/// Scores a chain's endpoints and orders them for requests.
///
/// Pure: the caller passes in the result and the time of each exchange. An endpoint must report the
/// right chain id before any other request, and again after each failure.
package struct EndpointPool: Sendable {
    private struct Entry {
        let name: EndpointName
        var score = EndpointPool.scoreMax
        var failures = 0
        /// When it last failed.
        var failedAt = Duration.zero
        var retryAt = Duration.zero
        var isVerified = false
        /// When it last answered more than its chain id.
        var answeredAt: Duration?
        /// How often it was mistrusted, the only one, without a long time in between; and when
        /// last.
        var mistrusts = 0
        var mistrustedAt = Duration.zero
        var lastError: EthereumError?
        /// When each kind of failure was last reported.
        var reportedAt: [EndpointFault: Duration] = [:]
        /// Whether the last report is of a failure that any answer ends.
        var isReportedAway = false
        var latency: Duration?
        var head: HeadReport?
        var proof = Proof.notAsked
    }

    private struct HeadReport {
        let number: UInt64
        let timestamp: UInt64
        let gasLimit: UInt64?
        /// Whether its timestamp is far ahead of the wall clock.
        let isFuture: Bool
    }

    /// The block that an endpoint has at the height of the other endpoints' heads.
    private enum Proof {
        case notAsked
        case refused
        /// The others were asked again after it, and none of them was nearly as high.
        case alone
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

    /// Returns the endpoints to use now, the best first; equal ones are in the configured order.
    ///
    /// If all are backing off, it returns the one whose back-off ends first, so that a chain with
    /// one endpoint recovers with the next request; but never one that serves another chain,
    /// contradicted itself, or asked for a pause.
    package func candidates(at uptime: Duration) -> [Int] {
        let ready = entries.indices.filter { entries[$0].retryAt <= uptime }
        guard ready.isEmpty else {
            return ready.sorted { (-score(of: $0), $0) < (-score(of: $1), $1) }
        }
        return entries.indices
            .filter { !mustWait($0) }
            .min { entries[$0].retryAt < entries[$1].retryAt }
            .map { [$0] } ?? []
    }

    /// Returns whether another endpoint has answered so recently that it does not count as away;
    /// one that answers wrongly is not waited for.
    package func isExpected(but index: Int, at uptime: Duration) -> Bool {
        entries.indices.contains { other in
            guard other != index, let answered = entries[other].answeredAt else { return false }
            switch entries[other].lastError {
            case .malformed, .contradiction, .wrongChain, .replacedChain: return false
            default: return uptime - answered < limits.mistrust
            }
        }
    }

    package func isVerified(_ index: Int) -> Bool { entries[index].isVerified }

    /// Records that the endpoint reported the right chain id.
    package mutating func verified(_ index: Int) { entries[index].isVerified = true }

    /// Records a successful exchange.
    ///
    /// An answer to a question that is older than the newest failure says nothing of that failure.
    /// A pause that an endpoint asked for, and mistrust, end only by time.
    ///
    /// - Parameters:
    ///   - index: The endpoint.
    ///   - begun: When the question was asked.
    ///   - latency: How long the answer took.
    /// - Returns: Whether to report it, because the endpoint was reported as failing.
    @discardableResult
    package mutating func succeeded(_ index: Int, begun: Duration, latency: Duration) -> Bool {
        entries[index].latency = entries[index].latency.map { $0 * 0.8 + latency * 0.2 } ?? latency
        let isOver = !mustWait(index) || begun >= entries[index].retryAt
        guard begun >= entries[index].failedAt, isOver else { return false }
        if entries[index].isVerified { entries[index].answeredAt = begun }
        entries[index].score = min(Self.scoreMax, entries[index].score + Self.scoreOfSuccess)
        entries[index].failures = 0
        entries[index].lastError = nil
        entries[index].retryAt = .zero
        // A success over HTTP does not end the fault of an endpoint that answers wrongly.
        defer { entries[index].isReportedAway = false }
        return entries[index].isReportedAway
    }

    /// Records a failed exchange.
    ///
    /// - Returns: Whether to report it: no failure of its kind was reported in a long time.
    @discardableResult
    package mutating func failed(
        _ index: Int,
        _ error: EthereumError,
        at uptime: Duration
    ) -> Bool {
        entries[index].score = max(0, entries[index].score - Self.scoreOfFailure)
        entries[index].lastError = error
        entries[index].failures += 1
        entries[index].failedAt = uptime
        entries[index].isVerified = false
        entries[index].retryAt = uptime + pause(after: error, of: index, at: uptime)
        let fault = EndpointFault(error)
        if let last = entries[index].reportedAt[fault], uptime - last < limits.faultReportedAgain {
            return false
        }
        entries[index].reportedAt[fault] = uptime
        entries[index].isReportedAway = fault.isOfTransport
        return true
    }

    /// Records the head that an endpoint reports.
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
            gasLimit: header.gasLimit,
            isFuture: header.timestamp > wallClockSeconds + limits.headFutureSecondsMax
        )
    }

    /// Returns the most gas of all transactions in a block, according to an endpoint's newest one;
    /// `nil` if it is not known.
    package func blockGas(of index: Int) -> UInt64? { entries[index].head?.gasLimit }

    /// Whether three endpoints answer, so that two of them decide which head is the present one.
    package var hasThree: Bool { entries.indices.count { isHeard($0) } > 2 }

    /// The endpoints whose heads are far above all others, each with the height at which it must
    /// show its block.
    package var toShow: [(index: Int, height: UInt64)] {
        entries.indices.compactMap { index in
            guard isHeard(index), let next = best(but: index), leads(index) else { return nil }
            return (index, next.number)
        }
    }

    /// Returns whether an endpoint's head is far above all others.
    package func leads(_ index: Int) -> Bool {
        guard let head = entries[index].head, let next = best(but: index) else { return false }
        return head.number > next.number + limits.lagBlocksMax
    }

    /// Records that no other endpoint has come near an endpoint's head, although they were asked
    /// after it.
    package mutating func foundAlone(_ index: Int) { entries[index].proof = .alone }

    /// Returns whether an endpoint's head is far above all others, and none of them confirms it.
    package func isAlone(_ index: Int) -> Bool {
        if case .alone = entries[index].proof { leads(index) } else { false }
    }

    /// Forgets what was found about heads that are not far above the others' any longer.
    package mutating func forgetLeads() {
        for index in entries.indices where !leads(index) { entries[index].proof = .notAsked }
    }

    /// Records an endpoint's block at the height that ``toShow`` named; `nil` if it returned none.
    package mutating func showed(_ header: BlockHeader?, by index: Int) {
        entries[index].proof =
            header.map { .block(number: $0.number, timestamp: $0.timestamp) } ?? .refused
    }

    /// A report for each endpoint, in the configured order.
    package var reports: [EndpointReport] {
        entries.indices.map { index in
            let entry = entries[index]
            return EndpointReport(
                name: entry.name,
                status: status(of: index),
                score: score(of: index),
                latency: entry.latency,
                head: entry.head?.number,
                fault: entry.lastError,
                retryAt: entry.retryAt
            )
        }
    }

    private func status(of index: Int) -> EndpointReport.Status {
        let entry = entries[index]
        switch entry.lastError {
        case .wrongChain(_, _, let found), .replacedChain(_, let found, _):
            return .wrongChain(found)
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

    /// Returns whether the heads of two others are higher by more than the allowed lag; while only
    /// two endpoints answer, whether that of the other one is, and is proven.
    private func isBehind(_ index: Int) -> Bool {
        let ahead = ahead(of: index)
        return hasThree ? ahead.count > 1 : ahead.contains { status(ofHeadOf: $0) == true }
    }

    /// Returns the other endpoints whose heads are higher by more than the allowed lag.
    private func ahead(of index: Int) -> [Int] {
        guard let own = entries[index].head?.number else { return [] }
        return entries.indices.filter { other in
            guard other != index, isHeard(other), let head = entries[other].head else {
                return false
            }
            return head.number > own + limits.lagBlocksMax
        }
    }

    /// Returns whether an endpoint has told its head, and has not failed since.
    private func isHeard(_ index: Int) -> Bool {
        entries[index].head != nil && entries[index].lastError == nil
    }

    /// Returns whether an endpoint will not have the newest blocks soon.
    ///
    /// A lead that only one endpoint claims proves nothing: if three answer, two others must be
    /// ahead. If two answer, the newest block of the one must be old.
    ///
    /// - Parameters:
    ///   - index: The endpoint, which is known to be below the newest applied block.
    ///   - wallClockSeconds: The wall clock's time, in seconds of Unix time.
    ///   - headAgeMax: How old the newest block of a chain may be; `nil` if its age means nothing.
    /// - Returns: `true` if it counts as away.
    package func isLeftBehind(
        _ index: Int,
        wallClockSeconds: UInt64,
        headAgeMax: Duration?
    ) -> Bool {
        guard !hasThree else { return ahead(of: index).count > 1 }
        guard let headAgeMax, let head = entries[index].head else { return true }
        let ageMax = UInt64(max(0, headAgeMax.components.seconds))
        return head.timestamp < wallClockSeconds - min(ageMax, wallClockSeconds)
    }

    private func isUnproven(_ index: Int) -> Bool { status(ofHeadOf: index) == false }

    /// Returns the highest head of the other endpoints.
    private func best(but index: Int) -> HeadReport? {
        entries.indices.filter { $0 != index }.compactMap { entries[$0].head }
            .max { $0.number < $1.number }
    }

    /// Returns whether an endpoint's head is plausible.
    ///
    /// Another head is about as high, or the endpoint's own blocks lead there at a pace that a
    /// chain can have. A head from the future is not plausible beside one of the present that is
    /// about as high.
    ///
    /// - Returns: `nil` as long as the endpoint was not asked to show its block.
    private func status(ofHeadOf index: Int) -> Bool? {
        guard let head = entries[index].head, let next = best(but: index) else { return true }
        guard head.number > next.number + limits.lagBlocksMax else {
            return !head.isFuture || next.isFuture
                || next.number > head.number + limits.lagBlocksMax
        }
        switch entries[index].proof {
        case .notAsked: return nil
        case .refused, .alone: return false
        case .block(let number, let timestamp):
            guard head.number > number else { return true }
            let seconds = head.timestamp > timestamp ? head.timestamp - timestamp : 0
            let blocks = limits.lagBlocksMax + seconds * limits.blocksPerSecondMax
            return head.number - number <= blocks && (!head.isFuture || next.isFuture)
        }
    }

    /// Returns why an endpoint may not even be asked to end a wait early; `nil` if it may.
    package func wait(of index: Int, at uptime: Duration) -> EthereumError? {
        mustWait(index) && entries[index].retryAt > uptime ? entries[index].lastError : nil
    }

    private func mustWait(_ index: Int) -> Bool {
        switch entries[index].lastError {
        case .wrongChain, .replacedChain, .contradiction: true
        case .busy(_, _, let retryAfter): retryAfter != nil
        default: false
        }
    }

    private mutating func pause(
        after error: EthereumError,
        of index: Int,
        at uptime: Duration
    ) -> Duration {
        switch error {
        case .wrongChain, .replacedChain, .contradiction: return mistrust(of: index, at: uptime)
        default: break
        }
        let doublings = min(entries[index].failures - 1, 16)
        let pause = min(limits.retryFirst * (1 << doublings), limits.retryLast)
        guard case .busy(_, _, .some(let wanted)) = error else { return pause }
        return max(pause, min(wanted, limits.retryAfterMax))
    }

    /// Returns how long an endpoint is not used that is of another chain or contradicted itself.
    ///
    /// Without the only endpoint nothing goes on, so one odd answer costs it less time than many.
    /// Answers that arrive while it is not asked are to questions of before, and count as one.
    private mutating func mistrust(of index: Int, at uptime: Duration) -> Duration {
        guard entries.count == 1 else { return limits.mistrust }
        let isAnew = uptime - entries[index].mistrustedAt > limits.mistrust * 2
        if isAnew || entries[index].mistrusts == 0 {
            entries[index].mistrusts = 1
        } else if uptime >= entries[index].retryAt {
            entries[index].mistrusts += 1
        }
        entries[index].mistrustedAt = uptime
        let doublings = min(entries[index].mistrusts - 1, 16)
        return min(limits.mistrustOfOnly * (1 << doublings), limits.mistrust)
    }
}

/// The kind of an endpoint's failure, independent of the request.
enum EndpointFault: Hashable, Sendable {
    case unreachable, silent, status(UInt), malformed, refused, wrongChain, contradiction, unusable

    /// Whether any answer over HTTP ends it.
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
            case .httpStatus(_, let status), .busy(_, let status, _): .status(status)
            case .oversized, .malformed: .malformed
            case .refused, .tooManyBlocks: .refused
            case .wrongChain, .replacedChain: .wrongChain
            case .contradiction: .contradiction
            case .noEndpoint, .noAgreement, .overPace: .unusable
            }
    }
}

/// The state of one endpoint, for people and alarms.
package struct EndpointReport: Equatable, Sendable {
    /// The status of an endpoint.
    package enum Status: Equatable, Sendable {
        /// Not used since the start or since its last failure.
        case untried
        case good
        /// Its head is below another endpoint's.
        case behind
        /// Its head is far above all others, and its own blocks do not plausibly lead there.
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
    /// The score, at most 100, reduced if the endpoint is behind or unproven; the best is used
    /// first.
    package let score: Int
    package let latency: Duration?
    package let head: UInt64?
    /// Why it cannot be used; `nil` since its last success.
    package let fault: EthereumError?
    /// When it is asked again, by the monotonic clock, if there is a fault.
    package let retryAt: Duration
}
