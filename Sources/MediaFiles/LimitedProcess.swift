import Concurrency
import Foundation
import Setup

/// Runs an untrusted program, within limits, until it ends or its time has passed.
///
/// It has no input, no files of this process, and the environment that it is given alone. Linux
/// alone; source: prlimit(1), setrlimit(2).
struct LimitedProcess: Sendable {
    /// The resources that a program may use.
    struct Allowance: Sendable {
        /// The address space, in bytes.
        var addressBytes = 768 << 20
        /// Processor time, in seconds; the slowest pictures that programs write take five.
        var processorSeconds = 15
        /// The size of a file that it writes, in bytes.
        var fileBytes = 15 << 20
        var openFiles = 64
        /// From its start to its end, after which it is killed.
        var time = Duration.seconds(30)
    }

    /// How a program ended.
    enum Outcome: Equatable, Sendable {
        case exited(code: Int32)
        case killed(signal: Int32)
        case timedOut
    }

    /// How often it is looked whether the program has ended.
    private static let interval = Duration.milliseconds(5)

    let allowance: Allowance
    let clock: any MonotonicClock

    init(allowance: Allowance = Allowance(), clock: any MonotonicClock = .system) {
        (self.allowance, self.clock) = (allowance, clock)
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program, and its arguments.
    ///   - environment: All of its environment.
    ///   - log: The file for its report, up to the size of a file.
    /// - Returns: How it ended; it has ended in any case, even if this throws.
    /// - Throws: `SpawnedProcess.NotStarted`; `CancellationError`.
    func run(
        _ arguments: [String],
        environment: [String: String],
        log: String
    ) async throws -> Outcome {
        let limits = [
            "/usr/bin/prlimit", "--as=\(allowance.addressBytes)",
            // Beyond the first a signal of its own ends it; the second is for one that ignores
            // that.
            "--cpu=\(allowance.processorSeconds):\(allowance.processorSeconds + 1)",
            "--fsize=\(allowance.fileBytes)", "--nofile=\(allowance.openFiles)", "--core=0", "--",
        ]
        let process = try SpawnedProcess.start(
            limits + arguments,
            environment: environment,
            log: log,
            appends: false
        )
        var status: Int32 = 0
        var hasEnded = false
        defer {
            if !hasEnded {
                // The program leads its own process group, with all processes that it has started.
                kill(-process, SIGKILL)
                while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
            }
        }
        let end = clock.uptime + allowance.time
        while clock.uptime < end {
            if unsafe waitpid(process, &status, WNOHANG) == process {
                hasEnded = true
                // Processes that it started and left behind are ended too.
                kill(-process, SIGKILL)
                let signal = status & 0x7F
                return signal == 0 ? .exited(code: status >> 8 & 0xFF) : .killed(signal: signal)
            }
            try await clock.wait(Self.interval)
        }
        return .timedOut
    }
}
