import Keys
import Market
import Storage
import Support
import Synchronization
import Testing
import Texts

@Suite(.timeLimit(.minutes(5)))
struct StoreTests {
    private struct Refusal: Error, Equatable {
        let number: Int
    }

    private func record(_ number: Int) -> RecordID {
        RecordID(Bytes32(words: 0, 0, 0, UInt64(number)))
    }

    /// Counts groups and their writes, and injects what a test asks for.
    private final class Faults: Sendable {
        let groups = Mutex<[Int]>([])
        let next = Mutex<StoreFault?>(nil)

        @Sendable func hook(count: Int) -> StoreFault? {
            groups.withLock { $0.append(count) }
            return next.withLock { fault in
                defer { fault = nil }
                return fault
            }
        }
    }

    @Test func `callers share commits, and each failure reaches only its own caller`() async throws
    {
        let folder = try TemporaryFolder()
        let faults = Faults()
        let store = try Store(folder: folder.path, faultHook: { faults.hook(count: $0) })

        let outcomes = await withTaskGroup(of: Result<Int, any Error>.self) { group in
            for number in 0..<200 {
                group.addTask {
                    do {
                        return .success(
                            try await store.write { transaction in
                                try transaction.noteChange(of: record(number))
                                if number.isMultiple(of: 3) { throw Refusal(number: number) }
                                return number
                            }
                        )
                    } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }

        let kept = Set(outcomes.compactMap { try? $0.get() })
        #expect(kept == Set((0..<200).filter { !$0.isMultiple(of: 3) }))
        let page = try store.changes(after: 0)
        #expect(page.changes.count == kept.count)
        #expect(page.changes.map(\.number) == Array(1...UInt64(kept.count)))
        #expect(Set(page.changes.map(\.record)) == Set(kept.map { record($0) }))
        let groups = faults.groups.withLock { $0 }
        #expect(groups.reduce(0, +) == 200)
        #expect(groups.count < 200, "no two writes shared a commit")
    }

    @Test func `a failed commit reaches every caller, and the store keeps working`() async throws {
        let folder = try TemporaryFolder()
        let faults = Faults()
        let store = try Store(folder: folder.path, faultHook: { faults.hook(count: $0) })
        faults.next.withLock { $0 = .failure(.diskFull(.commit)) }

        await #expect(throws: StorageError.diskFull(.commit)) {
            try await store.write { try $0.noteChange(of: record(1)) }
        }

        try await store.write { try $0.noteChange(of: record(2)) }
        #expect(try store.changes(after: 0).changes.map(\.record) == [record(2)])
    }

    @Test func `keeps a write that waited for room`() async throws {
        let folder = try TemporaryFolder()
        let faults = Faults()
        let store = try Store(folder: folder.path, faultHook: { faults.hook(count: $0) })
        faults.next.withLock { $0 = .failure(.diskFull(.commit)) }

        try await store.writeOnceThereIsRoom(lookingEach: .milliseconds(1)) {
            try $0.noteChange(of: record(1))
        }
        #expect(try store.changes(after: 0).changes.map(\.record) == [record(1)])

        faults.next.withLock { $0 = .failure(.diskFailed(.commit, code: 5)) }
        await #expect(throws: StorageError.diskFailed(.commit, code: 5)) {
            try await store.writeOnceThereIsRoom { try $0.noteChange(of: record(2)) }
        }
    }

