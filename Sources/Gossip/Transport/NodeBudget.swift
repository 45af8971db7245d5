import Metrics
import Synchronization

/// What all links of the node together hold in memory for their peers, and its bounds.
///
/// Each link has a ``LinkLedger``. What a link holds is counted there and here at the same time,
/// and leaves both when the ledger closes, so that nothing can stay behind a link that is gone.
///
/// Source: Docs/protocol.md, section 7.4.
package final class NodeBudget: Sendable {
    /// What one link, or all, hold.
    struct Holdings: Equatable {
        /// Bytes that wait in streams for a reader.
        var streamBytes = 0
        /// Bytes of messages that are being read, whole or not.
        var messageBytes = 0
        /// What windows have grown by.
        var grown = 0

        /// Bytes that arrived and that no task has dealt with yet.
        var unread: Int { streamBytes + messageBytes }
    }

    /// The budget compared with what the links themselves hold.
    package struct Audit: Equatable, Sendable {
        /// Bytes that the budget counts as waiting.
        package var unread: Int
        /// The same, added up over the open links.
        package var unreadOfLinks: Int
        package var grown: Int
        package var grownOfLinks: Int
        package var links: Int
        /// How often a link's own count was found to differ from its streams.
        package var faults: Int

        /// Whether as many bytes wait as the node allows.
        package var isExhausted: Bool

        package init(
            unread: Int = 0,
            unreadOfLinks: Int = 0,
            grown: Int = 0,
            grownOfLinks: Int = 0,
            links: Int = 0,
            faults: Int = 0,
            isExhausted: Bool = false
        ) {
            (self.unread, self.unreadOfLinks) = (unread, unreadOfLinks)
            (self.grown, self.grownOfLinks) = (grown, grownOfLinks)
            (self.links, self.faults, self.isExhausted) = (links, faults, isExhausted)
        }

        /// Whether every byte that is counted belongs to a link.
        package var isBalanced: Bool {
            unread == unreadOfLinks && grown == grownOfLinks && faults == 0
        }
    }

    private struct State {
        var total = Holdings()
        var links: [UInt64: Holdings] = [:]
        var ledgersMade: UInt64 = 0
        var faults = 0
    }

    private static let faultCounter = Counter(label: "stoa_link_budget_faults")

    private let limits: LinkLimits
    private let state = Mutex(State())

    package init(limits: LinkLimits) {
        self.limits = limits
    }

    /// What windows may still grow by.
    var allowance: Int { max(0, limits.grownBytesMax - state.withLock { $0.total.grown }) }

    package var audit: Audit {
        state.withLock { state in
            Audit(
                unread: state.total.unread,
                unreadOfLinks: state.links.values.reduce(0) { $0 + $1.unread },
                grown: state.total.grown,
                grownOfLinks: state.links.values.reduce(0) { $0 + $1.grown },
                links: state.links.count,
                faults: state.faults,
                isExhausted: state.total.unread >= limits.unreadBytesMax
            )
        }
    }

    /// Begins to count for a new link.
    func openLedger() -> LinkLedger {
        let id = state.withLock { state in
            state.ledgersMade += 1
            state.links[state.ledgersMade] = Holdings()
            return state.ledgersMade
        }
        return LinkLedger(id: id, budget: self)
    }

    /// Counts a change of a link's waiting bytes; `false` if they are too many.
    ///
    /// A quarter of what there is may be taken by anybody. The other three are in equal shares, so
    /// that peers whose bytes nobody reads cannot take the others' place.
    fileprivate func hold(
        _ change: Int,
        _ kind: WritableKeyPath<Holdings, Int>,
        of link: UInt64
    ) -> Bool {
        state.withLock { state in
            guard var holdings = state.links[link] else { return false }
            holdings[keyPath: kind] += change
            state.links[link] = holdings
            state.total[keyPath: kind] += change
            let all = state.total.unread
            return all <= limits.unreadBytesMax / 4
                || (holdings.unread <= limits.unreadShareBytes && all <= limits.unreadBytesMax)
        }
    }

    fileprivate func grow(by change: Int, of link: UInt64) {
        state.withLock { state in
            guard state.links[link] != nil else { return }
            state.links[link]?.grown += change
            state.total.grown += change
        }
    }

    fileprivate func close(_ link: UInt64) {
        state.withLock { state in
            guard let left = state.links.removeValue(forKey: link) else { return }
            state.total.streamBytes -= left.streamBytes
            state.total.messageBytes -= left.messageBytes
            state.total.grown -= left.grown
        }
    }

    /// Notes that a link counts other bytes than its streams hold: a mistake of this program.
    fileprivate func noteFault() {
        state.withLock { $0.faults += 1 }
        Self.faultCounter.increment()
    }

    fileprivate func holdings(of link: UInt64) -> Holdings {
        state.withLock { $0.links[link] ?? Holdings() }
    }
}

/// What one link holds for its peer; its end gives everything back.
final class LinkLedger: Sendable {
    private let id: UInt64
    private let budget: NodeBudget

    fileprivate init(id: UInt64, budget: NodeBudget) {
        (self.id, self.budget) = (id, budget)
    }

    deinit { close() }

    var holdings: NodeBudget.Holdings { budget.holdings(of: id) }

    /// What the windows of this link may still grow by, for all the node has to give.
    var allowance: Int { budget.allowance }

    func grow(by change: Int) { budget.grow(by: change, of: id) }

    /// Begins to count the bytes that wait in a stream, or of messages that are read from one.
    func makeEntry(_ owner: LedgerEntry.Owner) -> LedgerEntry {
        LedgerEntry(owner: owner, ledger: self)
    }

    /// Compares what is counted with what the link's own tables say.
    func check(streamBytes: Int, grown: Int) {
        let counted = holdings
        if counted.streamBytes != streamBytes || counted.grown != grown { budget.noteFault() }
    }

    /// Gives everything back; what is counted later belongs to nobody and is not counted.
    func close() { budget.close(id) }

    fileprivate func hold(_ change: Int, _ owner: LedgerEntry.Owner) -> Bool {
        switch owner {
        case .stream: budget.hold(change, \.streamBytes, of: id)
        case .messages: budget.hold(change, \.messageBytes, of: id)
        }
    }
}

/// The bytes of one owner, such as a stream, within its link's ledger.
///
/// They are given back when the owner says so, or lets go of the entry.
final class LedgerEntry: ByteHolding {
    enum Owner {
        case stream
        case messages
    }

    private let owner: Owner
    private let ledger: LinkLedger
    private let byteCount = Mutex(0)

    fileprivate init(owner: Owner, ledger: LinkLedger) {
        (self.owner, self.ledger) = (owner, ledger)
    }

    deinit { set(0) }

    @discardableResult
    func set(_ count: Int) -> Bool {
        byteCount.withLock { byteCount in
            guard count != byteCount else { return true }
            defer { byteCount = count }
            return ledger.hold(count - byteCount, owner)
        }
    }
}
