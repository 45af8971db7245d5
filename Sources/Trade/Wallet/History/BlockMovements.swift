import Ethereum
import Keys
import Market

/// Explains the effect of one block on an account's money.
///
/// Pure: the same block, receipts and balances give the same movements.
struct BlockMovements {
    let account: Address
    let block: BlockTransfers
    /// The account before and after the block.
    let before: NativeState
    let after: NativeState
    /// The receipts of the account's own transactions, and of those that pay it.
    let receipts: [Bytes32: Receipt]
    /// The purposes of the account's own transactions, if this node signed them.
    let purposes: [Bytes32: String]

    /// The transactions of a block that have to do with an account's native balance.
    static func relevant(
        _ block: BlockTransfers,
        for account: Address
    ) -> [BlockTransfers.Transfer] {
        block.transactions.filter {
            $0.from == account || ($0.to == account && !$0.value.isZero)
        }
    }

    /// The movements in the order of the block, and last the unexplained remainder.
    var movements: [MoneyMovement] {
        var found: [MoneyMovement] = []
        var (came, left) = (Amount.zero, Amount.zero)
        let own = Self.relevant(block, for: account)
        for transfer in own {
            guard let receipt = receipts[transfer.hash] else { continue }
            let isOwn = transfer.from == account
            guard isOwn || receipt.isSuccess else { continue }
            let value = receipt.isSuccess && transfer.to != account ? transfer.value : .zero
            if !isOwn {
                came = came.adding(transfer.value) ?? .max
                found.append(movement(.received, transfer.value, transfer, other: transfer.from))
                continue
            }
            let fee = receipt.fee ?? .max
            left = left.adding(value)?.adding(fee) ?? .max
            var paid = movement(value.isZero ? .fee : .sent, value, transfer, other: transfer.to)
            paid.purpose = purposes[transfer.hash]
            if value.isZero { paid.amount = fee } else { paid.fee = fee }
            found.append(paid)
        }
        return found + unexplained(came, left, own.filter { $0.from == account })
    }

    /// Returns the part of the balance's change that no transaction to or from the account
    /// explains.
    ///
    /// A contract that the account's only transaction called may have paid it.
    private func unexplained(
        _ came: Amount,
        _ left: Amount,
        _ own: [BlockTransfers.Transfer]
    ) -> [MoneyMovement] {
        let expected = before.balance.adding(came) ?? .max
        let total = after.balance.adding(left) ?? .max
        guard expected != total else { return [] }
        let difference = total.subtracting(expected) ?? expected.subtracting(total) ?? .zero
        let cause = own.count == 1 ? own.first : nil
        return [
            MoneyMovement(
                kind: .changed,
                isIncoming: total > expected,
                currency: .native,
                amount: difference,
                other: cause?.to,
                purpose: cause.flatMap { purposes[$0.hash] },
                transaction: cause?.hash,
                time: time
            )
        ]
    }

    private func movement(
        _ kind: MoneyMovement.Kind,
        _ amount: Amount,
        _ transfer: BlockTransfers.Transfer,
        other: Address?
    ) -> MoneyMovement {
        MoneyMovement(
            kind: kind,
            isIncoming: kind == .received,
            currency: .native,
            amount: amount,
            other: other,
            transaction: transfer.hash,
            time: time
        )
    }

    private var time: ChainTime { ChainTime(seconds: block.header.timestamp) }
}
