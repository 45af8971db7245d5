import Contracts
import Keys
import Market

/// Reads from the chain what moved an account's money, a bounded number of blocks at a time.
///
/// The end of each part is confirmed by a second endpoint if there is one, so that no endpoint alone
/// can show money that never came.
struct WalletReader {
    /// The blocks of one part.
    private static let blocksMax: UInt64 = 2_000
    /// The changed blocks that one part reads.
    private static let changesMax = 8
    /// The transactions of one block that are explained; the rest is one change of the balance.
    private static let transactionsMax = 64
    /// The transfers of tokens that one part takes.
    private static let transfersMax = 1_000

    let client: ChainClient
    let deployment: DeployedMarket
    let account: Address
    /// What the account's own transactions were for.
    let purposes: @Sendable () async throws -> [Bytes32: String]

    /// What a part of the chain holds, and how far it goes.
    struct Part: Sendable {
        var movements: [(block: UInt64, index: UInt64, movement: MoneyMovement)] = []
        let place: WalletPlace
    }

    /// Returns the place at a block, without looking at what was before.
    ///
    /// - Throws: ``EthereumError``.
    func start(at block: UInt64) async throws -> WalletPlace? {
        let session = try await client.session()
        guard let header = try await session.perform(.block(.number(block))) else { return nil }
        let state = try await state(after: block, by: session)
        return WalletPlace(block: header.id, state: state)
    }

    /// Returns whether a place is still part of the chain.
    func holds(_ place: WalletPlace) async throws -> Bool {
        let header = try await client.perform(.block(.number(place.block.number)))
        return header.map { $0.id == place.block } ?? true
    }

    /// Reads what follows a place.
    ///
    /// - Parameters:
    ///   - place: Where the last part ended.
    ///   - final: The newest block that is final.
    /// - Returns: The next part; `nil` if there is none, or if two endpoints differ about its end.
    /// - Throws: ``EthereumError``, and the journal's errors.
    func part(after place: WalletPlace, upTo final: UInt64) async throws -> Part? {
        let last = min(final, place.block.number + Self.blocksMax)
        guard last > place.block.number else { return nil }
        let session = try await client.session()
        let state = try await state(after: last, by: session)
        if let second = try await client.second(to: session) {
            guard try await self.state(after: last, by: second) == state else { return nil }
        }
        let start = (block: place.block.number, state: place.state)
        var search = ChangedBlocks(
            after: start,
            upTo: (last, state),
            changesMax: Self.changesMax
        )
        do {
            while let wanted = search.wanted {
                search.take(try await self.state(after: wanted, by: session))
            }
        } catch EthereumError.refused(_, let refusal) where refusal.isOfOldState {
            return try await unread(after: place, upTo: last, state, by: session)
        }
        let end = search.end(of: last)
        guard let header = try await session.perform(.block(.number(end))) else { return nil }
        let ended = end == last ? state : search.changes.last?.after ?? place.state
        var part = Part(place: WalletPlace(block: header.id, state: ended))
        for change in search.changes {
            part.movements += try await movements(of: change, by: session)
        }
        part.movements += try await tokens(in: place.block.number + 1...end, by: session)
        return part
    }

    /// Returns a part of which only the ends are known.
    private func unread(
        after place: WalletPlace,
        upTo last: UInt64,
        _ state: NativeState,
        by session: EndpointSession
    ) async throws -> Part? {
        guard let header = try await session.perform(.block(.number(last))) else { return nil }
        var part = Part(place: WalletPlace(block: header.id, state: state))
        let (old, new) = (place.state.balance, state.balance)
        if let difference = new.subtracting(old) ?? old.subtracting(new), !difference.isZero {
            let movement = MoneyMovement(
                kind: .changed,
                isIncoming: new > old,
                currency: .native,
                amount: difference,
                time: ChainTime(seconds: header.timestamp)
            )
            part.movements.append((last, 0, movement))
        }
        part.movements += try await tokens(in: place.block.number + 1...last, by: session)
        return part
    }

    private func state(
        after block: UInt64,
        by session: EndpointSession
    ) async throws -> NativeState {
        let calls: [RPCCall<Quantity>] = [
            .balance(of: account, at: .number(block)),
            .transactionCount(of: account, at: .number(block)),
        ]
        let answers = try await session.perform(calls)
        return NativeState(balance: answers[0].amount, nonce: answers[1].amount)
    }

    private func movements(
        of change: ChangedBlocks.Change,
        by session: EndpointSession
    ) async throws -> [(block: UInt64, index: UInt64, movement: MoneyMovement)] {
        guard let block = try await session.perform(.transfers(in: change.block)) else { return [] }
        let hashes = BlockMovements.relevant(block, for: account).prefix(Self.transactionsMax)
            .map(\.hash)
        let answers = try await session.perform(hashes.map { RPCCall.receipt(of: $0) })
        let receipts = answers.compactMap { $0 }.filter { $0.block == block.header.id }
        let explained = BlockMovements(
            account: account,
            block: block,
            before: change.before,
            after: change.after,
            receipts: Dictionary(receipts.map { ($0.transaction, $0) }) { one, _ in one },
            purposes: try await purposes()
        )
        return explained.movements.enumerated().map { (change.block, UInt64($0), $1) }
    }

    /// Reads the transfers of the market's tokens from the account and to it.
    private func tokens(
        in range: ClosedRange<UInt64>,
        by session: EndpointSession
    ) async throws -> [(block: UInt64, index: UInt64, movement: MoneyMovement)] {
        let tokens = deployment.currencies.compactMap { currency -> Address? in
            guard case .token(let token) = currency else { return nil }
            return token
        }
        guard !tokens.isEmpty else { return [] }
        var events = try await session.perform(
            .tokenTransfers(of: tokens, from: account, in: range)
        )
        events += try await session.perform(.tokenTransfers(of: tokens, to: account, in: range))
        let asked = events.filter {
            tokens.contains($0.address) && range.contains($0.block.number)
        }
        var times: [UInt64: ChainTime] = [:]
        var found: [(block: UInt64, index: UInt64, movement: MoneyMovement)] = []
        for event in Set(asked).sorted(by: ContractEvent.isBefore).prefix(Self.transfersMax) {
            let number = event.block.number
            if times[number] == nil {
                let header = try await session.perform(.block(.number(number)))
                times[number] = ChainTime(seconds: header?.timestamp ?? 0)
            }
            guard let time = times[number], var movement = movement(of: event, at: time) else {
                continue
            }
            movement.purpose = try await purposes()[event.transaction]
            // Behind those of the native currency, which are numbered from 0.
            found.append((number, 1 << 32 + event.index, movement))
        }
        return found
    }

    private func movement(of event: ContractEvent, at time: ChainTime) -> MoneyMovement? {
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
