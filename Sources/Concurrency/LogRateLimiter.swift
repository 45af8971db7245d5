import Synchronization

/// A rate limiter for lines of the log that others can cause: one an hour about each subject.
package final class LogRateLimiter: Sendable {
    /// The maximum number of subjects with lines of their own; others share one.
    ///
    /// A subject is forgotten once its hour is over, if others need its room.
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
    /// - Returns: The number of findings since the last line about the subject, to be logged; `nil`
    ///   if no line is due.
    package func note(_ subject: String, count: Int = 1) -> Int? {
        subjects.withLock { subjects in
            let now = clock.uptime
            let isDue = { (found: Subject) in
                found.lineAt.map { now - $0 >= Self.interval } ?? true
            }
            if subjects[subject] == nil, subjects.count >= Self.subjectsMax {
                subjects = subjects.filter { !isDue($0.value) }
            }
            let isOwn = subjects[subject] != nil || subjects.count < Self.subjectsMax
            let key = isOwn ? subject : ""
            var found = subjects[key] ?? Subject()
            found.count += count
            let due = isDue(found) ? found.count : nil
            if due != nil { (found.lineAt, found.count) = (now, 0) }
            subjects[key] = found
            return due
        }
    }
}