    @Test func `a call does not wait for room`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, faultHook: { _ in .failure(.diskFull(.commit)) })
        await #expect(throws: StorageError.diskFull(.commit)) {
            try await Store.$waitsForRoom.withValue(false) {
                try await store.writeOnceThereIsRoom { try $0.noteChange(of: record(1)) }
            }
        }
    }

    @Test func `says that a write waits for room, until it is kept`() async throws {
        let folder = try TemporaryFolder()
        let fault = Mutex<StoreFault?>(.failure(.diskFull(.commit)))
        let store = try Store(folder: folder.path, faultHook: { _ in fault.withLock { $0 } })
        var waits = store.waitsForRoom().makeAsyncIterator()
        let before = await waits.next()
        #expect(before == .some(nil))

        let write = Task {
            try await store.writeOnceThereIsRoom(lookingEach: .milliseconds(1)) {
                try $0.noteChange(of: record(1))
            }
        }
        let during = await waits.next()
        #expect(during == .diskFull(.commit))
        let full = try store.room()
        #expect(full.isFull && full.warning?.detail.contains("disk is full") == true)

        fault.withLock { $0 = nil }
        try await write.value
        let after = await waits.next()
        #expect(after == .some(nil))
        #expect(try store.room().warning == nil && !store.room().isFull)
    }

    @Test func `keeps the warning of a full disk until a write changes something`() async throws {
        let folder = try TemporaryFolder()
        let faults = Faults()
        let store = try Store(folder: folder.path, faultHook: { faults.hook(count: $0) })
        faults.next.withLock { $0 = .failure(.diskFull(.commit)) }
        await #expect(throws: StorageError.diskFull(.commit)) {
            try await store.write { try $0.noteChange(of: record(1)) }
        }
        try await store.write { _ in }
        #expect(try store.room().isFull)
        try await store.write { try $0.noteChange(of: record(1)) }
        #expect(try !store.room().isFull)
    }

    @Test func `looks for room on its own after a full disk`() async throws {
        let folder = try TemporaryFolder()
        let fault = Mutex<StoreFault?>(nil)
        let store = try Store(folder: folder.path, faultHook: { _ in fault.withLock { $0 } })
        let count = { store.newestChange }
        try await store.lookForRoom()
        #expect(count() == 0)
        fault.withLock { $0 = .failure(.diskFull(.commit)) }
        await #expect(throws: StorageError.diskFull(.commit)) {
            try await store.write { try $0.noteChange(of: record(1)) }
        }
        await #expect(throws: StorageError.diskFull(.commit)) { try await store.lookForRoom() }
        #expect(try store.room().isFull)
        fault.withLock { $0 = nil }
        try await store.lookForRoom()
        #expect(try !store.room().isFull)
    }

    /// The store of a folder that a stopped one may take a moment to leave.
    private static func reopened(_ folder: TemporaryFolder) async throws -> Store {
        try await waitFor {
            do { return try Store(folder: folder.path) } catch StorageError.locked { return nil }
        }
    }

    @Test func `a crash before the commit loses only unacknowledged writes`() async throws {
        let folder = try TemporaryFolder()
        let faults = Faults()
        do {
            let store = try Store(folder: folder.path, faultHook: { faults.hook(count: $0) })
            try await store.write { try $0.noteChange(of: record(1)) }
            faults.next.withLock { $0 = .crashBeforeCommit }
            await #expect(throws: StorageError.stopped) {
                try await store.write { try $0.noteChange(of: record(2)) }
            }
            await #expect(throws: StorageError.stopped) {
                try await store.write { try $0.noteChange(of: record(3)) }
            }
        }

        let store = try await Self.reopened(folder)
        #expect(try store.changes(after: 0).changes.map(\.record) == [record(1)])
    }

    @Test func `a crash after the commit keeps unacknowledged writes`() async throws {
        let folder = try TemporaryFolder()
        let faults = Faults()
        do {
            let store = try Store(folder: folder.path, faultHook: { faults.hook(count: $0) })
            faults.next.withLock { $0 = .crashAfterCommit }
            await #expect(throws: StorageError.stopped) {
                try await store.write { try $0.noteChange(of: record(1)) }
            }
        }

        let store = try await Self.reopened(folder)
        #expect(try store.changes(after: 0).changes.map(\.record) == [record(1)])
    }

    @Test func `callers wait while the queue is full, and all get served`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.queuedWritesMax = 2
        limits.groupWritesMax = 1
        let store = try Store(folder: folder.path, limits: limits)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { try await store.write { try $0.noteChange(of: record(number)) } }
            }
            try await group.waitForAll()
        }

        #expect(try store.changes(after: 0).last == 50)
    }

    @Test func `callers can read concurrently during a write`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { try await store.write { try $0.noteChange(of: record(number)) } }
                group.addTask { @concurrent in
                    let page = try store.changes(after: 0)
                    #expect(page.changes.count == Int(page.last))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `only an error of the whole store ends the node`() async throws {
        let folder = try TemporaryFolder()
        let faults = Faults()
        let store = try Store(folder: folder.path, faultHook: { faults.hook(count: $0) })
        let values: [StorageError] = [
            .corrupt(.value(table: "peers")), .keyTooLong(byteCountMax: 510), .mapFull(.put),
            .diskFull(.commit), .refused(.put, code: 22),
        ]
        await withThrowingTaskGroup { group in
            group.addTask { try await store.watch() }
            for error in values {
                faults.next.withLock { $0 = .failure(error) }
                await #expect(throws: error) {
                    try await store.write { try $0.noteChange(of: record(1)) }
                }
                #expect(throws: error) { try store.read { _ throws -> Void in throw error } }
            }
            faults.next.withLock { $0 = .failure(.diskFailed(.commit, code: 5)) }
            await #expect(throws: StorageError.diskFailed(.commit, code: 5)) {
                try await store.write { try $0.noteChange(of: record(2)) }
            }
            await #expect(throws: StorageError.diskFailed(.commit, code: 5)) {
                try await group.next()
            }
        }
    }
}
