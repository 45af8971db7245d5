package import Ethereum
package import Keys
package import Market

/// All sales of a market, both as of the final blocks and as of the newest.
///
/// Pure: the caller passes blocks and events in the chain's order. Events of blocks that are not
/// final are kept aside, so that a reorganisation removes only those. Events that a second endpoint
/// has to confirm are kept aside too, if there is one. Events that it does not have are left out,
/// and all later events of their sale are kept aside until the endpoints agree.
package struct SaleBook: Sendable {
    /// An event that can still be rolled back.
    private struct Recent: Sendable {
        let height: UInt64
        let event: SaleLedger.Event

        var position: SourceStatus.LogPosition? {
            guard let event = event.saleEvent else { return nil }
            return SourceStatus.LogPosition(height: height, index: event.position.logIndex)
        }
    }

    /// Number of blocks, the event's own included, after which an event is final.
    package let confirmations: UInt64

    /// The state as of the final blocks, by which records are validated.
    package private(set) var settled: SaleLedger
    /// The state as of the newest applied block.
    package private(set) var newest: SaleLedger
    package private(set) var applied: BlockID?
    /// How far a second endpoint confirms the events.
    package private(set) var sources = SourceStatus.single
    private var recent: [Recent] = []
    /// The greatest height of an unsettled event that changes the possible moves, by sale.
    private var unsettled: [SaleID: UInt64] = [:]
    /// The sales with an unsettled event.
    private var unsettledSales: Set<SaleID> = []
    private var disputed: Set<SaleID> = []
    private var salesByParty: [Address: Set<SaleID>] = [:]
    private var salesByItem: [Amount: Set<SaleID>] = [:]
    private var itemsByMaker: [Address: [Bytes32: Set<Amount>]] = [:]
    /// The number of final sales in which an account acted.
    private var settledSales: [Address: Int] = [:]
    private var settledFaults: [SaleID: SaleFault] = [:]

    /// The accounts whose news are kept until ``takeNews()``.
    package var watched: Set<Address> = []
    var news: [SaleNews] = []

    /// Sales whose events contradict the contract's law.
    ///
    /// Some of the events are missing or forged, so no money must move in these sales.
    package private(set) var faults: [SaleID: SaleFault] = [:]

    /// Creates the book of a market without applied events.
    package init(_ ledger: SaleLedger, confirmations: UInt64) {
        precondition(confirmations > 0, "a block confirms itself")
        self.confirmations = confirmations
        settled = ledger
        newest = ledger
    }

    /// The height up to which blocks are final; `nil` if none is.
    ///
    /// Only blocks count that a second endpoint has, if there is one: one endpoint alone could make
    /// up any number of empty blocks above an event.
    package var finalHeight: UInt64? { depth(below: confirmedTop) }

    /// The newest applied block that as many endpoints as are needed have.
    private var confirmedTop: UInt64? {
        guard let applied, sources.state != .single else { return applied?.number }
        return sources.confirmed.map { min($0, applied.number) }
    }

    /// Returns the height that has all confirmations if `top` is the newest block.
    private func depth(below top: UInt64?) -> UInt64? {
        top.flatMap { $0 + 1 >= confirmations ? $0 + 1 - confirmations : nil }
    }

    /// Returns whether the events of a height are settled, as far as they will be in a moment.
    ///
    /// While no second endpoint answers, or endpoints disagree, no one waits for their
    /// confirmation.
    package func hasSettled(_ height: UInt64) -> Bool {
        guard let deep = depth(below: applied?.number), height <= deep else { return false }
        return sources.state != .confirming || finalHeight.map { height <= $0 } ?? false
            || !recent.contains { $0.height == height }
    }

    /// Returns the number of blocks from that height on, itself included, up to `confirmations`.
    ///
    /// While no second endpoint answers, the blocks of the one that does count.
    package func confirmations(ofHeight height: UInt64) -> UInt64 {
        let top = sources.state == .away ? applied?.number : confirmedTop
        guard let top, top >= height else { return 0 }
        return min(confirmations, top - height + 1)
    }

    /// Returns whether every event of a sale that changes the possible moves is final.
    package func isSettled(_ sale: SaleID) -> Bool {
        unsettled[sale] == nil && !disputed.contains(sale)
    }

    /// Returns whether every event of a sale is final.
    package func isSettledWholly(_ sale: SaleID) -> Bool {
        !unsettledSales.contains(sale) && !disputed.contains(sale)
    }

    /// Returns whether as many endpoints as are needed have all of a sale's events.
    package func isConfirmed(_ sale: SaleID) -> Bool {
        !disputed.contains(sale) && unsettled[sale].map { sources.confirms($0) } ?? true
    }

    /// Returns whether one endpoint has an event of a sale that another one does not have.
    package func isDisputed(_ sale: SaleID) -> Bool { disputed.contains(sale) }

    /// Updates the confirmations of a second endpoint.
    ///
    /// - Returns: The sales that can be relied on more, or less, than before.
    package mutating func confirm(_ sources: SourceStatus) -> Set<SaleID> {
        let differing = self.sources.disputed.symmetricDifference(sources.disputed)
        let missing = self.sources.missing.merging(sources.missing) { $1 }.keys
            .filter { self.sources.missing[$0] != sources.missing[$0] }
            .map { SaleID($0) }
            .filter { newest.sales[$0] != nil }
        self.sources = sources
        let events = recent.filter { $0.position.map(differing.contains) ?? false }.map(\.event)
        var audiences = audiences(of: events)
        if !events.isEmpty {
            foldAgain()
            audiences.merge(self.audiences(of: events)) { $0.union($1) }
        }
        let settled = settle()
        noteTakenBack(audiences)
        return settled.union(events.compactMap(\.sale)).union(missing)
    }

    /// Returns the sales that concern an account, including those in which it is no longer a party
    /// until it has collected the returned money.
    package func sales(of account: Address) -> [Sale] {
        // A reorganisation may have made another account the buyer.
        (salesByParty[account] ?? []).compactMap { newest.sales[$0] }
            .filter { $0.role(of: account) != .stranger || isOwed(account, by: $0) }
    }

    /// Returns whether an account has not collected all that a sale has credited to it.
    private func isOwed(_ account: Address, by sale: Sale) -> Bool {
        newest.money[sale.reference.contract.address]?.parts(of: account, in: sale.currency)
            .contains { $0.sale == sale.id } ?? false
    }

    /// Returns the sales of a token, in the order in which they were listed.
    package func sales(of item: Amount) -> [Sale] {
        // A reorganisation may have given the sale another token.
        (salesByItem[item] ?? []).compactMap { newest.sales[$0] }
            .filter { $0.state.item == item }
            .sorted { $0.listedAt < $1.listedAt }
    }

    /// The accounts that have made tokens which were sold.
    package var makers: [Address] { Array(itemsByMaker.keys) }

    /// Returns the tokens that were sold for an identifier, the oldest first.
    ///
    /// - Parameters:
    ///   - identifier: The identifier.
    ///   - contents: For each of the ``makers``, the content that the identifier has if it made it.
    ///   - limit: The maximum number of tokens.
    /// - Returns: The tokens.
    package func items(
        of identifier: ItemIdentifier,
        contents: [(maker: Address, hash: Bytes32)],
        limit: Int
    ) -> [Amount] {
        let items = contents.flatMap { itemsByMaker[$0.maker]?[$0.hash] ?? [] }
        return Array(
            items.sorted().lazy.filter { item in
                sales(of: item).contains { $0.sellsToken(of: identifier) }
            }.prefix(limit)
        )
    }

    /// Returns the number of final sales in which the account acted.
    package func settledSaleCount(of account: Address) -> Int { settledSales[account] ?? 0 }

    /// Applies events of blocks up to `block`.
    ///
    /// - Returns: The sales that they are about, and those that became final.
    package mutating func apply(
        _ events: [(height: UInt64, event: SaleLedger.Event)],
        upTo block: BlockID
    ) -> Set<SaleID> {
        var touched: Set<SaleID> = []
        for (height, event) in events {
            let entry = Recent(height: height, event: event)
            recent.append(entry)
            guard let sale = event.sale else {
                fold(event)
                continue
            }
            touched.insert(sale)
            guard !isDisputed(entry), fold(event), let content = event.saleEvent,
                let changed = newest.sales[sale]
            else { continue }
            note(content, of: changed, isFinal: false)
        }
        applied = block
        return touched.union(settle())
    }

    /// Rolls back all events above `block`.
    ///
    /// - Returns: The sales that they were about, or `nil` if final events would have to be rolled
    ///   back. The caller then rebuilds the book from the store.
    package mutating func rollBack(to block: BlockID?) -> Set<SaleID>? {
        let deep = depth(below: applied?.number)
        guard let block, deep.map({ block.number >= $0 }) ?? true else { return nil }
        let gone = recent.filter { $0.height > block.number }
        let audiences = audiences(of: gone.map(\.event))
        recent.removeAll { $0.height > block.number }
        applied = block
        foldAgain()
        noteUnsettled()
        noteTakenBack(audiences)
        return Set(gone.compactMap(\.event.sale))
    }

    /// Moves events that have become final to the settled state.
    ///
    /// A disputed event holds up all later events of its sale. Once the endpoints agree on it, the
    /// events are folded again in their order, so that none is dropped because an earlier one was
    /// left out.
    private mutating func settle() -> Set<SaleID> {
        defer { noteUnsettled() }
        guard let finalHeight else { return [] }
        var touched: Set<SaleID> = []
        var kept: [Recent] = []
        var waiting: Set<SaleID> = []
        for entry in recent {
            let isReady =
                entry.height <= finalHeight && sources.confirms(entry.height)
                && !isDisputed(entry) && !followsMissing(entry)
                && !(entry.event.sale.map(waiting.contains) ?? false)
            guard isReady else {
                kept.append(entry)
                if let id = entry.event.sale { waiting.insert(id) }
                continue
            }
            guard let id = entry.event.sale else {
                do { try settled.apply(entry.event) } catch {
                    // It uses a credit that is held up, or one of a sale with a fault.
                    if !waiting.isEmpty { kept.append(entry) }
                }
                continue
            }
            touched.insert(id)
            // Only the account that moves can become a party by an event.
            let mover = entry.event.saleEvent?.move?.account
            let wasParty = mover.map { settled.sales[id]?.isParty($0) ?? false } ?? true
            do {
                try settled.apply(entry.event)
                if let event = entry.event.saleEvent, let sale = settled.sales[id] {
                    note(event, of: sale, isFinal: true)
                }
            } catch {
                if !waiting.isEmpty, Self.lacksCredit(entry.event, error) {
                    kept.append(entry)
                    waiting.insert(id)
                } else {
                    settledFaults[id] = error
                }
            }
            if let mover, !wasParty, settled.sales[id]?.isParty(mover) == true {
                settledSales[mover, default: 0] += 1
            }
        }
        recent = kept
        return touched
    }

    /// Returns whether an event does not fit because it pays with a credit that is not seen; its
    /// own sale may be right.
    private static func lacksCredit(_ event: SaleLedger.Event, _ fault: SaleFault) -> Bool {
        guard let used = event.saleEvent?.usedCredit, !used.amount.isZero else { return false }
        return fault == .wrongCredit
    }

    private func isDisputed(_ entry: Recent) -> Bool {
        entry.position.map(sources.disputed.contains) ?? false
    }

    /// Returns whether an event that only another endpoint has may precede this one.
    private func followsMissing(_ entry: Recent) -> Bool {
        guard !sources.missing.isEmpty, let id = entry.event.sale,
            let height = sources.missing[id.hash]
        else { return false }
        return height <= entry.height
    }

    private mutating func noteUnsettled() {
        unsettled = [:]
        unsettledSales = Set(recent.compactMap(\.event.sale))
        disputed = Set(sources.missing.keys.map { SaleID($0) }.filter { newest.sales[$0] != nil })
        for entry in recent {
            guard let id = entry.event.sale else { continue }
            if isDisputed(entry) {
                disputed.insert(id)
            } else if entry.event.saleEvent?.changesMoves ?? true {
                unsettled[id] = entry.height
            }
        }
    }

    private mutating func foldAgain() {
        newest = settled
        faults = settledFaults
        for entry in recent where !isDisputed(entry) { fold(entry.event) }
    }

    /// Applies an event to the newest state.
    ///
    /// - Returns: Whether it fits.
    @discardableResult
    private mutating func fold(_ event: SaleLedger.Event) -> Bool {
        do {
            try newest.apply(event)
        } catch {
            // A withdrawal that does not fit affects no sale; for credits, the contract itself is
            // asked.
            let isHeldUp = !sources.disputed.isEmpty || !sources.missing.isEmpty
            if let sale = event.sale, !(isHeldUp && Self.lacksCredit(event, error)) {
                faults[sale] = error
            }
            return false
        }
        guard let id = event.sale, let sale = newest.sales[id] else { return true }
        // Whom else it concerns is decided when it is listed.
        let isNew = sale.position == sale.listedAt
        if isNew, let item = sale.state.item {
            salesByItem[item, default: []].insert(id)
            if let content = sale.state.contentHash, let maker = sale.state.maker {
                itemsByMaker[maker, default: [:]][content, default: []].insert(item)
            }
        }
        let accounts = isNew ? sale.concerned : [event.saleEvent?.move?.account].compactMap(\.self)
        for account in accounts where sale.role(of: account) != .stranger {
            salesByParty[account, default: []].insert(id)
        }
        return true
    }
}
