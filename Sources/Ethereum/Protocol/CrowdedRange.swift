/// Checks that blocks which had too many logs in one answer have them in shorter ones too.
///
/// Otherwise an endpoint could have each block asked for many times over, with a long answer each
/// time, and never be at fault.
///
/// Pure.
struct CrowdedRange: Sendable {
    private let logsMax: Int
    /// The last block of the shortest answer with too many logs.
    private var last: UInt64?
    /// The number of logs of that answer's blocks that were accepted since.
    private var logs = 0

    init(logsMax: Int) { self.logsMax = logsMax }

    /// Records an answer with too many logs; the first block is the next one to be accepted.
    mutating func found(in range: ClosedRange<UInt64>) {
        guard last.map({ range.upperBound < $0 }) ?? true else { return }
        (last, logs) = (range.upperBound, 0)
    }

    /// Records the logs of a shorter answer.
    ///
    /// - Returns: Whether all blocks of the long answer have been read, and have fewer logs than
    ///   it.
    mutating func isContradicted(by range: ClosedRange<UInt64>, logs count: Int) -> Bool {
        guard let last else { return false }
        logs += count
        guard range.upperBound >= last else { return false }
        self.last = nil
        return logs <= logsMax
    }
}
