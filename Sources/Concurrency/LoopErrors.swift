package import Logging
import Metrics
import Synchronization

/// The handling of errors in a loop: an error of one item is logged and counted, and the loop
/// continues with the next item.
///
/// No error of an item ends its loop. The log has an item's error at most once an hour, because the
/// item may be tried again in each round.
///
/// Source: Docs/architecture.md, "What a loop does with an error".
package final class LoopErrors: Sendable {
    /// Throws the error that a test injects for an item of a loop.
    @TaskLocal package static var fault: (@Sendable (_ loop: String) throws -> Void)?

    /// How long a loop waits before it begins again after an error that is not due to a single
    /// item.
    package static let pause = Duration.seconds(5)
    private static let toldMax = 256
    private static let toldInterval = Duration.seconds(3_600)

    private struct State {
        var count = 0
        /// When each error was last logged, as uptime.
        var told: [String: Duration] = [:]

        /// Records that an error is logged; returns whether it was not logged within the last hour.
        mutating func tell(_ error: String, at now: Duration) -> Bool {
            if let last = told[error], now < last + LoopErrors.toldInterval { return false }
            if told.count >= LoopErrors.toldMax { told.removeAll() }
            told[error] = now
            return true
        }
    }

    private let loop: String
    private let logger: Logger
    private let level: Logger.Level
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    /// - Parameters:
    ///   - loop: The loop, as the metric names it.
    ///   - logger: Gets the errors.
    ///   - level: The level of an error that was not logged within the last hour; loops that ask
    ///     other nodes, which often fail, use a lower one.
    ///   - clock: Measures the hour and the pause of ``restarting(_:)``.
    package init(
        _ loop: String,
        logger: Logger,
        level: Logger.Level = .warning,
        clock: any MonotonicClock = .system
    ) {
        (self.loop, self.logger, self.level, self.clock) = (loop, logger, level, clock)
    }

    /// The number of errors since the start.
    package var count: Int { state.withLock { $0.count } }

    /// Does something with one item; a cancellation does not count as an error.
    ///
    /// - Parameters:
    ///   - item: The item, for the log.
    ///   - body: The action.
    /// - Returns: Whether it was done.
    @discardableResult
    package func item(_ item: String, _ body: () async throws -> Void) async -> Bool {
        do {
            try Self.fault?(loop)
            try await body()
            return true
        } catch {
            note(error, of: item)
            return false
        }
    }

    /// Reads one item; `nil` if that fails.
    @discardableResult
    package func value<Value>(_ item: String, _ body: () throws -> Value) -> Value? {
        do {
            try Self.fault?(loop)
            return try body()
        } catch {
            note(error, of: item)
            return nil
        }
    }

    /// Runs a loop, and runs it again after a pause whenever it ends with an error.
    ///
    /// It is for loops whose state cannot be trusted after an error, and which read it again when
    /// they begin.
    ///
    /// - Throws: `CancellationError`
    package func restarting(_ loop: () async throws -> Void) async throws {
        while await !item("the loop as a whole", loop) {
            try Task.checkCancellation()
            try await clock.wait(Self.pause)
        }
    }

    /// Logs and counts an error of an item.
    package func note(_ error: any Error, of item: String) {
        if error is CancellationError { return }
        Counter(label: "stoa_loop_errors", dimensions: [("loop", loop)]).increment()
        let isNew = state.withLock { state in
            state.count += 1
            return state.tell("\(item) \(error)", at: clock.uptime)
        }
        logger.log(
            level: isNew ? level : .debug,
            "an item is passed over",
            metadata: ["loop": "\(loop)", "item": "\(item)", "error": "\(error)"]
        )
    }
}
