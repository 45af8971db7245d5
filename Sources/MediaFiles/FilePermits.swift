package import Answers
import Client
package import Keys
import Synchronization

/// Permits for incoming files; one account has only some of them.
///
/// So a client that sends slowly, or asks for much at once, keeps no other account from its permits.
package final class FilePermits: Sendable {
    private let permitsMax: Int
    private let accountPermitsMax: Int
    private let taken = Mutex<[Address: Int]>([:])

    package init(permitsMax: Int, accountPermitsMax: Int) {
        (self.permitsMax, self.accountPermitsMax) = (permitsMax, accountPermitsMax)
    }

    /// A permit that is given back with its last use.
    package final class Permit: Sendable {
        private let permits: FilePermits
        private let account: Address

        fileprivate init(_ permits: FilePermits, _ account: Address) {
            (self.permits, self.account) = (permits, account)
        }

        deinit { permits.giveBack(account) }
    }

    /// Takes a permit for an account.
    ///
    /// - Throws: ``Refusal`` with `too_many_tries` if all that it can have are taken.
    package func take(for account: Address) throws(Refusal) -> Permit {
        let isTaken = taken.withLock { taken in
            let own = taken[account, default: 0]
            guard own < accountPermitsMax, taken.values.reduce(0, +) < permitsMax else {
                return false
            }
            taken[account] = own + 1
            return true
        }
        guard isTaken else {
            throw Refusal(
                .tooManyTries,
                "Several files are being transferred. Transfer one at a time, and try this one "
                    + "again in a moment.",
                retryAfter: .seconds(2)
            )
        }
        return Permit(self, account)
    }

    private func giveBack(_ account: Address) {
        taken.withLock { taken in
            let own = taken[account, default: 1] - 1
            taken[account] = own == 0 ? nil : own
        }
    }
}
