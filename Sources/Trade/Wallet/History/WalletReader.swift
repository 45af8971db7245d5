import Contracts
import Ethereum
import Keys
import Market

/// Reads from the chain what moved an account's money, a bounded number of blocks at a time.
///
/// If several endpoints are configured, two have to agree on everything that is stored, so that no
/// single endpoint can invent a payment or hide one.
struct WalletReader: Sendable {
    /// The blocks of one part, unless an endpoint answers fewer at once.
    static let blocksMax: UInt64 = 2_000
    /// The changed blocks that one part reads.
    private static let changesMax = 8

    let client: ChainClient
    let deployment: DeployedMarket
    let account: Address
    /// The blocks of one part at most.
    var blocksMax = Self.blocksMax
    /// The purposes of the account's own transactions.
    let purposes: @Sendable () async throws -> [Bytes32: String]

    /// A movement with its block and its position in the block.
    typealias Placed = (block: UInt64, index: UInt64, movement: MoneyMovement)

    /// The content of a part of the chain, and where it ends.
    struct Part: Sendable {
        var movements: [Placed] = []
        let place: WalletPlace
        /// The blocks that were asked for at once.
        let blocks: UInt64
    }

    /// Returns the position at a block, without looking at earlier ones.
    ///
    /// - Returns: `nil` if there is no such block, or if two endpoints differ.
    /// - Throws: ``EthereumError``.
    func start(at block: UInt64) async throws -> WalletPlace? {
        try await WalletSources.read(of: client) { sources in
            guard let header = try await header(at: block, sources) else { return nil }
            let calls = stateCalls(after: block)
            return try await sources.answers(to: calls).map { answers in
                WalletPlace(block: header.id, state: NativeState(answers))
            }
        }
    }

    /// Returns whether a position is still part of the chain; one of several endpoints alone cannot
    /// deny it.
    ///
    /// - Throws: ``EthereumError``.
    func holds(_ place: WalletPlace) async throws -> Bool {
        let call = RPCCall.block(.number(place.block.number))
        var rest = await client.reports.count > 1 ? 2 : 1
        for session in try await WalletSources.sessions(of: client) where rest > 0 {
            do {
                let header = try await session.perform(call)
                if let header, header.id != place.block { rest -= 1 }
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        return rest > 0
    }

    /// Reads the entries after a position.
    ///
    /// - Parameters:
    ///   - place: The end of the last part.
    ///   - final: The newest block that is final.
    /// - Returns: The next part; `nil` if there is none, or if two endpoints differ.
    /// - Throws: ``EthereumError``, and the journal's errors.
    func part(after place: WalletPlace, upTo final: UInt64) async throws -> Part? {
        var blocks = min(final - min(final, place.block.number), blocksMax)
        while blocks > 0 {
            do {
                return try await part(after: place, blocks: blocks)
            } catch let error where blocks > 1 && Self.isTooMuch(error) {
                blocks /= 2
            }
        }
        return nil
    }

    /// Whether fewer blocks may be answered.
    private static func isTooMuch(_ error: any Error) -> Bool {
        switch error {
        case EthereumError.tooManyBlocks, EthereumError.oversized, is TooManyTransfers: true
        default: false
        }
    }

    private func part(after place: WalletPlace, blocks: UInt64) async throws -> Part? {
        try await WalletSources.read(of: client) { sources in
            try await part(after: place, blocks: blocks, sources)
        }
    }

    private func part(
        after place: WalletPlace,
        blocks: UInt64,
        _ sources: WalletSources
    ) async throws -> Part? {
        let last = place.block.number + blocks
        guard let answers = try await sources.answers(to: stateCalls(after: last)),
            let transfers = try await transfers(in: place.block.number + 1...last, sources)
        else { return nil }
        let state = NativeState(answers)
        let found: (changes: [ChangedBlocks.Change], end: UInt64)?
        do {
            found = try await changes(after: place, upTo: (last, state), sources)
        } catch EthereumError.refused(_, let refusal) where refusal.isOfHistory {
            return try await unread(after: place, (last, state), blocks, transfers, sources)
        }
        guard let (changes, end) = found, let header = try await header(at: end, sources) else {
            return nil
        }
        let ended = end == last ? state : changes.last?.after ?? place.state
        var part = Part(place: WalletPlace(block: header.id, state: ended), blocks: blocks)
        let told = transfers.filter { $0.block.number <= end }
        let purposes = changes.isEmpty && told.isEmpty ? [:] : try await purposes()
        for change in changes {
            guard let movements = try await movements(of: change, purposes, sources) else {
                return nil
            }
            part.movements += movements
        }
        guard let tokens = try await movements(of: told, purposes, sources) else { return nil }
        part.movements += tokens
        return part
    }

    /// Finds the blocks in which the native balance changed, and how far all are found.
    ///
    /// - Returns: `nil` if the second endpoint has other states after them.
    private func changes(
        after place: WalletPlace,
        upTo end: (block: UInt64, state: NativeState),
        _ sources: WalletSources
    ) async throws -> (changes: [ChangedBlocks.Change], end: UInt64)? {
        var search = ChangedBlocks(
            after: (place.block.number, place.state),
            upTo: end,
            changesMax: Self.changesMax
        )
        while let wanted = search.wanted {
            search.take(NativeState(try await sources.first.perform(stateCalls(after: wanted))))
        }
        // Whatever an endpoint invents between two states is a change that has to be undone.
        let said = search.changes.flatMap { [$0.after.balance, $0.after.nonce].map(Quantity.init) }
        let calls = search.changes.flatMap { stateCalls(after: $0.block) }
        guard try await sources.areSaid(said, to: calls) else { return nil }
        return (search.changes, search.end(of: end.block))
    }

    /// Returns a part of which only the ends and the tokens' transfers are known.
    private func unread(
        after place: WalletPlace,
        _ end: (block: UInt64, state: NativeState),
        _ blocks: UInt64,
        _ transfers: [ContractEvent],
        _ sources: WalletSources
    ) async throws -> Part? {
        guard let header = try await header(at: end.block, sources),
            let tokens = try await movements(of: transfers, try await purposes(), sources)
        else { return nil }
        var part = Part(place: WalletPlace(block: header.id, state: end.state), blocks: blocks)
        let (old, new) = (place.state.balance, end.state.balance)
        if let difference = new.subtracting(old) ?? old.subtracting(new), !difference.isZero {
            let movement = MoneyMovement(
                kind: .changed,
                isIncoming: new > old,
                currency: .native,
                amount: difference,
                time: ChainTime(seconds: header.timestamp)
            )
            part.movements.append((end.block, 0, movement))
        }
        part.movements += tokens
        return part
    }

    private func header(at block: UInt64, _ sources: WalletSources) async throws -> BlockHeader? {
        guard let header = try await sources.answer(to: .block(.number(block))) ?? nil,
            header.number == block
        else { return nil }
        return header
    }

    private func stateCalls(after block: UInt64) -> [RPCCall<Quantity>] {
        [
            .balance(of: account, at: .number(block)),
            .transactionCount(of: account, at: .number(block)),
        ]
    }
}

extension NativeState {
    /// - Parameter answers: The balance and the number of transactions.
    fileprivate init(_ answers: [Quantity]) {
        self.init(balance: answers[0].amount, nonce: answers[1].amount)
    }
}
