package import Client
import Concurrency
import Foundation
package import Keys
import Storage

/// What of an account has not come to its end.
package struct UnfinishedWork: Equatable, Sendable {
    package let sales: Int
    package let operations: Int

    package init(sales: Int, operations: Int) {
        (self.sales, self.operations) = (sales, operations)
    }
}

extension Accounts {
    /// How long after a removal the account's data is looked for again: work that was under way
    /// with its key may have written some, though it was removed.
    private static let sweepTime: TimeInterval = 120

    /// Removes an account with its key, sessions, mail and all that the node keeps for it.
    ///
    /// What it has published stays, here and elsewhere; so does the journal of its transactions,
    /// which sees those that are sent to their end. Its recovery phrase is the only way back.
    ///
    /// - Parameters:
    ///   - name: Its name or address.
    ///   - removal: Its password, and whether open sales and operations may be lost.
    ///   - asker: Who gives the password.
    ///   - open: What of an account is open.
    /// - Throws: ``Refusal`` with `wrong_password`, `too_many_tries` or `account_busy`.
    package func remove(
        _ name: String,
        _ removal: AccountRemoval,
        by asker: Asker,
        open: @Sendable (Address) throws -> UnfinishedWork
    ) async throws {
        let password = Password(removal.password)
        let (entry, _) = try await unlock(name, password, by: asker)
        let found = try open(entry.address)
        guard removal.acceptsLosses == true || found.sales + found.operations == 0 else {
            throw Refusal(
                .accountBusy,
                "This account has \(found.sales) open sales and \(found.operations) operations "
                    + "under way. See them to their end first; or remove it all the same, and go "
                    + "on with them where you recover it from its phrase."
            )
        }
        close(entry.address)
        let address = entry.address
        removed[address] = clock.now
        try await store.write { try $0.forget(address) }
    }

    /// Looks again for data of accounts that were removed a short time ago.
    func sweepRemoved() async {
        for (address, time) in removed {
            // A store that fails says so to every caller; the next sweep tries again.
            try? await store.write { transaction in
                // Since then it may have been recovered.
                guard try !transaction.contains(AccountEntries.self, address) else { return }
                try transaction.forget(address)
            }
            if time.addingTimeInterval(Self.sweepTime) <= clock.now { removed[address] = nil }
        }
    }
}

extension WriteTransaction {
    fileprivate mutating func forget(_ address: Address) throws {
        try removeAccount(address)
        try remove(Settings.self, Chat.deviceSetting(of: address))
    }
}
