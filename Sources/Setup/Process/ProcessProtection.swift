import CProcess

/// Keeps the memory of a process, with its keys and passwords, from leaving it.
///
/// After that no core file is written, and other processes of the same user can neither trace this
/// one nor read its memory; root still can.
///
/// Source: prctl(2) "PR_SET_DUMPABLE"; getrlimit(2) "RLIMIT_CORE"; Docs/operations.md, section
/// 3.5.
package enum ProcessProtection {
    /// Protects the process; to be called before it reads a secret.
    ///
    /// - Returns: Whether the system did both.
    @discardableResult
    package static func begin() -> Bool { stoa_protect_memory() == 0 }
}
