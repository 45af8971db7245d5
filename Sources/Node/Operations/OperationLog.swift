package import Client
package import Concurrency
package import Foundation
package import Keys
import Market
package import Storage

/// Long work with its phases, durable at every step, so that a restart goes on where it was.
package struct OperationLog: Sendable {
    /// An operation with what its service needs to resume it.
    package struct Entry: Codable, Sendable {
        package var operation: Client.Operation
        package var details: Data
    }

    private let store: Store
    private let events: AccountEventLog
    private let clock: any WallClock

    package init(store: Store, events: AccountEventLog, clock: any WallClock = SystemWallClock()) {
        self.store = store
        self.events = events
        self.clock = clock
    }

    /// Begins an operation, or finds the one that the same call began before.
    ///
    /// - Parameters:
    ///   - kind: What is done, such as `buy`.
    ///   - account: Who asked for it.
    ///   - subject: What it is about.
    ///   - phases: The names of its steps, in order.
    ///   - idempotencyKey: The caller's name for this act.
    ///   - request: What was asked, in any fixed form; another with the same key is refused.
    ///   - details: What the service needs to resume.
    ///   - feeMax: What its fees may be at most, in wei.
    /// - Returns: The operation, and whether it is new.
    /// - Throws: ``Refusal`` with `idempotency_key_reused`.
    package func begin(
        _ kind: String,
        account: Address,
        subject: String?,
        phases: [String],
        idempotencyKey: String,
        request: [UInt8],
        details: [UInt8],
        feeMax: String? = nil
    ) async throws -> (operation: Client.Operation, isNew: Bool) {
        let now = clock.now
        let id = Bytes32.random()
        let operation = Client.Operation(
            id: id.hex,
            kind: kind,
            state: "running",
            account: account.checksummed,
            subject: subject,
            phases: phases.map { Client.Operation.Phase(name: $0, state: "waiting") },
            problem: nil,
            createdAt: now,
            feeMax: feeMax
        )
        let entry = Entry(operation: operation, details: Data(details))
        let bytes = try Self.bytes(entry)
        let call = KeyedCall(idempotencyKey, by: account, kind: kind, asking: request)
        let known: Bytes32? = try await store.write { transaction in
            let time = Timestamp(now)
            if let answer = try transaction.answer(to: call, at: time) { return Bytes32(answer) }
            try transaction.put(Storage.Operations.self, Pair(account, id), bytes)
            try transaction.putAnswer(id.bytes, to: call, at: time)
            try tell(operation, account, in: &transaction)
            return nil
        }
        if let known { return (try self.entry(known.hex, account: account).operation, false) }
        events.signal()
        return (operation, true)
    }

    /// The operation that the same call began before; `nil` if none did.
    ///
    /// - Throws: ``Refusal`` with `idempotency_key_reused`.
    package func known(
        _ kind: String,
        account: Address,
        idempotencyKey: String,
        request: [UInt8]
    ) throws -> Client.Operation? {
        let call = KeyedCall(idempotencyKey, by: account, kind: kind, asking: request)
        let answer = try store.read { try $0.answer(to: call, at: Timestamp(clock.now)) }
        return try answer.flatMap { Bytes32($0) }
            .map { try entry($0.hex, account: account).operation }
    }

    /// Notes how a phase stands.
    package func update(
        _ id: String,
        account: Address,
        phase name: String,
        state: String,
        detail: String? = nil
    ) async throws {
        let now = clock.now
        try await change(id, account) { entry in
            guard let place = entry.operation.phases.firstIndex(where: { $0.name == name }) else {
                return
            }
            entry.operation.phases[place].state = state
            if let detail { entry.operation.phases[place].detail = detail }
            if state == "done" || state == "failed" {
                entry.operation.phases[place].endedAt = now
            }
        }
    }

    /// Sets `running` or `needs_unlock`.
    package func set(_ id: String, account: Address, state: String) async throws {
        try await change(id, account) { $0.operation.state = state }
    }

    /// Sets what its fees may be at most, in wei.
    package func set(_ id: String, account: Address, feeMax: String) async throws {
        try await change(id, account) { $0.operation.feeMax = feeMax }
    }

    package func setDetails(_ id: String, account: Address, _ details: [UInt8]) async throws {
        try await change(id, account) { $0.details = Data(details) }
    }

    /// Ends it, well or with a problem.
    ///
    /// - Parameters:
    ///   - id: The operation's.
    ///   - account: Whose it is.
    ///   - problem: Why it failed; `nil` if it did not.
    ///   - phase: The name of its last phase, which ends as it does.
    ///   - detail: What is shown beside that.
    ///   - news: What every account of the node is told in the same commit.
    /// - Throws: ``StorageError``
    package func finish(
        _ id: String,
        account: Address,
        problem: Problem? = nil,
        phase: String? = nil,
        detail: String? = nil,
        news: News? = nil
    ) async throws {
        let now = clock.now
        try await change(id, account, news: news) { entry in
            let state = problem == nil ? "done" : "failed"
            entry.operation.state = state
            entry.operation.problem = problem
            for place in entry.operation.phases.indices {
                let isLast = entry.operation.phases[place].name == phase
                guard isLast || entry.operation.phases[place].state == "running" else { continue }
                entry.operation.phases[place].state = state
                entry.operation.phases[place].endedAt = now
                if isLast, let detail { entry.operation.phases[place].detail = detail }
            }
        }
    }

    /// One operation of an account.
    ///
    /// - Throws: ``Refusal`` with `unknown_operation`.
    package func entry(_ id: String, account: Address) throws -> Entry {
        guard let key = Bytes32(hex: id),
            let bytes = try store.read({
                try $0.get(Storage.Operations.self, Pair(account, key))
            })
        else {
            throw Refusal(
                .unknownOperation,
                "This account has no operation \(id.quoted). Take an id from the list of operations.",
                field: "id"
            )
        }
        return try Self.entry(bytes)
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
            .map { try Self.entry($0.value).operation }
        let page = found.page(after: place, limit: limit) { operation in
            PageCursor(
                Timestamp(operation.createdAt).milliseconds,
                id: Bytes32(hex: operation.id) ?? .zero
            )
        }
        return Page(items: page.items, next: page.next?.text)
    }

    /// Every operation that has not ended, of all accounts.
    package func unfinished() throws -> [Entry] {
        var found: [Entry] = []
        try store.read { transaction in
            try transaction.scan(Storage.Operations.self, .all()) { _, bytes in
                let entry = try Self.entry(bytes)
                if entry.operation.state != "done", entry.operation.state != "failed" {
                    found.append(entry)
                }
                return true
            }
        }
        return found.sorted { $0.operation.createdAt < $1.operation.createdAt }
    }

    private func change(
        _ id: String,
        _ account: Address,
        news: News? = nil,
        _ body: @escaping @Sendable (inout Entry) -> Void
    ) async throws {
        guard let key = Bytes32(hex: id) else { return }
        let place = Pair(account, key)
        let isChanged = try await store.writeOnceThereIsRoom { transaction in
            guard let bytes = try transaction.get(Storage.Operations.self, place) else {
                return false
            }
            var entry = try Self.entry(bytes)
            body(&entry)
            try transaction.put(Storage.Operations.self, place, try Self.bytes(entry))
            if let news {
                try events.note(
                    news.type,
                    subject: news.subject,
                    data: news.data,
                    for: nil,
                    in: &transaction
                )
            }
            try tell(entry.operation, account, in: &transaction)
            return true
        }
        if isChanged { events.signal() }
    }

    /// Writes the event beside the change, so that a crash loses neither or both.
    private func tell(
        _ operation: Client.Operation,
        _ account: Address,
        in transaction: inout WriteTransaction
    ) throws {
        let running = operation.phases.last { $0.state != "waiting" }
        try events.note(
            "operation",
            subject: operation.id,
            data: [
                "kind": operation.kind, "state": operation.state,
                "phase": running?.name ?? "", "phaseState": running?.state ?? "",
                "detail": running?.detail ?? "",
            ],
            for: account,
            in: &transaction
        )
    }

    private static func bytes(_ entry: Entry) throws -> [UInt8] {
        [UInt8](try WireCoding.encoder().encode(entry))
    }

    private static func entry(_ bytes: [UInt8]) throws -> Entry {
        try WireCoding.decoder().decode(Entry.self, from: Data(bytes))
    }
}
