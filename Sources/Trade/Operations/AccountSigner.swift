package import AccountAccess
import Client
import Contracts
package import Ethereum
package import Keys
import Market

/// Signs with an account's key while a session holds it in memory, and otherwise only the moves
/// that the account has left to the node.
package struct AccountSigner: TransactionSigner {
    package let address: Address
    private let accounts: Accounts
    private let saleIndex: SaleIndex

    /// - Parameters:
    ///   - address: The account.
    ///   - accounts: The keys.
    ///   - saleIndex: The sales of the chain to which the transactions go.
    package init(_ address: Address, of accounts: Accounts, on saleIndex: SaleIndex) {
        (self.address, self.accounts, self.saleIndex) = (address, accounts, saleIndex)
    }

    package func state(for call: Intent.Step) async throws -> SignerState {
        if await accounts.key(of: address) != nil { return .ready }
        if try await accounts.signsElsewhere(address) { return .elsewhere }
        let allowed = await accounts.allowedMoves[address] ?? []
        // The sales are searched only for an account that is left alone.
        guard !allowed.isEmpty, let move = saleIndex.unattendedMove(of: call, by: address) else {
            return .locked
        }
        return allowed.contains(move) ? .ready : .locked
    }

    package func sign(_ transaction: Transaction) async throws -> Signature {
        if let key = await accounts.key(of: address) { return key.sign(transaction.signingHash) }
        guard let key = try await accounts.unattended.key(of: address),
            let call = DueCall(transaction, by: address, in: saleIndex),
            let signature = key.sign(call)
        else { throw SignerError.locked }
        return signature
    }
}

/// A transaction that is the call of a due move, byte for byte as this node plans it.
private struct DueCall: UnattendedUse {
    let move: UnattendedMove
    let digest: Bytes32

    /// Compares a transaction with the account's due moves; `nil` if it is none of them.
    init?(_ transaction: Transaction, by account: Address, in saleIndex: SaleIndex) {
        guard transaction.chain == saleIndex.deployment.chain,
            let move = saleIndex.unattendedMove(of: transaction.call, by: account)
        else { return nil }
        (self.move, digest) = (move, transaction.signingHash)
    }
}

extension SaleIndex {
    /// Returns which move the account must have allowed for a call; `nil` if the call is not that
    /// of a due move of the account.
    fileprivate func unattendedMove(
        of call: Intent.Step,
        by account: Address
    ) -> UnattendedMove? {
        guard let time, call.value.isZero else { return nil }
        for sale in sales(of: account) where sale.reference.contract.address == call.to {
            let due = sale.state.dueMoves(for: account, at: time).first { due in
                let planned = try? service(for: sale).move(
                    Client.SaleMove(move: due.name, round: due.round),
                    in: sale,
                    by: account,
                    at: time,
                    requireAnswerable: {}
                )
                return planned.map { Intent.Step($0.call) } == call
            }
            if let due { return due.unattended }
        }
        return nil
    }
}
