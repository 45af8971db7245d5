import CProcess

/// Keeps what a process has in memory, keys and passwords among it, from leaving it.
///
/// From then on no core file is written, and other processes of the same user can neither trace
/// this one nor read its memory; root still can.
///
/// Source: prctl(2) "PR_SET_DUMPABLE"; getrlimit(2) "RLIMIT_CORE"; Docs/operations.md, section
/// "Secrets".
package enum ProcessProtection {
    /// To be called before the process reads a secret.
    ///
    /// - Returns: Whether the system did both.
    @discardableResult
    package static func begin() -> Bool { stoa_protect_memory() == 0 }
}
