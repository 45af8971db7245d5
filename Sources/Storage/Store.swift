package import Concurrency
import Synchronization

/// The single access point to the node's data on disk.
///
/// Writes queue to one writer with its own thread. While it commits, others queue up; then it runs
/// them all in one transaction with one `fsync`, each in a savepoint, so that one that throws does
/// not undo the others. (The alternative, to run all again without it, would run closures twice.) A
/// caller hears of success only after the group is durable. Reads do not pass here: they run on the
/// caller's thread, on a snapshot.
package actor Store {
    /// Decides what fails at the next commit; called with the number of writes in the group.
    package typealias FaultHook = @Sendable (Int) -> StoreFault?

    private nonisolated let environment: Environment
    private nonisolated let executor = StoreExecutor(label: "storage")
    private nonisolated let queue: WriteQueue
    /// How much may wait, and how much is kept.
    package nonisolated let limits: StoreLimits
    private nonisolated let clock: any MonotonicClock
    private nonisolated let faultHook: FaultHook?
    private nonisolated let newest: Broadcast<UInt64>
    private nonisolated let failure = Broadcast<StorageError>()
    /// The last write's lack of room, until a later write is kept.
    private nonisolated let lackOfRoom = Mutex<StorageError?>(nil)
    /// How many writes wait for room.
    private nonisolated let waitingForRoom = Mutex(0)
    private nonisolated let waits = Broadcast<StorageError?>(.some(nil))
    private var isStopped = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Opens or creates the store in `folder`.
    ///
    /// - Parameters:
    ///   - folder: The folder of `data.mdb`; created where its parent exists.
    ///   - mapBytes: The maximum size of the store.
    ///   - limits: How much may wait, and how much is kept.
    ///   - clock: Measures the pauses while there is no room.
    ///   - faultHook: For tests only: faults around commits.
    /// - Throws: ``StorageError``, which states the next step.
    package init(
        folder: String,
        mapBytes: Int = Environment.mapBytesDefault,
        limits: StoreLimits = StoreLimits(),
        clock: any MonotonicClock = .system,
        faultHook: FaultHook? = nil
    ) throws {
        environment = try Environment(
            folder: folder,
            mapBytes: mapBytes,
            schema: .current,
            limits: limits
        )
        queue = WriteQueue(writesMax: limits.queuedWritesMax)
        newest = Broadcast(try environment.read { try $0.newestChange() })
        self.limits = limits
        (self.clock, self.faultHook) = (clock, faultHook)
    }

    /// Runs `body` on a snapshot, on the caller's thread.
    ///
    /// Must be short: it pins old pages.
    package nonisolated func read<Value>(
        _ body: (borrowing ReadTransaction) throws -> Value
    ) throws -> Value {
        do {
            return try environment.read(body)
        } catch {
            note(error)
            throw error
        }
    }

    /// Waits until the store can no longer be read or written; the node then ends.
    ///
    /// - Throws: The ``StorageError``, which states the next step.
    package nonisolated func watch() async throws {
        for await error in failure.values() { throw error }
    }

    /// Runs `body` in the writer's turn, and returns once its writes are durable.
    ///
    /// If the queue is full, the caller waits. A cancelled caller's write still happens.
    ///
    /// - Throws: The errors of `body`, and then none of its writes are kept; or ``StorageError`` if
    ///   the commit failed.
    package nonisolated func write<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await write(isAddition: false, body)
    }

    /// As ``write(_:)`` or, if `isAddition`, as ``add(_:)``.
    package nonisolated func write<Value: Sendable>(
        isAddition: Bool,
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Value
    ) async throws -> Value {
        let answer = WriteResult<Value>()
        let write = QueuedWrite(isAddition: isAddition) { transaction in
            answer.keep(try body(&transaction))
        }
        while !queue.append(write) { await drain() }
        await drain()
        if let error = write.error { throw error }
        guard let value = answer.value else { throw StorageError.stopped }
        return value
    }

    /// As ``write(_:)``, for what adds to the store and may be refused: all that a caller can
    /// repeat at will and that is neither a deletion nor a move of a sale.
    ///
    /// - Throws: Also ``StorageError/mapFull(_:)`` while there is little room (``StoreRoom``), so
    ///   that there is always some for the rest.
    package nonisolated func add<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await write(isAddition: true, body)
    }

    /// Refuses if ``add(_:)`` would: before work that would be done in vain.
    ///
    /// - Throws: ``StorageError/mapFull(_:)`` while there is little room.
    package nonisolated func requireRoom() throws {
        if isNearEnd, try room().lacksReserve { throw StorageError.mapFull(.begin) }
    }

    /// Tries to write a little if the last write found no room: only that shows that there is room
    /// again, if nothing else is written.
    ///
    /// - Throws: ``StorageError`` while there is none.
    package nonisolated func lookForRoom() async throws {
        guard lackOfRoom.withLock({ $0 }) != nil else { return }
        try await write { try $0.put(Settings.self, "room", []) }
    }

    /// Whether this task may wait for room: `false` for the calls of people and programs, of which
    /// any number could wait, and which hear of the lack at once.
    @TaskLocal package static var waitsForRoom = true

    /// Like ``write(_:)``, but waits if there is no room: for data that follows the outside world,
    /// which must neither lose a step nor end because of a full disk.
    ///
    /// `body` may run more than once; only the last run's writes are kept. Within a call of
    /// somebody, it does not wait (``waitsForRoom``).
    package nonisolated func writeOnceThereIsRoom<Value: Sendable>(
        lookingEach interval: Duration = .seconds(1),
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Value
    ) async throws -> Value {
        var isWaiting = false
        defer { if isWaiting { endWait() } }
        while true {
            do {
                return try await write(body)
            } catch let error as StorageError where error.isLackOfRoom && Self.waitsForRoom {
                if !isWaiting { beginWait(error) }
                isWaiting = true
                try await clock.wait(interval)
            }
        }
    }

    private nonisolated func beginWait(_ error: StorageError) {
        waitingForRoom.withLock { count in
            count += 1
            if count == 1 { waits.send(error) }
        }
    }

    private nonisolated func endWait() {
        waitingForRoom.withLock { count in
            count -= 1
            if count == 0 { waits.send(nil) }
        }
    }

    /// The lack of room for which a ``writeOnceThereIsRoom(lookingEach:_:)`` waits, at once and
    /// whenever that changes; `nil` while none waits.
    package nonisolated func waitsForRoom() -> AsyncStream<StorageError?> { waits.values() }

    /// The changes behind `number`, at most `limit`; see ``ChangePage``.
    package nonisolated func changes(after number: UInt64, limit: Int = 1_000) throws -> ChangePage
    {
        try environment.read { try $0.changes(after: number, limit: limit) }
    }

    /// The number of the last durable change.
    package nonisolated var newestChange: UInt64 { newest.newest ?? 0 }

    /// The number of the last durable change, at once, and then whenever there are more.
    ///
    /// Only the latest number waits for a slow reader, who then reads all from `changes`.
    package nonisolated func changeNumbers() -> AsyncStream<UInt64> { newest.values() }

    /// Frees the snapshots of processes that were killed while they read; see
    /// ``Environment/forgetDeadReaders()``.
    @discardableResult
    package nonisolated func forgetDeadReaders() throws -> Int {
        try environment.forgetDeadReaders()
    }

    /// How much room there is.
    package nonisolated func room() throws -> StoreRoom {
        StoreRoom(
            mapBytes: environment.mapBytes,
            fileBytes: environment.usedBytes,
            freeBytesWithin: try environment.freeBytesWithin(),
            reservedBytes: limits.reservedBytes,
            failure: lackOfRoom.withLock { $0 }
        )
    }

    /// Whether the free pages have to be counted to tell how much room there is.
    private nonisolated var isNearEnd: Bool {
        environment.mapBytes - environment.usedBytes < StoreRoom.scarceBytes(limits.reservedBytes)
    }

    /// Commits everything that waits.
    ///
    /// A write queued before this call is done after it:
    /// by this call or by an earlier one that took it along.
    private func drain() {
        while !queue.isEmpty {
            // If it cannot be counted, the group is written as usual.
            let room = isNearEnd ? try? room() : nil
            let isScarce = room?.isScarce == true
            let group = queue.take(
                max: isScarce ? limits.scarceGroupWritesMax : limits.groupWritesMax
            )
            do {
                if isStopped { throw StorageError.stopped }
                try commit(group, isFull: room?.lacksReserve == true, isScarce: isScarce)
            } catch {
                note(error)
                for write in group { write.fail(error) }
            }
        }
    }

    private nonisolated func note(_ error: any Error) {
        guard let error = error as? StorageError else { return }
        if error.isOfWholeStore { failure.send(error) }
        // An addition that is refused at once was not tried.
        if error.isLackOfRoom, error != .mapFull(.begin) { lackOfRoom.withLock { $0 = error } }
    }

    private func commit(_ group: [QueuedWrite], isFull: Bool, isScarce: Bool) throws {
        let fault = faultHook?(group.count)
        let before = environment.commitCount
        let last = try environment.write(isScarce: isScarce) { transaction in
            for write in group {
                do {
                    if write.isAddition, isFull { throw StorageError.mapFull(.begin) }
                    if group.count == 1 {
                        try write.run(&transaction)
                    } else {
                        try transaction.savepoint { try write.run(&$0) }
                    }
                } catch {
                    write.fail(error)
                    if group.count == 1 { throw error }
                }
            }
            switch fault {
            case .failure(let error): throw error
            case .crashBeforeCommit:
                isStopped = true
                throw StorageError.stopped
            case .crashAfterCommit, nil: return try transaction.lastChange()
            }
        }
        if fault == .crashAfterCommit {
            isStopped = true
            throw StorageError.stopped
        }
        // A commit without changes writes nothing.
        if environment.commitCount != before { lackOfRoom.withLock { $0 = nil } }
        for error in group.compactMap(\.error) { note(error) }
        newest.send(last)
    }
}
