import Ethereum
import Foundation
import Glibc

/// Lets a test end the process right after a step of a transaction is on disk.
///
/// Only debug builds read `STOA_STOP_AFTER`, which names the step.
enum StopAfter {
    static func step(_ step: JournalStep) {
        #if DEBUG
            if ProcessInfo.processInfo.environment["STOA_STOP_AFTER"] == "\(step)" {
                kill(getpid(), SIGKILL)
            }
        #endif
    }
}
