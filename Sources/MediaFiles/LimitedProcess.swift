import CProcess
import Concurrency
import Foundation

/// Runs an untrusted program, within limits, until it ends or its time has passed.
///
/// It has no input, no files of this process, and the environment that it is given alone. Linux
/// alone; source: posix_spawn(3), prlimit(1), setrlimit(2).
struct LimitedProcess: Sendable {
    /// The resources that a program may use.
    struct Allowance: Sendable {
        /// The address space, in bytes.
        var addressBytes = 768 << 20
        /// Processor time, in seconds.
        var processorSeconds = 20
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

    /// The program could not be started; `code` is the system's.
    struct NotStarted: Error, Equatable {
        let program: String
        let code: Int32
    }

    private typealias Words = [UnsafeMutablePointer<CChar>?]

    /// `POSIX_SPAWN_SETSID`, a GNU extension that Swift's import of the C library leaves out.
    private static let newSession: Int32 = 0x80
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
    /// - Throws: ``NotStarted``; `CancellationError`.
    func run(
        _ arguments: [String],
        environment: [String: String],
        log: String
    ) async throws -> Outcome {
        let limits = [
            "/usr/bin/prlimit", "--as=\(allowance.addressBytes)",
            "--cpu=\(allowance.processorSeconds)", "--fsize=\(allowance.fileBytes)",
            "--nofile=\(allowance.openFiles)", "--core=0", "--",
        ]
        let process = try Self.start(limits + arguments, environment, log)
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

    private static func start(
        _ arguments: [String],
        _ environment: [String: String],
        _ log: String
    ) throws(NotStarted) -> pid_t {
        var attributes = posix_spawnattr_t()
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawnattr_init(&attributes)
        unsafe posix_spawn_file_actions_init(&actions)
        defer {
            unsafe posix_spawnattr_destroy(&attributes)
            unsafe posix_spawn_file_actions_destroy(&actions)
        }
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = newSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        let logFlags = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&actions, 1, log, logFlags, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        unsafe stoa_close_other_files(&actions)
        var words: Words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var settings: Words = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        var process = pid_t()
        let code = unsafe posix_spawn(
            &process,
            arguments[0],
            &actions,
            &attributes,
            &words,
            &settings
        )
        guard code == 0 else { throw NotStarted(program: arguments[0], code: code) }
        return process
    }
}
