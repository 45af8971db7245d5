package import AccountAccess
import Answers
package import Client
package import Concurrency
import Ethereum
import Foundation
package import Keys
import Market
import Setup
package import Storage

/// The operations of this node's accounts, durable at every step, so that they continue after a
/// restart.
package struct OperationLog: Sendable {
    /// An operation with the data that it needs to run.
    package struct Entry: Sendable {
        package let account: Address
        package var operation: Client.Operation
        package let plan: OperationPlan

        package init(account: Address, operation: Client.Operation, plan: OperationPlan) {
            (self.account, self.operation, self.plan) = (account, operation, plan)
        }
    }

    private let store: Store
    private let events: AccountEventLog
    private let clock: any WallClock

    package init(store: Store, events: AccountEventLog, clock: any WallClock = .system) {
        self.store = store
        self.events = events
        self.clock = clock
    }

    /// The clock of operations.
    var now: Date { clock.now }

    /// Begins an operation, or finds the one that the same call began earlier.
    ///
    /// - Parameters:
    ///   - request: The caller and the request.
    ///   - subject: Its subject.
    ///   - plan: How it is carried out.
    ///   - fees: Its maximum fees; `nil` if it sends nothing.
    ///   - chain: The chain that it is about.
    /// - Returns: The operation, and whether it is new.
    /// - Throws: ``Refusal`` with `idempotency_key_reused`, or with `move_not_open` if it lists an
    ///   item again by itself and its account no longer agrees to that.
    func begin(
        _ request: OperationRequest,
        subject: String?,
        plan: OperationPlan,
        fees: AgreedFees?,
        on chain: ChainID? = nil
    ) async throws -> (operation: Client.Operation, isNew: Bool) {
        let now = clock.now
        let id = Bytes32.random()
        let account = request.account
        var operation = Client.Operation(
            id: id.hex,
            kind: request.kind,
            state: .running,
            account: account.checksummed,
            chain: chain?.number,
            subject: subject,
            phases: plan.phases.map { Client.Operation.Phase(name: $0, state: .waiting) },
            problem: nil,
            createdAt: now,
            feeMax: fees?.feeMax.decimal
        )
        if let fees, !plan.steps.isEmpty {
            let phase = Client.Operation.Phase(
                name: .estimate,
                state: .running,
                notes: [fees.words]
            )
            operation.note(phase, at: now)
        }
        let entry = Entry(account: account, operation: operation, plan: plan)
        let bytes = entry.storedBytes
        let known: Bytes32? = try await store.write(isAddition: request.isAddition) { transaction in
            let time = Timestamp(now)
            if let answer = try request.call.answer(at: time, in: transaction) {
                return Bytes32(answer)
            }
            guard try transaction.allowsReopening(in: plan, by: account) else {
                throw OperationPlan.Reopening.refusal
            }
            if request.isByOwner { try transaction.endReopenings(touchedBy: entry) }
            try transaction.put(Storage.Operations.self, CompositeKey(account, id), bytes)
            try transaction.putAnswer(id.bytes, to: request.call, at: time)
            try tell(entry, in: &transaction)
            return nil
        }
        if let known { return (try self.known(known, of: account), false) }
        events.signal()
        return (operation, true)
    }

    /// Refuses while the store has little room.
    ///
    /// - Throws: ``StorageError/mapFull(_:)``.
    func requireRoom() throws { try store.requireRoom() }

    /// The operation that the same call began earlier; `nil` if there is none.
    ///
    /// - Throws: ``Refusal`` with `idempotency_key_reused`.
    func known(_ request: OperationRequest) throws -> Client.Operation? {
        let now = clock.timestamp
        let answer = try store.read { try request.call.answer(at: now, in: $0) }
        return try answer.flatMap { Bytes32($0) }.map { try known($0, of: request.account) }
    }

    /// The operation that a key identifies.
    private func known(_ id: Bytes32, of account: Address) throws -> Client.Operation {
        guard try has(id.hex, account: account) else {
            throw Refusal(.keyReused, Sentence("refusal.keyOfRemoved"))
        }
        return try entry(id.hex, account: account).operation
    }

    /// Changes an operation, and reports it to its account and, if there is news, to all of the
    /// node, in one commit.
    func update(
        _ id: String,
        account: Address,
        news: News? = nil,
        _ change: @escaping @Sendable (inout Client.Operation) -> Void
    ) async throws {
        guard let key = Bytes32(hex: id) else { return }
        let place = CompositeKey(account, key)
        let isChanged = try await store.writeOnceThereIsRoom { transaction in
            guard let bytes = try transaction.get(Storage.Operations.self, place) else {
                return false
            }
            var entry = try Entry(of: place, storedBytes: bytes)
            let wasRunning = entry.operation.isRunning
            change(&entry.operation)
            try transaction.put(Storage.Operations.self, place, entry.storedBytes)
            if wasRunning, entry.operation.state == .done {
                try events.noteReopening(of: entry, in: &transaction)
            }
            if let news {
                try events.note(
                    news.type,
                    subject: news.subject,
                    data: news.data,
                    for: nil,
                    in: &transaction
                )
            }
            try tell(entry, in: &transaction)
            return true
        }
        if isChanged { events.signal() }
    }

    /// One operation of an account.
    ///
    /// - Throws: ``Refusal`` with `unknown_operation`.
    package func entry(_ id: String, account: Address) throws -> Entry {
        let key = Bytes32(hex: id).map { CompositeKey(account, $0) }
        guard let key, let bytes = try store.read({ try $0.get(Storage.Operations.self, key) })
        else {
            throw Refusal(
                .unknownOperation,
                Sentence("refusal.unknownOperation", ["id": id.quoted]),
                field: "id"
            )
        }
        return try Entry(of: key, storedBytes: bytes)
    }

    /// Whether an account has an operation; those of an account that was removed are gone.
    func has(_ id: String, account: Address) throws -> Bool {
        guard let key = Bytes32(hex: id) else { return false }
        return try store.read {
            try $0.contains(Storage.Operations.self, CompositeKey(account, key))
        }
    }

    /// Whether an account agrees that a sale's item is listed again by itself.
    func agrees(_ account: Address, toReopen sale: SaleID) throws -> Bool {
        try store.read { try $0.reopeningConsent(to: sale, by: account) != nil }
    }

    /// Ends the consent that a plan carries out, if it lists an item again by itself.
    func endReopening(by plan: OperationPlan, of account: Address) async throws {
        guard case .automatic(let sale)? = plan.reopening else { return }
        try await store.write { transaction in
            _ = try transaction.endReopeningConsent(to: sale, by: account)
        }
    }

    /// One page of an account's operations, the latest begun first.
    ///
    /// - Throws: ``Refusal`` with `malformed_value` for an `after` that no page gave.
    package func operations(
        of account: Address,
        after: String? = nil,
        limit: Int
    ) throws -> Page<Client.Operation> {
        let place = try after.map { try PageCursor(entered: $0) }
        let found = try store.read { try $0.entries(Storage.Operations.self, .prefix(account)) }
        // Their keys are in no order of time; only those of the page are decoded.
        let page = try found.page(after: place, limit: limit) { key, bytes in
            PageCursor(try Entry.beginning(in: bytes).milliseconds, id: key.second)
        }
        let items = try page.items.map { try Entry(of: $0, storedBytes: $1).operation }
        return Page(items: items, next: page.next?.text)
    }

    /// Every operation that has not ended, of all accounts, the oldest first.
    ///
    /// One that cannot be read is left out, and reported to `errors`.
    package func unfinished(_ errors: LoopErrors? = nil) throws -> [Entry] {
        var found: [Entry] = []
        try store.read { transaction in
            try transaction.scan(Storage.Operations.self, .all()) { key, bytes in
                do {
                    let entry = try Entry(of: key, storedBytes: bytes)
                    if entry.operation.isRunning { found.append(entry) }
                } catch {
                    errors?.note(error, of: "operation \(key.second.hex)")
                }
                return true
            }
        }
        return found.sorted { $0.operation.createdAt < $1.operation.createdAt }
    }

    /// Writes the event beside the change, so that a crash loses both or neither.
    private func tell(_ entry: Entry, in transaction: inout WriteTransaction) throws {
        let operation = entry.operation
        let phase = operation.phases.last { $0.state != .waiting }
        try events.note(
            "operation",
            subject: operation.id,
            data: [
                "kind": operation.kind.rawValue, "state": operation.state.rawValue,
                "phase": phase?.name.rawValue ?? "", "phaseState": phase?.state.rawValue ?? "",
                "detail": phase?.detail ?? "",
            ],
            words: phase?.notes,
            for: entry.account,
            in: &transaction
        )
    }
}
