import Foundation

/// Starts programs that outlive this one, and finds and ends them again.
///
/// A program is found by its whole command line in the process table, which holds the cluster's
/// folder: neither a stale process number nor a crash between start and note can mislead. Linux
/// alone; source: proc(5), posix_spawn(3).
enum DetachedProcess {
    /// `POSIX_SPAWN_SETSID`, a GNU extension that Swift's import of the C library leaves out.
    private static let newSession: Int32 = 0x80
    /// Files of this process beyond that are opened so that a new program does not get them.
    private static let filesMax: Int32 = 256

    private typealias Words = [UnsafeMutablePointer<CChar>?]

    /// Starts a program in a session of its own.
    ///
    /// Signals that this process blocks or ignores are as new there, and no file but the log is
    /// open.
    ///
    /// - Parameters:
    ///   - arguments: Its path, and what it is told.
    ///   - log: The file to which its output is added.
    /// - Throws: ``ClusterError/notStarted(command:code:)``
    static func start(_ arguments: [String], log: String) throws(ClusterError) {
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
        let logFlags = O_WRONLY | O_CREAT | O_APPEND
        unsafe posix_spawn_file_actions_addopen(&actions, 1, log, logFlags, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        for file in 3..<filesMax { unsafe posix_spawn_file_actions_addclose(&actions, file) }
        var words: Words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        // Settings of this process's caller are not the cluster's.
        let environment = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("STOA_") || name == "STOA_STOP_AFTER"
        }
        var settings: Words = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        var process = pid_t()
        let code = unsafe posix_spawnp(
            &process,
            arguments[0],
            &actions,
            &attributes,
            &words,
            &settings
        )
        guard code == 0 else { throw .notStarted(command: arguments[0], code: code) }
        // The new command line is in the process table a moment later than the process.
        var end: Int32 = 0
        for _ in 0..<1_000 where !isRunning(process, arguments) {
            guard unsafe waitpid(process, &end, WNOHANG) == 0 else { return }
            usleep(1_000)
        }
    }

    /// The processes that were started with exactly these arguments and still run.
    static func find(_ arguments: [String]) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { isRunning($0, arguments) }
    }

    /// Whether a process runs these arguments; those of a script come behind its interpreter's.
    private static func isRunning(_ process: pid_t, _ arguments: [String]) -> Bool {
        let wanted = Data((arguments.joined(separator: "\0") + "\0").utf8)
        // A process may end while it is looked at; then it has no command line.
        let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
        return line == wanted || line.suffix(wanted.count + 1) == Data([0]) + wanted
    }

    /// Asks every such process to end, and makes it after a while.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    static func end(_ arguments: [String], patience: Duration) async throws -> Bool {
        let found = find(arguments)
        for process in found { kill(process, SIGTERM) }
        let deadline = ContinuousClock.now + patience
        while !find(arguments).isEmpty, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(50))
        }
        for process in find(arguments) { kill(process, SIGKILL) }
        while !find(arguments).isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        return !found.isEmpty
    }
}
