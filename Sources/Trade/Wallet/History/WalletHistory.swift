package import AccountAccess
import Answers
package import Client
package import Concurrency
import Ethereum
import Foundation
package import Keys
package import Logging
import Market
import Setup
package import Storage

/// The movements of the money of this node's accounts: read from the chain block by block, kept in
/// the store.
///
/// It reads only final blocks, for accounts that are unlocked and for one whose history is asked
/// for. Movements before an account was first read are not known.
package actor WalletHistory {
    /// The final blocks after which an unlocked account is read again.
    ///
    /// Endpoints forget states of blocks after about 128 blocks.
    private static let blocksBetween: UInt64 = 32
    /// The parts that one question reads at most.
    private static let partsMax = 4
    /// How many blocks are read again if a final block is no longer part of the chain.
    private static let rewoundBlocks: UInt64 = 256

    private let chain: MarketChain
    private let store: Store
    private let accounts: Accounts
    private let journal: LMDBTransactionJournal
    private let blocks: Broadcast<Void>
    private let logger: Logger
    private let errors: LoopErrors
    private var underWay: Set<Address> = []
    /// The blocks that endpoints answered at once; more are tried after each part.
    private var blocksAtOnce = WalletReader.blocksMax

    package init(
        chain: MarketChain,
        store: Store,
        accounts: Accounts,
        blocks: Broadcast<Void>,
        logger: Logger
    ) {
        (self.chain, self.store, self.accounts) = (chain, store, accounts)
        journal = LMDBTransactionJournal(store: store)
        (self.blocks, self.logger) = (blocks, logger)
        errors = LoopErrors("history", logger: logger)
    }

    /// Reads for unlocked accounts until cancelled.
    package func run() async throws {
        for await _ in blocks.values() {
            guard chain.saleIndex.health == .following, let newest = newestFinal else { continue }
            for account in await accounts.unlocked {
                await errors.item("account \(account)") {
                    try await readIfDue(account, at: newest)
                }
            }
        }
    }

    private func readIfDue(_ account: Address, at newest: UInt64) async throws {
        let place = try place(of: account)
        let isDue = place.map { newest >= $0.block.number + Self.blocksBetween } ?? true
        guard isDue else { return }
        do {
            try await read(account, partsMax: 1)
        } catch let error as EthereumError {
            logger.debug("history waits", metadata: ["error": "\(error)"])
        }
    }

    /// Returns one page of an account's movements, the newest first.
    ///
    /// - Throws: ``Refusal`` with `malformed_value` for an `after` that no page gave, or with the
    ///   chain's health.
    package func page(
        of account: Address,
        after: String? = nil,
        limit: Int
    ) async throws -> Page<WalletMovement> {
        let place = try after.map { try Self.place(entered: $0) }
        var completeTo: UInt64?
        if place == nil {
            try chain.saleIndex.requireCurrent()
            let newest = newestFinal ?? 0
            try await chain.asking { try await read(account, partsMax: Self.partsMax) }
            let known = try self.place(of: account)?.block.number ?? 0
            completeTo = known < newest ? known : nil
        }
        let key = key(account)
        let found = try store.read { transaction in
            try transaction.wallet(of: key, after: place, limit: limit + 1)
        }
        let explorer = chain.saleIndex.explorer
        let sales = found.isEmpty ? [:] : sales(of: account)
        let items = try found.prefix(limit).map { entry in
            let movement = try MoneyMovement(storedBytes: entry.bytes)
            var shown = WalletMovement(movement, on: chain.chain, block: entry.block, explorer)
            if let sale = movement.transaction.flatMap({ sales[$0] }) {
                shown.sale = sale.id.description
                shown.title = try store.promise(of: sale)?.title
            }
            return shown
        }
        let last = found.prefix(limit).last
        var page = Page(
            items: items,
            next: found.count > limit ? last.map { "\($0.block)-\($0.index)" } : nil
        )
        page.completeTo = completeTo
        return page
    }

    /// Returns the account's sales by the transactions of their moves.
    private func sales(of account: Address) -> [Bytes32: Market.Sale] {
        var found: [Bytes32: Market.Sale] = [:]
        for sale in chain.saleIndex.sales(of: account) {
            for step in sale.history { found[step.transaction] = sale }
        }
        return found
    }

    /// Reads the new movements of an account; the same account is not read twice at a time.
    private func read(_ account: Address, partsMax: Int) async throws {
        guard let newest = newestFinal, underWay.insert(account).inserted else { return }
        defer { underWay.remove(account) }
        var reader = WalletReader(
            client: chain.client,
            deployment: chain.deployment,
            account: account,
            purposes: { [journal, chain = chain.chain] in
                try await journal.entries(account: account, chain: chain).purposes
            }
        )
        guard var place = try place(of: account) else {
            guard let start = try await reader.start(at: newest) else { return }
            return try await keep([], upTo: start, of: account)
        }
        if try await !reader.holds(place) {
            let block = place.block.number - min(place.block.number, Self.rewoundBlocks)
            guard let earlier = try await earlier(block, newest, reader) else { return }
            try await forget(after: block, of: account)
            place = earlier
        }
        for _ in 0..<partsMax {
            reader.blocksMax = blocksAtOnce
            guard let part = try await reader.part(after: place, upTo: newest) else { return }
            let isLess = part.blocks < min(newest - place.block.number, reader.blocksMax)
            blocksAtOnce = isLess ? part.blocks : min(2 * blocksAtOnce, WalletReader.blocksMax)
            try await keep(part.movements, upTo: part.place, of: account)
            place = part.place
        }
    }

    /// Returns the position at a block, or at the newest one if endpoints no longer have its state.
    private func earlier(
        _ block: UInt64,
        _ newest: UInt64,
        _ reader: WalletReader
    ) async throws -> WalletPlace? {
        do {
            return try await reader.start(at: block)
        } catch EthereumError.refused(_, let refusal) where refusal.isOfHistory {
            return try await reader.start(at: newest)
        }
    }

    /// The newest block that is final.
    private var newestFinal: UInt64? {
        chain.saleIndex.head.flatMap { head in
            let behind = max(1, chain.saleIndex.confirmations) - 1
            return head.header.number > behind ? head.header.number - behind : nil
        }
    }

    private func key(_ account: Address) -> CompositeKey<Address, UInt64> {
        CompositeKey(account, chain.chain.number)
    }

    private func place(of account: Address) throws -> WalletPlace? {
        let key = key(account)
        return try store.read { try $0.get(WalletPlaces.self, key) }
            .map { try WalletPlace(storedBytes: $0) }
    }

    private func keep(
        _ movements: [(block: UInt64, index: UInt64, movement: MoneyMovement)],
        upTo place: WalletPlace,
        of account: Address
    ) async throws {
        let entries = movements.map { entry in
            (block: entry.block, index: entry.index, bytes: entry.movement.storedBytes)
        }
        let key = key(account)
        try await store.write { transaction in
            // The account may have been removed since.
            guard try transaction.get(AccountEntries.self, account) != nil else { return }
            try transaction.putWallet(entries, upTo: place.storedBytes, of: key)
        }
    }

    private func forget(after block: UInt64, of account: Address) async throws {
        let key = key(account)
        try await store.write { transaction in
            let newer = try transaction.keys(WalletEntries.self, .prefix(key, .descending)) {
                $0.second.first > block
            }
            for entry in newer { try transaction.remove(WalletEntries.self, entry) }
        }
    }

    private static func place(
        entered text: String
    ) throws(Refusal) -> (block: UInt64, index: UInt64) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let block = UInt64(parts[0]), let index = UInt64(parts[1]),
            "\(block)-\(index)" == text
        else { throw .badPlace }
        return (block, index)
    }
}

