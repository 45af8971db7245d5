package import AccountAccess
package import Ethereum
package import Keys

/// Signs with an account's key while a session holds it in memory.
package struct AccountSigner: TransactionSigner {
    package let address: Address
    private let accounts: Accounts

    package init(_ address: Address, of accounts: Accounts) {
        (self.address, self.accounts) = (address, accounts)
    }

    package func state(for call: Intent.Step) async throws -> SignerState {
        if await accounts.key(of: address) != nil { return .ready }
        return try await accounts.signsElsewhere(address) ? .elsewhere : .locked
    }

    package func sign(_ transaction: Transaction) async throws -> Signature {
        guard let key = await accounts.key(of: address) else { throw SignerError.locked }
        return key.sign(transaction.signingHash)
    }
}
