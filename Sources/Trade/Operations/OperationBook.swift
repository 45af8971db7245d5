import Answers
import Client
import Ethereum
import Keys
import Market

/// The operations under way, and which of them keep another one from beginning.
///
/// Pure: its owner reads the journal and asks the senders. One actor owns it whole, because what
/// begins is checked against all that is open or being written down.
struct OperationBook: Sendable {
    /// How many operations of one account are under way at most.
    static let openMax = 64

    /// An operation from when it is asked for until it is durable.
    struct Start: Equatable, Sendable {
        let account: Address
        let key: Bytes32
        let steps: [Intent.Step]
        let chain: ChainID?
        /// See ``OperationRequest/content``.
        let content: Bytes32
        /// See ``OperationPlan/listedIdentifier``.
        let identifier: ItemIdentifier?
        /// See ``OperationPlan/listingSlots``.
        let slots: Set<Bytes32>

        init(_ request: OperationRequest, _ plan: OperationPlan, on chain: ChainID?) {
            (account, key, content) = (request.account, request.call.key, request.content)
            (steps, self.chain) = (plan.steps, chain)
            (identifier, slots) = (plan.listedIdentifier, plan.listingSlots)
        }
    }

    private(set) var open: [String: OpenOperation] = [:]
    /// The ids of those under way, the oldest first.
    private(set) var order: [String] = []
    /// The newest operation that asks for a content, see ``OperationRequest/content``.
    private var asked: [Bytes32: String] = [:]
    /// Those that are being written down for the first time.
    private var starts: [Start] = []

    subscript(id: String) -> OpenOperation? {
        get { open[id] }
        set { open[id] = newValue }
    }

    /// Adds an operation, after all others; one that is here already stays as it is.
    mutating func add(_ entry: OpenOperation) {
        let id = entry.operation.id
        guard open[id] == nil else { return }
        open[id] = entry
        order.append(id)
    }

    /// Removes an operation whose end is being written down; if that fails, it comes back.
    mutating func take(_ id: String) -> OpenOperation? { open.removeValue(forKey: id) }

    /// Removes an operation for good.
    mutating func forget(_ id: String) {
        open[id] = nil
        order.removeAll { $0 == id }
    }

    /// Notes which operation asks for a content.
    mutating func note(_ id: String, asking content: Bytes32) {
        asked = asked.filter { open[$0.value] != nil }
        asked[content] = id
    }

    mutating func begin(_ start: Start) { starts.append(start) }

    /// Removes an operation that is durable now, or was not begun after all.
    mutating func end(_ start: Start) {
        starts.firstIndex(of: start).map { _ = starts.remove(at: $0) }
    }
}

extension OperationBook {
    /// Returns what an account's operations on a chain can still take from its balance.
    ///
    /// `first` is the node's first chain, which operations mean that name none.
    func due(
        by account: Address,
        in currency: Currency,
        on chain: ChainID,
        first: ChainID?
    ) -> Amount {
        open.values.filter { $0.account == account && ($0.chain ?? first) == chain }
            .reduce(.zero) { $0.adding($1.due(in: currency)) ?? .max }
    }

    /// The intents of an account's operations.
    func intents(of account: Address) -> Set<IntentID> {
        Set(open.values.filter { $0.account == account }.map(\.intent))
    }

    /// Whether an operation makes a move in a sale.
    func isMoving(_ sale: SaleID) -> Bool {
        open.values.contains {
            $0.operation.kind == .move && $0.operation.subject == sale.description
        }
    }

    /// Whether an operation that lists a sale's item again by itself waits for its account to sign
    /// in, and nothing of it is signed.
    func waitsForUnlock(reopening sale: SaleID) -> Bool {
        open.values.contains {
            $0.plan.reopening == .automatic(sale) && $0.givesWay
                && $0.operation.state == .needsUnlock
        }
    }

    /// The operations that list a sale's item again by themselves.
    func reopenings(of sale: SaleID) -> [String: OpenOperation] {
        open.filter { $0.value.plan.reopening == .automatic(sale) }
    }

    /// The operations that list an item again by themselves, and give way to their owner's plan
    /// about the same item.
    func rivals(
        of plan: OperationPlan,
        about subject: String?,
        _ request: OperationRequest
    ) -> [String: OpenOperation] {
        open.filter { _, entry in
            guard entry.account == request.account,
                case .automatic(let sale)? = entry.plan.reopening
            else { return false }
            return request.kind == .move && subject == sale.description
                || !plan.listingSlots.isDisjoint(with: entry.plan.listingSlots)
        }
    }
}

