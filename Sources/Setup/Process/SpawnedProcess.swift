import CProcess
import Foundation

/// Starts a program in a session and a process group of its own.
///
/// Signals that this process blocks or ignores have their defaults there; it has no input, and no
/// file of this process but its log. Linux alone; source: posix_spawn(3).
package enum SpawnedProcess {
    /// The program could not be started; `code` is the system's.
    package struct NotStarted: Error, Equatable {
        package let program: String
        package let code: Int32
    }

    private typealias Words = [UnsafeMutablePointer<CChar>?]

    /// `POSIX_SPAWN_SETSID`, a GNU extension that Swift's import of the C library leaves out.
    private static let newSession: Int32 = 0x80

    /// - Parameters:
    ///   - arguments: The path of the program, and its arguments.
    ///   - environment: All of its environment.
    ///   - log: The file that its output goes to.
    ///   - appends: Whether the log keeps what it has.
    /// - Returns: The number of the process.
    /// - Throws: ``NotStarted``
    package static func start(
        _ arguments: [String],
        environment: [String: String],
        log: String,
        appends: Bool
    ) throws(NotStarted) -> Int32 {
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
        let logFlags = O_WRONLY | O_CREAT | (appends ? O_APPEND : O_TRUNC)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, log, logFlags, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        unsafe stoa_close_other_files(&actions)
        var words: Words = unsafe arguments.map { unsafe strdup($0) } + [nil]
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
        guard code == 0 else { throw NotStarted(program: arguments[0], code: code) }
        return process
    }
}
