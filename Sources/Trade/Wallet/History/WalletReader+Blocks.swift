import Contracts
import Ethereum
import Keys
import Market

/// More transfers than are read at once: fewer blocks have to be asked for.
struct TooManyTransfers: Error {}

/// The effect of single blocks on an account's money.
extension WalletReader {
    /// The transactions of one block that are explained; the remainder is one change of the
    /// balance.
    private static let transactionsMax = 64
    /// The transfers of tokens that are read at once; those of one block are all read.
    private static let transfersMax = 1_000

    /// Returns the effect of a block on the native balance.
    ///
    /// - Returns: `nil` if an endpoint does not give the block, or two differ about it.
    func movements(
        of change: ChangedBlocks.Change,
        _ purposes: [Bytes32: String],
        _ sources: WalletSources
    ) async throws -> [Placed]? {
        guard let block = try await sources.answer(to: .transfers(in: change.block)) ?? nil,
            block.header.number == change.block
        else { return nil }
        let hashes = BlockMovements.relevant(block, for: account).prefix(Self.transactionsMax)
            .map(\.hash)
        guard let answers = try await sources.answers(to: hashes.map { RPCCall.receipt(of: $0) })
        else { return nil }
        let receipts = answers.compactMap { $0 }.filter { $0.block == block.header.id }
        let explained = BlockMovements(
            account: account,
            block: block,
            before: change.before,
            after: change.after,
            receipts: Dictionary(receipts.map { ($0.transaction, $0) }) { one, _ in one },
            purposes: purposes
        )
        return explained.movements.enumerated().map { (change.block, UInt64($0), $1) }
    }

    /// Reads the transfers of the market's tokens from the account and to it, as far as they move
    /// anything.
    ///
    /// Anyone can make a token report a transfer of nothing, between any accounts.
    ///
    /// - Returns: In the chain's order; `nil` if two endpoints differ.
    /// - Throws: ``TooManyTransfers``, ``EthereumError``.
    func transfers(
        in range: ClosedRange<UInt64>,
        _ sources: WalletSources
    ) async throws -> [ContractEvent]? {
        let tokens = deployment.currencies.compactMap { currency -> Address? in
            guard case .token(let token) = currency else { return nil }
            return token
        }
        guard !tokens.isEmpty else { return [] }
        func read(_ session: EndpointSession) async throws -> Set<ContractEvent> {
            let sent = try await session.perform(
                .tokenTransfers(of: tokens, from: account, in: range)
            )
            let received = try await session.perform(
                .tokenTransfers(of: tokens, to: account, in: range)
            )
            return Set(sent + received).filter {
                tokens.contains($0.address) && range.contains($0.block.number)
                    && movement(of: $0) != nil
            }
        }
        let found = try await read(sources.first)
        if let second = sources.second {
            guard try await read(second) == found else { return nil }
        }
        guard found.count <= Self.transfersMax || range.count == 1 else {
            throw TooManyTransfers()
        }
        return found.sorted(by: ContractEvent.isBefore)
    }

    /// Returns the movements of transfers, with the times of their blocks.
    ///
    /// - Returns: `nil` if an endpoint does not give a block, or two differ about it.
    func movements(
        of transfers: [ContractEvent],
        _ purposes: [Bytes32: String],
        _ sources: WalletSources
    ) async throws -> [Placed]? {
        let blocks = Set(transfers.map(\.block)).sorted { $0.number < $1.number }
        let calls = blocks.map { RPCCall.block(.number($0.number)) }
        guard let headers = try await sources.answers(to: calls), headers.map({ $0?.id }) == blocks
        else { return nil }
        let times = Dictionary(headers.compactMap { $0 }.map { ($0.id, $0.timestamp) }) { $1 }
        return transfers.compactMap { event in
            guard let seconds = times[event.block],
                var movement = movement(of: event, at: ChainTime(seconds: seconds))
            else { return nil }
            movement.purpose = purposes[event.transaction]
            // After those of the native currency, which are numbered from 0.
            return (event.block.number, 1 << 32 + event.index, movement)
        }
    }

    private func movement(
        of event: ContractEvent,
        at time: ChainTime = ChainTime(seconds: 0)
    ) -> MoneyMovement? {
        let log = ContractLog(address: event.address, topics: event.topics, data: event.data)
        guard case .transferred(let from, let to, let amount)? = try? TokenEvent(log),
            !amount.isZero, from == account || to == account, from != to
        else { return nil }
        let isIncoming = to == account
        return MoneyMovement(
            kind: isIncoming ? .received : .sent,
            isIncoming: isIncoming,
            currency: .token(event.address),
            amount: amount,
            other: isIncoming ? from : to,
            transaction: event.transaction,
            time: time
        )
    }
}
