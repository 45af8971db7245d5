package import Keys

/// Whether a node makes the moves that deadlines open.
package struct DeadlineSettings: Equatable, Sendable {
    private let executes: Bool
    private let except: Set<Address>

    /// - Parameters:
    ///   - executes: Whether moves are made at all.
    ///   - except: Accounts for which none is made.
    package init(executes: Bool, except: Set<Address> = []) {
        (self.executes, self.except) = (executes, except)
    }

    /// Returns whether moves are made for an account while it is unlocked.
    package func allow(_ account: Address) -> Bool { executes && !except.contains(account) }
}
