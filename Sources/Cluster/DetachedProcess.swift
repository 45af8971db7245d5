import Concurrency
import Foundation
import Setup

/// Starts programs that outlive this one, and finds and ends them again.
///
/// A program is found by its command line, which holds the cluster's folder, among the user's
/// processes in the process table. So neither a stale process number nor a crash between start
/// and note can mislead. Linux alone; source: proc(5).
enum DetachedProcess {
    /// Starts a program in its own session.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program, and its arguments.
    ///   - log: The file that its output is appended to.
    /// - Throws: ``ClusterError/notStarted(command:code:)``
    static func start(_ arguments: [String], log: String) throws(ClusterError) {
        // The settings of this process's caller are not the cluster's. Swift's crash reporter would
        // keep a crashed node's ports.
        let environment = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("STOA_") || name == "STOA_STOP_AFTER"
        }.merging(["SWIFT_BACKTRACE": "enable=no"]) { given, _ in given }
        let process: pid_t
        do {
            process = try SpawnedProcess.start(
                arguments,
                environment: environment,
                log: log,
                appends: true
            )
        } catch {
            throw .notStarted(command: error.program, code: error.code)
        }
        // The new command line appears in the process table a moment after the process.
        var end: Int32 = 0
        for _ in 0..<1_000 where !Self.arguments(of: process).ends(with: arguments) {
            guard unsafe waitpid(process, &end, WNOHANG) == 0 else { return }
            usleep(1_000)
        }
    }

    /// A process of this user, which differs from a later process with the same number.
    struct Found: Hashable, Sendable {
        let number: pid_t
        /// When it was started, in ticks since the machine started.
        let startedAt: UInt64

        /// Whether it still runs.
        var isRunning: Bool { DetachedProcess.found(number) == self }

        /// Returns the program that it runs, if it differs from the one at `path`.
        ///
        /// The system hides the program of a process that protects its memory; the command line is
        /// trusted then.
        func program(otherThan path: String) -> String? {
            let link = "/proc/\(number)/exe"
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
            else { return nil }
            // A program that has been built again since is another file at the same path.
            let own = URL(filePath: path).resolvingSymlinksInPath().path
            return target == own || target == own + " (deleted)" ? nil : target
        }
    }

    /// Returns the processes of this user whose command lines end with these words.
    ///
    /// It is preceded by the program's name, and for a script by its interpreter.
    static func find(endingWith words: [String]) -> [Found] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }
            .filter { $0 != getpid() && arguments(of: $0).ends(with: words) }
            .compactMap(found)
    }

    /// Returns the command line of a process; empty if it has ended.
    private static func arguments(of process: pid_t) -> [String] {
        text("cmdline", of: process).split(separator: "\0", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    /// Returns a running process of this user; otherwise `nil`.
    fileprivate static func found(_ process: pid_t) -> Found? {
        let users = text("status", of: process).split(separator: "\n")
            .first { $0.hasPrefix("Uid:") }?.split(whereSeparator: \.isWhitespace).dropFirst()
        guard let users, users.prefix(2).allSatisfy({ $0 == "\(geteuid())" }) else { return nil }
        // The name of the program, in parentheses, can hold anything.
        let fields = text("stat", of: process).split(separator: ")").last?
            .split(separator: " ").map(String.init)
        guard let fields, fields.count > 19, fields[0] != "Z", let start = UInt64(fields[19])
        else { return nil }
        return Found(number: process, startedAt: start)
    }

    private static func text(_ file: String, of process: pid_t) -> String {
        // A process may end while it is read.
        let data = FileManager.default.contents(atPath: "/proc/\(process)/\(file)") ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    /// Asks processes to end, and kills them after `patience`.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    static func end(_ processes: [Found], patience: Duration) async throws -> Bool {
        for process in processes where process.isRunning { kill(process.number, SIGTERM) }
        let deadline = Deadline(after: patience, on: .system)
        while processes.contains(where: \.isRunning), !deadline.hasPassed {
            try await SystemMonotonicClock().wait(.milliseconds(50))
        }
        for process in processes where process.isRunning { kill(process.number, SIGKILL) }
        while processes.contains(where: \.isRunning) {
            try await SystemMonotonicClock().wait(.milliseconds(20))
        }
        return !processes.isEmpty
    }
}

extension [String] {
    fileprivate func ends(with words: [String]) -> Bool {
        count >= words.count && suffix(words.count).elementsEqual(words)
    }
}
