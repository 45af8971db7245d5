import CProcess

/// How many files and connections the process can have open.
///
/// Shells often start programs with 1,024, which a few hundred peers, callers and tables of the
/// store nearly use up.
///
/// Source: getrlimit(2) "RLIMIT_NOFILE"; Docs/operations.md, section 1.1.
package enum FileAllowance {
    /// Enough; a program that this process starts may take long to close as many as are allowed.
    private static let most = 65_536

    /// Enough for all links, callers and tables at once: the number that peers can open leaves some
    /// files free.
    package static let leastOfNode = 1_024
    /// Enough for a command: each processor has a loop with its own files.
    package static let leastOfCommand = 64

    /// Raises it as far as the system allows this user, and checks that it is enough.
    ///
    /// - Throws: ``FileAllowanceError``
    package static func require(_ least: Int) throws(FileAllowanceError) {
        let allowed = raise()
        guard allowed >= least else { throw FileAllowanceError(allowed: allowed) }
    }

    /// Raises it as far as the system allows this user.
    ///
    /// - Returns: The present maximum; the lowest that systems give if it is unknown.
    @discardableResult
    package static func raise() -> Int {
        let allowed = stoa_raise_files(most)
        return allowed > 0 ? allowed : 256
    }
}

/// The system lets this user open too few files for a node.
package struct FileAllowanceError: Error, Equatable, Sendable {
    let allowed: Int
}

extension FileAllowanceError: CustomStringConvertible, StartError {
    package var startFailure: StartFailure? { StartFailure(.configuration, description) }

    package var description: String {
        "This user can have \(allowed) files open, but a command needs "
            + "\(FileAllowance.leastOfCommand) and a node \(FileAllowance.leastOfNode). Raise the "
            + "limit with 'ulimit -n 1024', or in the service's system settings, and start again."
    }
}
