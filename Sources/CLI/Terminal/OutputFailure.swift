import Foundation
import Synchronization

/// Why standard output did not take what was to be shown.
struct OutputFailure: Equatable, Sendable {
    let reason: String
    /// Whether its reader has gone, such as `head`, which is no fault of the command.
    let isReaderGone: Bool

    private static let noted = Mutex<OutputFailure?>(nil)

    /// The first of this process; `nil` as long as all was written.
    static var first: OutputFailure? { noted.withLock { $0 } }

    /// Writing to a pipe without a reader fails from now on, instead of ending the process.
    static func begin() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// - Parameter code: The system's number of the error.
    static func note(_ code: Int32) {
        let failure = OutputFailure(
            reason: unsafe String(cString: strerror(code)),
            isReaderGone: code == EPIPE
        )
        noted.withLock { if $0 == nil { $0 = failure } }
    }

    /// How a command ends that did all it was asked, if not all of it could be shown.
    static var ending: Failure? {
        guard let first, !first.isReaderGone else { return nil }
        return Failure(.failed, "Not all could be shown: \(first.reason).")
    }
}
