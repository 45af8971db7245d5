/// A monotonic clock; tests have their own.
package protocol UptimeClock: Sendable {
    var uptime: Duration { get }
    func wait(_ duration: Duration) async throws
}

/// The system's monotonic clock.
package struct SystemUptime: UptimeClock {
    private let start = ContinuousClock.now

    package init() {}

    package var uptime: Duration { ContinuousClock.now - start }

    package func wait(_ duration: Duration) async throws { try await Task.sleep(for: duration) }
}
