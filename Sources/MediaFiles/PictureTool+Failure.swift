import Foundation

extension PictureTool {
    /// The reason why a picture itself gives none; see ``MediaWorkFault`` for the node's own
    /// faults.
    enum Failure: Error, Equatable {
        /// The picture took more time or memory than it may.
        case tooCostly
        /// The decoder gave up; `report` is the end of its output, for the log.
        case undecodable(report: String)
    }

    /// Returns the reason why the tool ended without a picture.
    ///
    /// The picture is to blame only if it took too much, made the tool crash, or the tool says in
    /// words of its own that it cannot read it. Anything else is this node's fault: a tool that is
    /// killed, a program or library that is missing, a call of the system that failed, or an end
    /// without a word, as on a disk that is full.
    ///
    /// - Parameters:
    ///   - outcome: How the tool ended.
    ///   - report: Its output.
    ///   - hasRoom: Whether the disk has room now.
    /// - Returns: ``Failure`` if the picture is to blame, else ``MediaWorkFault``.
    static func reason(
        of outcome: LimitedProcess.Outcome,
        report: String,
        hasRoom: Bool
    ) -> any Error {
        let signal = outcome.signal
        if outcome == .timedOut || signal.map([SIGXCPU, SIGXFSZ].contains) == true
            || report.localizedCaseInsensitiveContains("out of memory")
        {
            return Failure.tooCostly
        }
        guard hasRoom else { return MediaWorkFault.diskFull }
        let isFromRunner = runners.contains { report.contains($0) }
        if !isFromRunner, diskWords.contains(where: report.contains) {
            return MediaWorkFault.diskFull
        }
        let crashes = [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS]
        if signal.map(crashes.contains) == true { return Failure.undecodable(report: report) }
        guard outcome == .exited(code: 1), !report.isEmpty, !isFromRunner,
            !systemWords.contains(where: report.contains)
        else { return MediaWorkFault.failed(reason: "\(outcome) \(report)") }
        return Failure.undecodable(report: report)
    }

    /// How messages of the programs around the decoder begin, and of one that lacks a format to
    /// write.
    private static let runners = ["bwrap: ", "prlimit: ", "env: ", "sh: ", "VipsForeignSave: "]
    private static let diskWords = words(of: [ENOSPC, EDQUOT])
    /// The words of libvips and the C library for a failed call; libvips names it after
    /// `unix error`.
    private static let systemWords =
        words(of: [ENOMEM, EAGAIN, EMFILE, ENFILE, EIO, EROFS, EACCES, EPERM]) + ["unix error"]

    private static func words(of codes: [Int32]) -> [String] {
        codes.map { unsafe String(cString: strerror($0)) }
    }
}

extension LimitedProcess.Outcome {
    /// The signal that ended the program, or something that it has started.
    ///
    /// A shell and a sandbox report a signal as 128 and its number.
    fileprivate var signal: Int32? {
        switch self {
        case .timedOut: nil
        case .killed(let signal): signal
        case .exited(let code): code > 128 ? code - 128 : nil
        }
    }
}
