/// A source of elapsed time, which tests can replace.
package protocol MonotonicClock: Sendable {
    /// The time since a fixed moment in the past; never decreases.
    var uptime: Duration { get }

    /// Waits for some time.
    ///
    /// - Throws: `CancellationError`
    func wait(_ duration: Duration) async throws
}

/// The machine's monotonic clock, which all of the process shares.
package struct SystemMonotonicClock: MonotonicClock {
    private static let start = ContinuousClock.now

    package init() {}

    package var uptime: Duration { ContinuousClock.now - Self.start }

    package func wait(_ duration: Duration) async throws { try await Task.sleep(for: duration) }
}

extension MonotonicClock where Self == SystemMonotonicClock {
    /// The machine's monotonic clock.
    package static var system: Self { SystemMonotonicClock() }
}

/// A point in monotonic time by which something has to be done.
package struct Deadline: Sendable {
    private let clock: any MonotonicClock
    private let end: Duration

    /// The point `limit` from now.
    package init(after limit: Duration, on clock: any MonotonicClock) {
        (self.clock, end) = (clock, clock.uptime + limit)
    }

    /// The time that is left; negative when it has passed.
    package var rest: Duration { end - clock.uptime }

    package var hasPassed: Bool { rest <= .zero }
}
