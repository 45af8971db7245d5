import CProcess

/// How many files and connections the process can have open.
///
/// Shells often start programs with 1,024, which a few hundred peers, callers and tables of the
/// store nearly use up.
///
/// Source: getrlimit(2) "RLIMIT_NOFILE"; Docs/operations.md, section 7.
package enum FileAllowance {
    /// Enough; a program that this process starts may take long to close as many as are allowed.
    private static let most = 65_536

    /// Raises it as far as the system allows this user.
    ///
    /// - Returns: The present maximum; the least that systems give if it is unknown.
    @discardableResult
    package static func raise() -> Int {
        let allowed = stoa_raise_files(most)
        return allowed > 0 ? allowed : 256
    }
}
