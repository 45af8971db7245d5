import Answers
package import Client
import Concurrency
import Foundation
package import Keys
import Storage

/// The sales and operations of an account that are not finished.
package struct UnfinishedWork: Equatable, Sendable {
    package let sales: Int
    package let operations: Int

    package init(sales: Int, operations: Int) {
        (self.sales, self.operations) = (sales, operations)
    }
}

extension Accounts {
    /// How long after a removal the account's data is searched for again.
    ///
    /// Work that was under way with its key may have written some after the removal.
    private static let sweepTime: TimeInterval = 120

    /// Removes an account with its key, sessions, mail and all that the node keeps for it.
    ///
    /// Its published records stay, here and elsewhere, except for what `leaving` withdraws. So does
    /// the journal of its transactions, which follows sent transactions to their end; a transaction
    /// that was not signed never will be. Only the recovery phrase or the key brings the account
    /// back.
    ///
    /// - Parameters:
    ///   - name: The account's name or address.
    ///   - removal: The account's password, and whether open sales and operations may be lost.
    ///   - caller: Where the password comes from.
    ///   - open: Returns the unfinished work of an account.
    ///   - leaving: Called with the key of the removed account, if the node had it; the removal
    ///     counts even if this fails.
    /// - Throws: ``Refusal`` with `wrong_password`, `too_many_tries` or `account_busy`.
    package func remove(
        _ name: String,
        _ removal: AccountRemoval,
        by caller: CallerGroup,
        open: @Sendable (Address) throws -> UnfinishedWork,
        leaving: @Sendable (PrivateKey) async throws -> Void = { _ in }
    ) async throws {
        let password = Password(removal.password)
        let (entry, key) = try await unlock(name, password, by: caller)
        let found = try open(entry.address)
        guard removal.acceptsLosses == true || found.sales + found.operations == 0 else {
            throw Refusal(.accountBusy, Self.sentence(found), Sentence("refusal.finishFirst"))
        }
        close(entry.address)
        try await unattended.end(entry.address)
        let address = entry.address
        removed[address] = clock.now
        do {
            try await store.write { try $0.removeAccount(address) }
        } catch let error as StorageError where error.isLackOfRoom {
            // A large account needs much room at once to be removed, and little in parts.
            while try await store.write({ try $0.trimAccount(address) }) {}
            try await store.write { try $0.removeAccount(address) }
        }
        // Somebody may have signed in until the account was gone.
        close(address)
        signalChange()
        guard !entry.account.signsElsewhere else { return }
        await errors.item("profile of removed account \(address)") { try await leaving(key) }
    }

    /// A sentence for the work that is under way.
    private static func sentence(_ found: UnfinishedWork) -> Sentence {
        let (sales, operations) = ("\(found.sales)", "\(found.operations)")
        return switch (found.sales, found.operations) {
        case (_, 0): Sentence("refusal.salesUnderWay", ["count": sales])
        case (0, _): Sentence("refusal.operationsUnderWay", ["count": operations])
        default:
            Sentence("refusal.bothUnderWay", ["sales": sales, "operations": operations])
        }
    }

    /// Searches again for data of accounts that were removed a short time ago.
    func sweepRemoved() async {
        for (address, time) in removed {
            // The next sweep tries again.
            await errors.item("removed account \(address)") {
                try await store.write { transaction in
                    // The account may have been recovered since then.
                    guard try !transaction.contains(AccountEntries.self, address) else { return }
                    try transaction.removeAccount(address)
                }
            }
            if time.addingTimeInterval(Self.sweepTime) <= clock.now { removed[address] = nil }
        }
    }
}