extension [JournalEntry] {
    /// The purpose of each signed transaction; `cancel` for a cancellation.
    fileprivate var purposes: [Bytes32: String] {
        var intents: [IntentID: String] = [:]
        var found: [Bytes32: String] = [:]
        for entry in self {
            switch entry.event {
            case .intentRecorded(let intent): intents[intent.id] = intent.purpose
            case .signed(let attempt):
                found[attempt.hash] =
                    attempt.kind == .cancel ? "cancel" : intents[entry.slot.intent]
            default: continue
            }
        }
        return found
    }
}

extension WalletMovement {
    fileprivate init(
        _ movement: MoneyMovement,
        on chain: ChainID,
        block: UInt64,
        _ explorer: ExplorerLink?
    ) {
        let kind: Kind =
            switch movement.kind {
            case .sent: .sent
            case .received: .received
            case .fee: .fee
            case .changed: .changed
            }
        self.init(
            chain: chain.number,
            kind: kind,
            isIncoming: movement.isIncoming,
            money: Money(movement.amount, movement.currency),
            with: movement.other?.checksummed,
            purpose: movement.purpose,
            fee: movement.fee?.decimal,
            transaction: movement.transaction?.hex,
            link: movement.transaction.flatMap { explorer?.url(of: $0) },
            block: block,
            at: movement.time.date
        )
    }
}
