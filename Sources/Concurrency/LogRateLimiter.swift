import Synchronization

/// A rate limiter for lines of the log that others can cause: one an hour about each subject.
package final class LogRateLimiter: Sendable {
    /// The maximum number of subjects with lines of their own; others share one.
    private static let subjectsMax = 256
    private static let interval = Duration.seconds(3_600)

    private struct Subject {
        /// When the last line about it was due.
        var lineAt: Duration?
        /// How many findings were counted since.
        var count = 0
    }

    private let clock: any MonotonicClock
    private let subjects = Mutex<[String: Subject]>([:])

    package init(clock: any MonotonicClock = .system) { self.clock = clock }

    /// Counts findings about a subject.
    ///
    /// - Parameters:
    ///   - subject: The subject of the line, without text that others choose.
    ///   - count: The number of findings.
    /// - Returns: The number of findings since the last line about the subject, to be logged; `nil` if
    ///   no line is due.
    package func note(_ subject: String, count: Int = 1) -> Int? {
        subjects.withLock { subjects in
            let isOwn = subjects[subject] != nil || subjects.count < Self.subjectsMax
            let key = isOwn ? subject : ""
            var found = subjects[key] ?? Subject()
            found.count += count
            let now = clock.uptime
            let isDue = found.lineAt.map { now - $0 >= Self.interval } ?? true
            let due = isDue ? found.count : nil
            if isDue { (found.lineAt, found.count) = (now, 0) }
            subjects[key] = found
            return due
        }
    }
}
