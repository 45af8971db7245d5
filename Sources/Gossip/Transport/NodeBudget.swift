package import GossipProtocol
import Market
import Metrics
import Synchronization

/// The memory that all links of the node hold for their peers, with its limits.
///
/// Each link has a ``LinkLedger``. A link's bytes are counted both there and here, and leave both
/// counts when the ledger closes, so no bytes of a closed link stay counted.
///
/// Source: Docs/protocol.md, section 7.4.
package final class NodeBudget: Sendable {
    /// Amounts that one link, or all links, hold.
    struct Holdings: Equatable {
        /// Bytes in streams that no reader has taken.
        var streamBytes = 0
        /// Bytes of messages that are being read, complete or not.
        var messageBytes = 0
        /// Bytes that tasks have written and that are not sent yet.
        var unsentBytes = 0
        /// Encrypted bytes that the socket has not accepted.
        var socketBytes = 0
        /// Bytes by which windows have grown.
        var grown = 0

        /// Bytes that wait for the peer to read them.
        var outgoing: Int { unsentBytes + socketBytes }

        /// Received bytes that no task has handled yet.
        var unread: Int { streamBytes + messageBytes }
    }

    /// A comparison of the budget with the sums over the links.
    package struct Audit: Equatable, Sendable {
        /// Received bytes that the budget counts as unread.
        package var unread: Int
        /// The sum of unread bytes over the open links.
        package var unreadOfLinks: Int
        /// Bytes to peers that the budget counts as unsent; below, the sum over the links.
        package var outgoing: Int
        package var outgoingOfLinks: Int
        package var grown: Int
        package var grownOfLinks: Int
        package var links: Int
        /// How often a link's own count was found to differ from its streams.
        package var faults: Int

        /// Whether the node's limit of unread bytes is reached.
        package var isExhausted: Bool

        package init(
            unread: Int = 0,
            unreadOfLinks: Int = 0,
            outgoing: Int = 0,
            outgoingOfLinks: Int = 0,
            grown: Int = 0,
            grownOfLinks: Int = 0,
            links: Int = 0,
            faults: Int = 0,
            isExhausted: Bool = false
        ) {
            (self.unread, self.unreadOfLinks) = (unread, unreadOfLinks)
            (self.outgoing, self.outgoingOfLinks) = (outgoing, outgoingOfLinks)
            (self.grown, self.grownOfLinks) = (grown, grownOfLinks)
            (self.links, self.faults, self.isExhausted) = (links, faults, isExhausted)
        }

        /// Whether every counted byte belongs to a link.
        package var isBalanced: Bool {
            unread == unreadOfLinks && outgoing == outgoingOfLinks && grown == grownOfLinks
                && faults == 0
        }
    }

    private struct State {
        var total = Holdings()
        var links: [UInt64: Holdings] = [:]
        var ledgersMade: UInt64 = 0
        var faults = 0
        var openings: AddressBuckets
        var fruitless: TokenBuckets<PeerID>
    }

    /// Addresses, and peers, whose rates are remembered.
    private static let openersMax = 4_096

    private static let faultCounter = Counter(label: "stoa_link_budget_faults")

    private let limits: LinkLimits
    private let state: Mutex<State>

    package init(limits: LinkLimits) {
        self.limits = limits
        let rate = AddressBuckets.Rate(
            burst: limits.openingsOfOneAddressMax,
            every: .seconds(1) / limits.openingsOfOneAddressPerSecond
        )
        let fruitless = TokenBuckets<PeerID>.Rate(
            burst: limits.fruitlessStreamsBurst,
            every: limits.fruitlessStreamInterval
        )
        state = Mutex(
            State(
                openings: AddressBuckets(rate, countMax: Self.openersMax),
                fruitless: TokenBuckets(fruitless, countMax: Self.openersMax)
            )
        )
    }

    package var audit: Audit {
        state.withLock { state in
            Audit(
                unread: state.total.unread,
                unreadOfLinks: state.links.values.reduce(0) { $0 + $1.unread },
                outgoing: state.total.outgoing,
                outgoingOfLinks: state.links.values.reduce(0) { $0 + $1.outgoing },
                grown: state.total.grown,
                grownOfLinks: state.links.values.reduce(0) { $0 + $1.grown },
                links: state.links.count,
                faults: state.faults,
                isExhausted: state.total.unread >= limits.unreadBytesMax
            )
        }
    }

    /// Counts a stream that a peer opens; `false` if its address, or the subnet, opened too many
    /// recently.
    ///
    /// All links of the address count together, and a subnet may open as many as four addresses.
    func takeOpening(from group: AddressGroup, at now: Moment) -> Bool {
        state.withLock { $0.openings.take(of: group, at: now) }
    }

    /// Counts a stream that ended without a protocol; `false` if its peer had too many recently.
    ///
    /// For the peer's address it counts as several openings.
    func takeFruitlessStream(of peer: PeerID, from group: AddressGroup?, at now: Moment) -> Bool {
        let openings = Double(limits.fruitlessStreamOpenings - 1)
        return state.withLock { state in
            if let group { state.openings.drain(openings, of: group, at: now) }
            return state.fruitless.take(of: peer, at: now)
        }
    }

    /// Opens the ledger of a new link.
    func openLedger() -> LinkLedger {
        let id = state.withLock { state in
            state.ledgersMade += 1
            state.links[state.ledgersMade] = Holdings()
            return state.ledgersMade
        }
        return LinkLedger(id: id, budget: self)
    }

    /// Counts a change of a link's bytes; `false` if its unread bytes exceed their limit.
    ///
    /// Any link may use the first quarter of the node's limit. The other three quarters are divided
    /// into equal shares, so that peers whose bytes nobody reads cannot use another link's share.
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

    /// Returns how far the windows of a link may grow now; the shares are those of unread bytes.
    ///
    /// While more than a quarter of the limit is unread, windows shrink again, so that the bytes a
    /// peer may send at once fit into its share.
    fileprivate func growth(of link: UInt64) -> WindowGrowth {
        state.withLock { state in
            guard state.total.unread <= limits.unreadBytesMax / 4 else { return .shrink }
            let own = limits.grownShareBytes - (state.links[link]?.grown ?? 0)
            let free = limits.grownBytesMax / 4 - state.total.grown
            let rest = limits.grownBytesMax - state.total.grown
            return .upTo(max(0, min(rest, max(own, free))))
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
            state.total.unsentBytes -= left.unsentBytes
            state.total.socketBytes -= left.socketBytes
            state.total.grown -= left.grown
        }
    }

    /// Records that a link's count differs from the bytes of its streams: a bug in this program.
    fileprivate func noteFault() {
        state.withLock { $0.faults += 1 }
        Self.faultCounter.increment()
    }

    fileprivate func holdings(of link: UInt64) -> Holdings {
        state.withLock { $0.links[link] ?? Holdings() }
    }
}