/// The checks before an operation begins.
extension OperationBook {
    /// Refuses one more operation of an account that has too many.
    func requireRoom(for account: Address) throws(Refusal) {
        let count =
            open.values.count { $0.account == account } + starts.count { $0.account == account }
        guard count < Self.openMax else {
            throw Refusal(
                .inProgress,
                Sentence("refusal.manyOperations", ["count": "\(Self.openMax)"])
            )
        }
    }

    /// Returns the refusal of an action that is already under way; `nil` if it is not.
    ///
    /// The same transaction on another chain is something else; the same thing is not.
    func refusal(
        of plan: OperationPlan,
        _ request: OperationRequest,
        on chain: ChainID?,
        first: ChainID?
    ) -> Refusal? {
        let account = request.account
        // A new listing has a new id each time, so its steps differ on every call.
        let repeated = asked[request.content].flatMap { open[$0] }
        let same =
            repeated
            ?? open.values.first {
                $0.account == account && $0.chain ?? first == chain ?? first
                    && $0.plan.steps == plan.steps && !(request.isByOwner && $0.givesWay)
            }
        if let same {
            return Refusal(
                .inProgress,
                Sentence("refusal.underWay", ["operation": "\(same.operation.id)"])
            )
        }
        return plan.listedIdentifier.flatMap {
            listingRefusal(of: account, $0, in: plan.publications.first?.slot)
        }
    }

    /// Refuses the same action as one that another call is beginning just now.
    func requireNotStarting(_ start: Start) throws(Refusal) {
        let isStarting = starts.contains {
            $0.account == start.account && $0.key != start.key
                && ($0.chain == start.chain && $0.steps == start.steps
                    || $0.content == start.content
                    || start.identifier != nil && $0.identifier == start.identifier)
        }
        if isStarting { throw .beingStarted }
    }

    /// Refuses a change of listings that another call is beginning to change just now, if one of
    /// the two has transactions.
    func requireUnchanged(by start: Start) throws(Refusal) {
        let isStarting = starts.contains {
            $0.account == start.account && $0.key != start.key
                && !($0.steps.isEmpty && start.steps.isEmpty)
                && !start.slots.isDisjoint(with: $0.slots)
        }
        if isStarting { throw .beingStarted }
    }

    /// Refuses a change of listings that another operation publishes.
    ///
    /// The later one of the two records would undo what the earlier one says.
    ///
    /// - Parameters:
    ///   - listings: The listings, all of one author.
    ///   - onlyMoving: Whether operations without transactions do not count.
    /// - Throws: ``Refusal`` with `in_progress`.
    func requireUnchanged(_ listings: [ListingID], onlyMoving: Bool) throws(Refusal) {
        let other = open.values.first { entry in
            !(onlyMoving && entry.plan.steps.isEmpty) && !entry.givesWay
                && entry.plan.listingSlots.contains {
                    listings.contains(ListingID(author: entry.account, slot: $0))
                }
        }
        if let other { throw .beingChanged(by: other.operation.id) }
    }

    /// Returns the refusal of a second listing of one thing, on any chain, or of a second change of
    /// the price of the listing in `slot`; `nil` if none is under way.
    func listingRefusal(
        of account: Address,
        _ identifier: ItemIdentifier,
        in slot: Bytes32?
    ) -> Refusal? {
        let begun = open.values.first {
            $0.account == account && $0.plan.listedIdentifier == identifier && !$0.givesWay
        }
        guard let begun else { return nil }
        let operation = begun.operation.id
        if let slot, begun.plan.publications.contains(where: { $0.slot == slot }) {
            return .beingChanged(by: operation)
        }
        return Refusal(
            .inProgress,
            Sentence("refusal.beingListed", ["operation": operation]),
            field: "identifier"
        )
    }
}

extension Refusal {
    fileprivate static var beingStarted: Refusal {
        Refusal(.inProgress, Sentence("refusal.beingStarted"))
    }

    /// Refuses a second change of one listing.
    static func beingChanged(by operation: String) -> Refusal {
        Refusal(.inProgress, Sentence("refusal.beingChanged", ["operation": operation]))
    }
}
