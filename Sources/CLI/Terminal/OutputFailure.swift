import Foundation
import Synchronization

/// A failed write to standard output.
struct OutputFailure: Equatable, Sendable {
    let reason: String
    /// Whether the reader of the pipe, such as `head`, has ended; this is not an error.
    let isReaderGone: Bool

    private static let noted = Mutex<OutputFailure?>(nil)

    /// The first failure of this process; `nil` if all writes succeeded.
    static var first: OutputFailure? { noted.withLock { $0 } }

    /// Ignores SIGPIPE: from now on a write to a pipe without a reader fails instead of ending the
    /// process.
    static func begin() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Records the failure, if it is the first.
    ///
    /// - Parameter code: The value of `errno`.
    static func note(_ code: Int32) {
        let failure = OutputFailure(
            reason: unsafe String(cString: strerror(code)),
            isReaderGone: code == EPIPE
        )
        noted.withLock { if $0 == nil { $0 = failure } }
    }

    /// The error of a command that succeeded but could not show all of its output.
    static var ending: Failure? {
        guard let first, !first.isReaderGone else { return nil }
        return Failure(.failed, "Not all output could be written: \(first.reason).")
    }
}