/// The bytes that one link holds for its peer; closing it releases them all.
final class LinkLedger: Sendable {
    private let id: UInt64
    private let budget: NodeBudget

    fileprivate init(id: UInt64, budget: NodeBudget) {
        (self.id, self.budget) = (id, budget)
    }

    deinit { close() }

    var holdings: NodeBudget.Holdings { budget.holdings(of: id) }

    /// How far the windows of this link may grow now, within the node's budget.
    var growth: WindowGrowth { budget.growth(of: id) }

    func grow(by change: Int) { budget.grow(by: change, of: id) }

    /// Opens an entry for the bytes of one owner.
    func makeEntry(_ owner: LedgerEntry.Owner) -> LedgerEntry {
        LedgerEntry(owner: owner, ledger: self)
    }

    /// Compares the counts with the link's own tables.
    func check(_ held: NodeBudget.Holdings) {
        let counted = holdings
        let isEqual =
            counted.streamBytes == held.streamBytes && counted.unsentBytes == held.unsentBytes
            && counted.grown == held.grown
        if !isEqual { budget.noteFault() }
    }

    /// Releases all bytes; later changes are not counted.
    func close() { budget.close(id) }

    fileprivate func hold(_ change: Int, _ owner: LedgerEntry.Owner) -> Bool {
        switch owner {
        case .stream: budget.hold(change, \.streamBytes, of: id)
        case .messages: budget.hold(change, \.messageBytes, of: id)
        case .unsent: budget.hold(change, \.unsentBytes, of: id)
        case .socket: budget.hold(change, \.socketBytes, of: id)
        }
    }
}

/// The bytes of one owner, such as a stream, within its link's ledger.
///
/// They are given back when the owner sets 0 or releases the entry.
final class LedgerEntry: ByteHolding {
    enum Owner {
        case stream
        case messages
        case unsent
        case socket
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
